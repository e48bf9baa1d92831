import CJack
import Synchronization

/// The state of a player's process callback, with room for five minutes.
struct PlayerCallback: ~Copyable {
    private static let maximumFrames = 48_000 * 300
    private static let maximumMessages = 4096

    private let client: OpaquePointer
    private let output, input, keys, lights: OpaquePointer?
    private let sound = UnsafeMutablePointer<Float>.allocate(capacity: maximumFrames)
    /// The server's frame and the index in `sound` of each cycle received.
    private let cycles = UnsafeMutablePointer<(frame: UInt32, place: Int)>.allocate(
        capacity: maximumFrames / 16)
    private let soundFrames = Atomic(0)
    private let cycleCount = Atomic(0)
    private let messages = UnsafeMutablePointer<(UInt8, UInt8, UInt8, Int)>.allocate(
        capacity: maximumMessages)
    private let messageCount = Atomic(0)
    /// The sequence to play.
    ///
    /// The callback reads it while `isPlaying` is true. The test writes it while `isPlaying` is
    /// false and `isAtRest` is true.
    private var loop: UnsafeMutableBufferPointer<Float>
    private var isLoop = true
    private var position = 0
    private let isPlaying = Atomic(false)
    private let isAtRest = Atomic(true)
    private let startFrame = Atomic<Int64>(-1)
    private var message: (bytes: [UInt8], offset: Int) = ([], 0)
    private let isMessageNew = Atomic(false)
    private let messageFrame = Atomic<Int64>(-1)

    init(_ client: OpaquePointer) {
        self.client = client
        func port(_ name: String, _ type: String, isInput: Bool) -> OpaquePointer? {
            let direction = isInput ? JackPortIsInput : JackPortIsOutput
            return jack_port_register(client, name, type, UInt(direction.rawValue), 0)
        }
        output = port("out", JACK_DEFAULT_AUDIO_TYPE, isInput: false)
        input = port("in", JACK_DEFAULT_AUDIO_TYPE, isInput: true)
        keys = port("keys", JACK_DEFAULT_MIDI_TYPE, isInput: false)
        lights = port("lights", JACK_DEFAULT_MIDI_TYPE, isInput: true)
        loop = .allocate(capacity: 0)
    }

    deinit {
        sound.deallocate()
        cycles.deallocate()
        messages.deallocate()
        loop.deallocate()
    }

    // MARK: The test's side

    mutating func play(_ sequence: [Float], isLoop: Bool = true) {
        isPlaying.store(false, ordering: .sequentiallyConsistent)
        _ = waitUntil { isAtRest.load(ordering: .acquiring) ? true : nil }
        loop.deallocate()
        loop = .allocate(capacity: sequence.count)
        _ = loop.initialize(from: sequence)
        (position, self.isLoop) = (0, isLoop)
        startFrame.store(-1, ordering: .relaxed)
        isPlaying.store(true, ordering: .releasing)
    }

    var loopStart: UInt32? {
        let frame = startFrame.load(ordering: .acquiring)
        return frame < 0 ? nil : UInt32(frame)
    }

    mutating func post(_ bytes: [UInt8], _ offset: Int) {
        message = (bytes, offset)
        messageFrame.store(-1, ordering: .relaxed)
        isMessageNew.store(true, ordering: .releasing)
    }

    var sentFrame: UInt32? {
        let frame = messageFrame.load(ordering: .acquiring)
        return frame < 0 ? nil : UInt32(frame)
    }

    var heardFrames: Int { soundFrames.load(ordering: .acquiring) }

    var heard: [Float] { Array(UnsafeBufferPointer(start: sound, count: heardFrames)) }

    /// Returns the sound from a frame of the server on, up to the first cycle that was lost after
    /// it; empty if the frame was not received.
    func heard(from frame: UInt32) -> [Float] {
        let count = cycleCount.load(ordering: .acquiring)
        guard var cycle = (0..<count).last(where: { cycles[$0].frame <= frame }) else { return [] }
        let start = cycles[cycle].place + Int(frame - cycles[cycle].frame)
        func frames(of cycle: Int) -> Int { cycles[cycle + 1].place - cycles[cycle].place }
        while cycle + 1 < count,
            Int(cycles[cycle + 1].frame) == Int(cycles[cycle].frame) + frames(of: cycle)
        {
            cycle += 1
        }
        let end = cycle + 1 < count ? cycles[cycle + 1].place : heardFrames
        return Array(heard.prefix(end).dropFirst(start))
    }

    var heardMessages: [[UInt8]] {
        (0..<messageCount.load(ordering: .acquiring)).map {
            Array([messages[$0].0, messages[$0].1, messages[$0].2].prefix(messages[$0].3))
        }
    }

    // MARK: JACK's side

    mutating func process(_ frames: jack_nframes_t) {
        let now = jack_last_frame_time(client)
        if let output, let samples = jack_rt_samples(output, frames) {
            play(into: samples, Int(frames), now)
        }
        if let input, let samples = jack_rt_samples(input, frames) { record(samples, frames, now) }
        if let keys, let buffer = jack_rt_empty_events(keys, frames) { send(buffer, now) }
        if let lights, let buffer = jack_rt_events(lights, frames) { receive(buffer) }
    }

    private mutating func play(
        into samples: UnsafeMutablePointer<Float>, _ frames: Int, _ now: UInt32
    ) {
        isAtRest.store(false, ordering: .sequentiallyConsistent)
        defer { isAtRest.store(true, ordering: .releasing) }
        guard isPlaying.load(ordering: .sequentiallyConsistent), !loop.isEmpty else {
            return samples.update(repeating: 0, count: frames)
        }
        if position == 0, loopStart == nil { startFrame.store(Int64(now), ordering: .releasing) }
        for frame in 0..<frames {
            samples[frame] = position < loop.count ? loop[position] : 0
            position += position < loop.count ? 1 : 0
            if isLoop, position == loop.count { position = 0 }
        }
    }

    private func record(
        _ samples: UnsafeMutablePointer<Float>, _ frames: jack_nframes_t, _ now: UInt32
    ) {
        let (place, cycle) = (heardFrames, cycleCount.load(ordering: .relaxed))
        guard place + Int(frames) <= Self.maximumFrames, cycle < Self.maximumFrames / 16 else {
            return
        }
        for frame in 0..<Int(frames) { sound[place + frame] = samples[frame] }
        cycles[cycle] = (now, place)
        cycleCount.store(cycle + 1, ordering: .releasing)
        soundFrames.store(place + Int(frames), ordering: .releasing)
    }

    private func send(_ buffer: UnsafeMutableRawPointer, _ now: UInt32) {
        guard isMessageNew.exchange(false, ordering: .acquiringAndReleasing) else { return }
        _ = jack_rt_give_event(
            buffer, Int32(message.offset), message.bytes, Int32(message.bytes.count))
        messageFrame.store(Int64(now) + Int64(message.offset), ordering: .releasing)
    }

    private func receive(_ buffer: UnsafeMutableRawPointer) {
        var event = jack_midi_event_t()
        for place in 0..<jack_rt_event_count(buffer) where jack_rt_event(buffer, place, &event) {
            let count = messageCount.load(ordering: .relaxed)
            guard count < Self.maximumMessages, event.size <= 3 else { return }
            messages[count] = (
                event.buffer[0], event.size > 1 ? event.buffer[1] : 0,
                event.size > 2 ? event.buffer[2] : 0, event.size
            )
            messageCount.store(count + 1, ordering: .releasing)
        }
    }
}
