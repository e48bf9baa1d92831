internal import CJack
internal import CRealtime
internal import Realtime

/// The data of a cycle in addition to audio: the events of the program's MIDI ports, and JACK's
/// transport.
struct CycleContext: ~Copyable {
    /// The maximum number of events of a port per cycle; JACK's own buffers have room for fewer.
    private static var capacity: Int { @_noLocks get { 4096 } }

    private let inputs: Buffer<OpaquePointer?>
    private let outputs: Buffer<OpaquePointer?>
    /// The events of all inputs.
    private let events: Buffer<RTMessage>
    /// The remaining events of each input, which no piece of the cycle has received yet.
    private let remaining: Buffer<RTMessages>
    private let messages: Buffer<RTMessages>
    private let sinks: Buffer<RTMessageSink>
    private let transport: Buffer<RTTransport>
    private let engineCall: Buffer<RTEngineCall>

    /// Allocates the buffers for the MIDI ports.
    ///
    /// - Parameters:
    ///   - inputPorts: The program's MIDI inputs, by slot.
    ///   - outputPorts: The program's MIDI outputs, by slot.
    init(inputs inputPorts: [OpaquePointer?], outputs outputPorts: [OpaquePointer?]) {
        inputs = Buffer(inputPorts)
        outputs = Buffer(outputPorts)
        // Allocates at least one event, so that the address is valid without inputs.
        events = Buffer(uninitializedCount: max(1, Self.capacity * inputPorts.count))
        remaining = Buffer(count: max(1, inputPorts.count), repeating: RTMessages())
        messages = Buffer(count: max(1, inputPorts.count), repeating: RTMessages())
        sinks = Buffer(count: max(1, outputPorts.count), repeating: RTMessageSink())
        transport = Buffer(containing: RTTransport())
        engineCall = Buffer(
            containing: RTEngineCall(
                messages: messages.start, inputCount: Int32(inputPorts.count), sinks: sinks.start,
                sinkCount: Int32(outputPorts.count), isFreewheeling: false,
                transport: transport.start))
    }

    /// Reads the data of a cycle, which is valid until the cycle ends.
    @_noLocks
    borrowing func begin(
        _ frames: jack_nframes_t, _ client: OpaquePointer?, isFreewheeling: Bool
    ) {
        for slot in 0..<inputs.count { readEvents(slot, frames) }
        for slot in 0..<outputs.count {
            let buffer = outputs[slot].flatMap { jack_rt_empty_events($0, frames) }
            sinks[slot].context = buffer
            sinks[slot].receive = buffer == nil ? nil : writeEvent
        }
        if let client { readTransport(jack_rt_time(client)) } else { transport[0] = RTTransport() }
        engineCall[0].isFreewheeling = isFreewheeling
    }

    /// Returns the data of a range of frames.
    ///
    /// Ranges must be requested in order.
    @_noLocks
    borrowing func piece(from start: Int, to end: Int, of all: Int) -> UnsafePointer<RTEngineCall> {
        for slot in 0..<inputs.count {
            let rest = remaining[slot]
            var count: Int32 = 0
            if let first = rest.first {
                while count < rest.count, end == all || Int(first[Int(count)].frame) < end {
                    count += 1
                }
                remaining[slot] = RTMessages(
                    first: first + Int(count), count: rest.count - count, startFrame: 0)
            }
            messages[slot] = RTMessages(
                first: rest.first, count: count, startFrame: Int32(start))
        }
        for slot in 0..<outputs.count { sinks[slot].startFrame = Int32(start) }
        // Every piece except the last has `longestFrames` frames.
        let isLater = start > 0 && transport[0].isRolling
        if isLater { transport[0].frame += Int64(PortTable.longestFrames) }
        return UnsafePointer(engineCall.start)
    }

    @_noLocks
    private borrowing func readEvents(_ slot: Int, _ frames: jack_nframes_t) {
        let room = events.start + slot * Self.capacity
        var count = 0
        if let buffer = inputs[slot].flatMap({ jack_rt_events($0, frames) }) {
            var event = jack_midi_event_t()
            for index in 0..<min(jack_rt_event_count(buffer), Int32(Self.capacity)) {
                guard jack_rt_event(buffer, index, &event), let bytes = event.buffer else {
                    continue
                }
                let message = RTMessage(
                    frame: Int32(min(event.time, max(1, frames) - 1)),
                    byteCount: Int32(clamping: event.size), bytes: bytes)
                (room + count).initialize(to: message)
                count += 1
            }
        }
        remaining[slot] = RTMessages(first: room, count: Int32(count), startFrame: 0)
    }

    @_noLocks
    private borrowing func readTransport(_ time: JackTime) {
        transport[0] = RTTransport(
            revision: 0, isRolling: time.isRolling, isFreewheeling: false,
            hasBeats: time.hasBeats, beatUnit: Int32(max(1, min(time.beatUnit, 128))),
            frame: time.frame, bar: time.bar, barBeat: time.barBeat, beatsPerBar: time.beatsPerBar,
            beatsPerMinute: time.beatsPerMinute)
    }
}

/// Writes an event to a MIDI output: the context is the port's buffer of the cycle.
@_noLocks
private func writeEvent(
    _ buffer: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ count: Int32
) -> Bool {
    jack_rt_give_event(buffer, frame, bytes, count)
}
