internal import CJack
internal import CRealtime
internal import Realtime
internal import Synchronization

/// The state of the process callback that plays a ping and records the answer.
struct PingState: ~Copyable {
    let client: OpaquePointer
    let output: OpaquePointer
    let input: OpaquePointer
    let ping: Buffer<Float>
    let recording: Buffer<Float>
    /// The frames that were recorded since the ping began.
    var position = 0
    /// JACK's time of the next cycle, if none is missed.
    var nextTime: UInt32 = 0
    let phase = Atomic<Int>(PingState.resting)
    /// Whether a cycle was missed since the ping began.
    let hasGap = Atomic<Bool>(false)

    static var resting: Int { @_noLocks get { 0 } }
    static var playing: Int { @_noLocks get { 1 } }
    static var complete: Int { @_noLocks get { 2 } }

    /// Plays and records one cycle.
    @_noLocks
    mutating func process(_ frames: jack_nframes_t) {
        guard let out = jack_rt_samples(output, frames), let heard = jack_rt_samples(input, frames)
        else { return }
        for frame in 0..<Int(frames) { out[frame] = 0 }
        guard phase.load(ordering: .acquiring) == Self.playing else { return }
        let time = jack_rt_cycle_time(client)
        if position > 0, time != nextTime { hasGap.store(true, ordering: .relaxed) }
        nextTime = time &+ frames
        let count = min(Int(frames), recording.count - position)
        for frame in 0..<count {
            let place = position + frame
            if place < ping.count { out[frame] = ping.start[place] }
            recording.start[place] = heard[frame]
        }
        position += count
        guard position == recording.count else { return }
        position = 0
        phase.store(Self.complete, ordering: .releasing)
    }
}

/// Owns the state of the callback; it must outlive the client.
final class PingAudio: @unchecked Sendable {
    // SAFETY: only the audio thread uses the state while a ping plays, except its atomics; the
    // thread that measures uses it otherwise.
    private let state: Buffer<PingState>

    /// Creates the state, and sets the client's process callback, before the client is activated.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - output: The port that plays the ping.
    ///   - input: The port that records.
    ///   - ping: The ping.
    ///   - recordedFrames: The frames to record from the start of the ping.
    init(
        of client: JackClient, from output: JackPort, to input: JackPort, ping: [Float],
        recordedFrames: Int
    ) {
        state = Buffer(
            containing: PingState(
                client: client.handle, output: output.handle, input: input.handle,
                ping: Buffer(ping), recording: Buffer(count: recordedFrames, repeating: 0)))
        jack_set_process_callback(
            client.handle,
            { frames, context in
                // SAFETY: the context is the state above, which outlives the client.
                context?.assumingMemoryBound(to: PingState.self).pointee.process(frames)
                return 0
            }, state.start)
    }

    /// Begins a ping with the next cycle.
    func begin() {
        state[0].hasGap.store(false, ordering: .relaxed)
        state[0].phase.store(PingState.playing, ordering: .releasing)
    }

    /// Whether the whole answer is recorded.
    var isComplete: Bool { state[0].phase.load(ordering: .acquiring) == PingState.complete }

    /// The recorded answer; `nil` if a cycle was missed.
    var answer: [Float]? {
        guard !state[0].hasGap.load(ordering: .relaxed) else { return nil }
        return (0..<state[0].recording.count).map { state[0].recording[$0] }
    }
}
