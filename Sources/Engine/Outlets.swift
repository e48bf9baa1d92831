internal import CRealtime

/// The last stage before the outside: fade in and out, and a limiter for each output.
///
/// Its parts stand behind pointers, so that the core can hold it as a constant.
struct Outlets: BitwiseCopyable {
    /// The channels of one output.
    struct Group: BitwiseCopyable {
        let firstChannel: Int
        let channelCount: Int
        let hasLimiter: Bool
        var limiter: Limiter
    }

    /// Where this piece of each outside channel is; filled before `finish`.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let groups: UnsafeMutablePointer<Group>
    let groupCount: Int
    /// Room for the gains of one piece.
    let gains: UnsafeMutablePointer<Float>
    private let level: UnsafeMutablePointer<Swell>
    private let isAwaitingSilence: UnsafeMutablePointer<Bool>

    init(
        _ outputs: [Schedule.OutputGroup], _ rate: RateFigures, maximumFrames: Int, arena: Arena
    ) {
        var first = 0
        let groups = outputs.map { output in
            defer { first += output.channels }
            return Group(
                firstChannel: first, channelCount: output.channels, hasLimiter: output.hasLimiter,
                limiter: Limiter(rate.limiter))
        }
        gains = arena.samples(maximumFrames)
        self.groups = arena.copy(groups)
        groupCount = groups.count
        channelCount = first
        channels = arena.allocate(first, gains)
        level = arena.allocate(1, Swell(1))
        isAwaitingSilence = arena.allocate(1, false)
    }

    /// Starts a fade from where the level is.
    @_noLocks
    func fade(to target: Float, frames: Int32) {
        // A fade in that starts the show starts from silence.
        level.pointee.move(to: target, frames: max(1, frames))
        isAwaitingSilence.pointee = target == 0
    }

    /// Goes on at another sample rate; a fade under way keeps its length in frames.
    @_noLocks
    func follow(_ rate: RateFigures) {
        for place in 0..<groupCount { groups[place].limiter.follow(rate.limiter) }
    }

    /// Puts the level at silence at once, for a start that fades in.
    func silence() { level.pointee = Swell(0) }

    /// Whether a fade out has just ended.
    @_noLocks
    func tookSilence() -> Bool {
        guard isAwaitingSilence.pointee, level.pointee.isResting else { return false }
        isAwaitingSilence.pointee = false
        return true
    }

    /// Fades and limits a piece in place.
    @_noLocks
    func finish(_ frames: Int) {
        applyLevel(frames)
        for place in 0..<groupCount {
            let first = channels + groups[place].firstChannel
            let count = groups[place].channelCount
            for channel in 0..<count where !rt_is_finite(first[channel], Int64(frames)) {
                rt_clear(first[channel], Int64(frames))
            }
            guard groups[place].hasLimiter else { continue }
            groups[place].limiter.run(first, count: count, frames: frames)
        }
    }

    @_noLocks
    private func applyLevel(_ frames: Int) {
        if level.pointee.isResting {
            guard level.pointee.value != 1 else { return }
            for channel in 0..<channelCount { rt_clear(channels[channel], Int64(frames)) }
            return
        }
        for frame in 0..<frames { gains[frame] = level.pointee.next() }
        for channel in 0..<channelCount {
            for frame in 0..<frames { channels[channel][frame] *= gains[frame] }
        }
    }
}
