internal import CJack
internal import CRealtime
internal import Synchronization

/// What the engine gets and gives in a cycle beside sound: the events of our MIDI ports, and JACK's transport.
struct CycleSurroundings: ~Copyable {
    /// The most events of a port in a cycle: JACK's own buffers hold fewer.
    private static var capacity: Int { @_noLocks get { 4096 } }

    private let inputs: UnsafeMutableBufferPointer<OpaquePointer>
    private let outputs: UnsafeMutableBufferPointer<OpaquePointer>
    /// Room for the events of all inputs.
    private let events: UnsafeMutablePointer<RTMessage>
    private let messages: UnsafeMutablePointer<RTMessages>
    private let sinks: UnsafeMutablePointer<RTMessageSink>
    private let transport: UnsafeMutablePointer<RTTransport>
    private let outside: UnsafeMutablePointer<RTOutside>
    /// Whether the server has left the clock behind.
    let isFreewheeling = Atomic<Bool>(false)

    /// - Parameters:
    ///   - inputHandles: Our MIDI inputs, in the pipeline's order.
    ///   - outputHandles: Our MIDI outputs.
    init(inputs inputHandles: [OpaquePointer], outputs outputHandles: [OpaquePointer]) {
        inputs = .allocate(capacity: inputHandles.count)
        _ = inputs.initialize(from: inputHandles)
        outputs = .allocate(capacity: outputHandles.count)
        _ = outputs.initialize(from: outputHandles)
        // Its first event stands for none where there is no input.
        events = .allocate(capacity: max(1, Self.capacity * inputHandles.count))
        messages = .allocate(capacity: max(1, inputHandles.count))
        messages.initialize(repeating: RTMessages(), count: max(1, inputHandles.count))
        sinks = .allocate(capacity: max(1, outputHandles.count))
        sinks.initialize(
            repeating: RTMessageSink(take: giveEvent, context: nil, startFrame: 0),
            count: max(1, outputHandles.count))
        transport = .allocate(capacity: 1)
        transport.initialize(to: RTTransport())
        outside = .allocate(capacity: 1)
        outside.initialize(
            to: RTOutside(
                messages: messages, inputCount: Int32(inputHandles.count), sinks: sinks,
                sinkCount: Int32(outputHandles.count), isFreewheeling: false,
                transport: transport))
    }

    deinit {
        inputs.deallocate()
        outputs.deallocate()
        events.deallocate()
        messages.deallocate()
        sinks.deallocate()
        transport.deallocate()
        outside.deallocate()
    }

    /// Takes in what belongs to a cycle; it lasts as long as that.
    @_noLocks
    borrowing func begin(
        _ frames: jack_nframes_t, _ client: OpaquePointer
    ) -> UnsafePointer<RTOutside> {
        for place in 0..<inputs.count { readEvents(place, frames) }
        for place in 0..<outputs.count {
            sinks[place].context = jack_rt_empty_events(outputs[place], frames)
        }
        readTime(jack_rt_time(client))
        outside.pointee.isFreewheeling = isFreewheeling.load(ordering: .relaxed)
        return UnsafePointer(outside)
    }

    @_noLocks
    private borrowing func readEvents(_ place: Int, _ frames: jack_nframes_t) {
        let room = events + place * Self.capacity
        var count = 0
        if let buffer = jack_rt_events(inputs[place], frames) {
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
        messages[place] = RTMessages(first: room, count: Int32(count), startFrame: 0)
    }

    @_noLocks
    private borrowing func readTime(_ time: JackTime) {
        transport.pointee = RTTransport(
            revision: 0, isRolling: time.isRolling, isFreewheeling: false,
            hasBeats: time.hasBeats, beatUnit: Int32(max(1, min(time.beatUnit, 128))),
            frame: time.frame, bar: time.bar, barBeat: time.barBeat, beatsPerBar: time.beatsPerBar,
            beatsPerMinute: time.beatsPerMinute)
    }
}

/// Where a MIDI output's events go: the context is the port's buffer of the cycle.
@_noLocks
private func giveEvent(
    _ buffer: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ count: Int32
) -> Bool {
    jack_rt_give_event(buffer, frame, bytes, count)
}
