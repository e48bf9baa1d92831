internal import CRealtime
internal import Realtime

/// The transfer of events to a plugin before each run, and from it after the run.
struct EventTraffic {
    private let buffers: UnsafePointer<EventBuffer>
    private let bufferCount: Int
    private let position = PositionAtom()
    private let midiType = URIDTable.map(Namespace.midi("MidiEvent"))
    /// The indices of the buffers that carry MIDI; -1 if no buffer does.
    private let midiInput: Int
    private let midiOutput: Int
    /// The revision of the time that the plugin received last; 0 before the first.
    private var sentRevision: UInt32 = 0
    /// The number of messages that did not fit, since the plugin was created.
    private(set) var droppedMessages: UInt32 = 0

    init(_ ports: PluginPorts) {
        buffers = UnsafePointer(ports.events.start)
        bufferCount = ports.events.count
        midiInput = ports.midiInput ?? -1
        midiOutput = ports.midiOutput ?? -1
    }

    /// Empties all buffers for the next run.
    @_noLocks
    func clear() { for index in 0..<bufferCount { buffers[index].clear() } }

    /// Fills the inputs for the next run.
    @_noLocks
    mutating func fill(_ block: UnsafePointer<RTBlock>) {
        guard let context = block.pointee.context else { return }
        let time = context.pointee.transport
        if time.pointee.revision != sentRevision { sendPosition(time.pointee) }
        if midiInput >= 0 { receive(context.pointee.messages, block.pointee.frameCount) }
    }

    @_noLocks
    private mutating func sendPosition(_ time: RTTransport) {
        for index in 0..<bufferCount where buffers[index].receivesTime {
            let body = buffers[index].append(
                frame: 0, type: position.type, byteCount: PositionAtom.byteCount)
            if let body { position.write(time, at: body) }
        }
        sentRevision = time.revision
    }

    /// Adds messages to the MIDI input; drops each one that does not fit, but not those after it.
    @_noLocks
    private mutating func receive(_ messages: RTMessages, _ frameCount: Int32) {
        guard let first = messages.first else { return }
        let lastFrame = Int(frameCount) - 1
        for index in 0..<Int(messages.count) {
            let message = first[index]
            let frame = Int(message.frame) - Int(messages.startFrame)
            let body = buffers[midiInput].append(
                frame: min(max(0, frame), lastFrame), type: midiType,
                byteCount: Int(message.byteCount))
            if let body {
                rt_copy_bytes(body, message.bytes, Int64(message.byteCount))
            } else {
                droppedMessages &+= 1
            }
        }
    }

    /// Passes on the MIDI messages that the plugin wrote.
    @_noLocks
    mutating func end(_ block: UnsafePointer<RTBlock>) {
        guard midiOutput >= 0, let sink = block.pointee.context?.pointee.sink,
            sink.receive != nil
        else { return }
        var earliest: Int64 = 0
        let lastFrame = Int64(block.pointee.frameCount) - 1
        var last: EventBuffer.Event?
        while let event = buffers[midiOutput].event(after: last) {
            last = event
            guard event.type == midiType, event.byteCount > 0 else { continue }
            // JACK accepts messages only in order, and only within the cycle.
            earliest = min(max(earliest, event.frame), lastFrame)
            let bytes = event.body.assumingMemoryBound(to: UInt8.self)
            let isTaken = rt_give_message(
                sink, Int32(earliest), bytes, event.byteCount)
            if !isTaken { droppedMessages &+= 1 }
        }
    }
}
