internal import CRealtime
internal import Pipelines
internal import Realtime

/// The channels of one output of the engine.
struct OutletGroup: BitwiseCopyable {
    let slots: UnsafeMutablePointer<Int32>
    let channelCount: Int
    let hasLimiter: Bool
}

extension Outside {
    /// Its audio outputs, for the audio thread.
    func outletGroups(arena: Arena) -> [OutletGroup] {
        outputs.filter { $0.kind == .audio }.map { output in
            OutletGroup(
                slots: arena.copy(output.slots.map { Int32($0) }), channelCount: output.slots.count,
                hasLimiter: output.hasLimiter)
        }
    }
}

/// The last stage before the outside: the night's gain and mute, fade in and out, and a limiter for each output.
///
/// Its parts stand behind pointers, so that the core can hold it as a constant.
struct Outlets: BitwiseCopyable {
    /// Where this piece of each outside channel is, by slot; filled before `finish`.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Room for the gains of one piece.
    let gains: UnsafeMutablePointer<Float>
    /// A limiter for each output, at its first channel's slot.
    let limiters: UnsafeMutablePointer<Limiter>
    private let gathered: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let state: UnsafeMutablePointer<State>

    /// What is done to all outputs alike.
    private struct State: BitwiseCopyable {
        var fade = Swell(1)
        var mute = Swell(1)
        var silence = Swell(1)
        var master = Swell(1)
        var awaitsFade = false
        var awaitsSilence = false

        /// Whether nothing moves.
        var isResting: Bool {
            @_noLocks get {
                fade.isResting && mute.isResting && silence.isResting && master.isResting
            }
        }

        /// The gain where nothing moves.
        var gain: Float {
            @_noLocks get { fade.value * mute.value * silence.value * master.value }
        }
    }

    init(_ rate: RateFigures, maximumFrames: Int, arena: Arena) {
        gains = arena.samples(maximumFrames)
        channels = arena.allocate(Outside.mostChannels, gains)
        gathered = arena.allocate(Outside.mostChannels, gains)
        limiters = arena.allocate(Outside.mostChannels, Limiter(rate.limiter))
        state = arena.allocate(1, State())
    }

    /// Starts a fade from where the level is; one of no frames is over at once.
    @_noLocks
    func fade(to target: Float, frames: Int32) {
        if frames > 0 {
            state.pointee.fade.move(to: target, frames: frames)
        } else {
            state.pointee.fade = Swell(target)
        }
        state.pointee.awaitsFade = target == 0
    }

    @_noLocks
    func mute(_ isOn: Bool, frames: Int32) {
        state.pointee.mute.move(to: isOn ? 0 : 1, frames: max(1, frames))
    }

    @_noLocks
    func setMaster(_ gain: Float, frames: Int32) {
        state.pointee.master.move(to: gain, frames: max(1, frames))
    }

    /// Lets nothing through any more, or again.
    @_noLocks
    func silence(_ isOn: Bool, frames: Int32) {
        state.pointee.silence.move(to: isOn ? 0 : 1, frames: max(1, frames))
        state.pointee.awaitsSilence = isOn
    }

    /// Goes on at another sample rate; a fade under way keeps its length in frames.
    @_noLocks
    func follow(_ core: ScheduleCore) {
        for place in 0..<core.groupCount {
            limiters[Int(core.groups[place].slots[0])].follow(core.rate.limiter)
        }
    }

    /// Puts the level at silence at once, for a start that fades in.
    func startSilent() { state.pointee.fade = Swell(0) }

    /// Puts what belongs to the night where it is at once, before anything is played.
    func start(isMuted: Bool, masterGain: Float) {
        state.pointee.mute = Swell(isMuted ? 0 : 1)
        state.pointee.master = Swell(masterGain)
    }

    /// Whether a fade out has just ended.
    @_noLocks
    func tookFade() -> Bool {
        guard state.pointee.awaitsFade, state.pointee.fade.isResting else { return false }
        state.pointee.awaitsFade = false
        return true
    }

    /// Whether `silence` has just got there.
    @_noLocks
    func tookSilence() -> Bool {
        guard state.pointee.awaitsSilence, state.pointee.silence.isResting else { return false }
        state.pointee.awaitsSilence = false
        return true
    }

    /// Fades and limits a piece in place.
    @_noLocks
    func finish(_ core: ScheduleCore, _ frames: Int) {
        let level = takeLevel(frames)
        for place in 0..<core.groupCount {
            let group = core.groups[place]
            for channel in 0..<group.channelCount {
                let samples = channels[Int(group.slots[channel])]
                gathered[channel] = samples
                apply(level, samples, frames)
                if !rt_is_finite(samples, Int64(frames)) { rt_clear(samples, Int64(frames)) }
            }
            guard group.hasLimiter else { continue }
            limiters[Int(group.slots[0])].run(gathered, count: group.channelCount, frames: frames)
        }
    }

    /// What the level does in a piece.
    private enum Level: BitwiseCopyable {
        case full, none, constant(Float)
        /// By the gains of the piece.
        case moving
    }

    @_noLocks
    private func takeLevel(_ frames: Int) -> Level {
        if state.pointee.isResting {
            let gain = state.pointee.gain
            return gain == 1 ? .full : gain == 0 ? .none : .constant(gain)
        }
        for frame in 0..<frames {
            gains[frame] =
                state.pointee.fade.next() * state.pointee.mute.next()
                * state.pointee.silence.next() * state.pointee.master.next()
        }
        return .moving
    }

    @_noLocks
    private func apply(_ level: Level, _ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        switch level {
        case .full: break
        case .none: rt_clear(samples, Int64(frames))
        case .constant(let gain): for frame in 0..<frames { samples[frame] *= gain }
        case .moving: for frame in 0..<frames { samples[frame] *= gains[frame] }
        }
    }
}
