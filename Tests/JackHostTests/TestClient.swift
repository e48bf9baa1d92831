import CJack
import Glibc
import Synchronization

/// An independent JACK client that plays a given sequence and records its input.
final class TestClient: @unchecked Sendable {
    // SAFETY: the process callback only uses `audio`; the test's thread uses everything else.
    let handle: OpaquePointer
    private let audio: UnsafeMutablePointer<TestAudio>
    private var isOpen = true

    /// Opens a client of the server that all tests share; returns `nil` if the server does not run.
    init?(named name: String) {
        jack_set_error_function { _ in }
        jack_set_info_function { _ in }
        var status = JackStatus(0)
        guard let handle = jack_client_open_at(name, JackNoStartServer, &status, nil) else {
            return nil
        }
        self.handle = handle
        audio = .allocate(capacity: 1)
        audio.initialize(to: TestAudio())
    }

    deinit { close() }

    var name: String { String(cString: jack_get_client_name(handle)) }

    /// Registers an audio port.
    @discardableResult
    func addPort(
        _ name: String, isInput: Bool, type: String = JACK_DEFAULT_AUDIO_TYPE
    ) -> OpaquePointer? {
        let direction = isInput ? JackPortIsInput : JackPortIsOutput
        return jack_port_register(handle, name, type, UInt(direction.rawValue), 0)
    }

    func removePort(_ port: OpaquePointer?) {
        if let port { jack_port_unregister(handle, port) }
    }

    /// Plays silence through the port "out", and the sequence after `play` is called.
    func prepareToPlay(_ sequence: [Float]) {
        audio.pointee.output = addPort("out", isInput: false)
        audio.pointee.sequence.append(contentsOf: sequence)
        start()
    }

    /// Records the port "in", up to the given number of frames.
    func prepareToRecord(frames: Int) {
        audio.pointee.input = addPort("in", isInput: true)
        let recording = UnsafeMutablePointer<Float>.allocate(capacity: frames)
        // This touches the whole memory before the recording.
        recording.initialize(repeating: 0, count: frames)
        audio.pointee.recording = recording
        audio.pointee.capacity = frames
        start()
    }

    /// Starts the sequence with the next cycle.
    func play() { audio.pointee.isPlaying.store(true, ordering: .releasing) }

    /// Plays messages through the MIDI port "events", at frames counted from `play`.
    func prepareToPlay(events: [TestAudio.Message]) {
        audio.pointee.eventOutput = addPort("events", isInput: false, type: JACK_DEFAULT_MIDI_TYPE)
        audio.pointee.events = events
        start()
    }

    /// Records all messages at the MIDI port "events".
    func prepareToRecordEvents() {
        audio.pointee.eventInput = addPort("events", isInput: true, type: JACK_DEFAULT_MIDI_TYPE)
        start()
    }

    /// Ends the callback, and returns the recorded messages, with frames counted from the first
    /// cycle.
    func popRecordedEvents() -> [TestAudio.Message] {
        jack_deactivate(handle)
        return audio.pointee.recordedEvents
    }

    /// All frames recorded so far.
    var recorded: [Float] {
        guard let recording = audio.pointee.recording else { return [] }
        let count = audio.pointee.recordedFrames.load(ordering: .acquiring)
        return Array(UnsafeBufferPointer(start: recording, count: count))
    }

    /// The last recorded frame; `nil` before the first one.
    var lastRecorded: Float? {
        let count = audio.pointee.recordedFrames.load(ordering: .acquiring)
        return count > 0 ? audio.pointee.recording?[count - 1] : nil
    }

    func start() {
        jack_set_process_callback(
            handle,
            { frames, context in
                context?.assumingMemoryBound(to: TestAudio.self).pointee.process(frames)
                return 0
            }, audio)
        jack_activate(handle)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        jack_client_close(handle)
        audio.pointee.recording?.deallocate()
        audio.deinitialize(count: 1)
        audio.deallocate()
    }
}

/// The state of the test client's process callback.
struct TestAudio: ~Copyable {
    var output: OpaquePointer?
    var input: OpaquePointer?
    var sequence: [Float] = []
    var position = 0
    var recording: UnsafeMutablePointer<Float>?
    var capacity = 0
    let isPlaying = Atomic<Bool>(false)
    let recordedFrames = Atomic<Int>(0)
    var eventOutput: OpaquePointer?
    var eventInput: OpaquePointer?
    var events: [Message] = []
    var recordedEvents: [Message] = []
    private var eventFrame = 0
    private var recordedEventFrame = 0

    /// A MIDI message at a frame.
    struct Message: Equatable {
        var frame: Int
        var bytes: [UInt8]
    }

    mutating func process(_ frames: jack_nframes_t) {
        if let output, let samples = jack_rt_samples(output, frames) {
            play(into: samples, Int(frames))
        }
        if let input, let samples = jack_rt_samples(input, frames) { record(samples, Int(frames)) }
        if let eventOutput, let buffer = jack_rt_empty_events(eventOutput, frames) {
            playEvents(into: buffer, Int(frames))
        }
        if let eventInput, let buffer = jack_rt_events(eventInput, frames) {
            recordEvents(buffer, Int(frames))
        }
    }

    private mutating func playEvents(into buffer: UnsafeMutableRawPointer, _ frames: Int) {
        guard isPlaying.load(ordering: .acquiring) else { return }
        for event in events where (eventFrame..<eventFrame + frames).contains(event.frame) {
            _ = jack_rt_give_event(
                buffer, Int32(event.frame - eventFrame), event.bytes, Int32(event.bytes.count))
        }
        eventFrame += frames
    }

    private mutating func recordEvents(_ buffer: UnsafeMutableRawPointer, _ frames: Int) {
        var event = jack_midi_event_t()
        for index in 0..<jack_rt_event_count(buffer)
        where jack_rt_event(buffer, index, &event) {
            let bytes = UnsafeBufferPointer(start: event.buffer, count: event.size)
            recordedEvents.append(
                Message(frame: recordedEventFrame + Int(event.time), bytes: Array(bytes)))
        }
        recordedEventFrame += frames
    }

    private mutating func play(into samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        let isPlaying = isPlaying.load(ordering: .acquiring)
        for frame in 0..<frames {
            let sounds = isPlaying && position < sequence.count
            samples[frame] = sounds ? sequence[position] : 0
            if sounds { position += 1 }
        }
    }

    private func record(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        let count = recordedFrames.load(ordering: .relaxed)
        let taken = min(frames, capacity - count)
        for frame in 0..<taken { recording?[count + frame] = samples[frame] }
        recordedFrames.store(count + taken, ordering: .releasing)
    }
}
