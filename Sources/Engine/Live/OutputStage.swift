internal import CRealtime
internal import Pipelines
internal import Realtime

/// The channels of one output of the engine.
struct OutputChannelGroup: BitwiseCopyable {
    let slots: UnsafeMutablePointer<Int32>
    let channelCount: Int
    let hasLimiter: Bool
}

extension EnginePorts {
    /// Returns the audio outputs in a form for the audio thread.
    func outputChannelGroups(arena: Arena) -> [OutputChannelGroup] {
        outputs.filter { $0.kind == .audio }.map { output in
            OutputChannelGroup(
                slots: arena.copy(output.slots.map { Int32($0) }), channelCount: output.slots.count,
                hasLimiter: output.hasLimiter)
        }
    }
}

/// The output stage: master gain, mute, fades, and a limiter for each output.
///
/// Its parts are behind pointers, so that the core can store the output stage as a constant.
struct OutputStage: BitwiseCopyable {
    /// The buffers of this piece, indexed by output slot; filled before `finish`.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Room for the gains of one piece, one per frame.
    let gains: UnsafeMutablePointer<Float>
    /// One limiter per output, at the slot of the output's first channel.
    let limiters: UnsafeMutablePointer<Limiter>
    private let gathered: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let state: UnsafeMutablePointer<State>
    /// The moves of levels in this piece, ordered by frame.
    private let moves: UnsafeMutablePointer<Move>

    /// A level that begins to move at a frame of a piece.
    private struct Move: BitwiseCopyable {
        enum Level: BitwiseCopyable { case mute, master }

        let level: Level
        let target: Float
        /// The duration of the move.
        let frames: Int32
        let frame: Int32
    }

    /// The maximum number of moves in a piece: each change of a binding is one, and so is each
    /// command.
    private static var mostMoves: Int { @_noLocks get { Int(RTBindings.capacity) + 4096 } }

    /// The levels that apply to all outputs.
    private struct State: BitwiseCopyable {
        var fade = SmoothRamp(1)
        var mute = SmoothRamp(1)
        var silence = SmoothRamp(1)
        var master = SmoothRamp(1)
        var awaitsFade = false
        var awaitsSilence = false
        var moveCount = 0

        /// Whether all levels are constant.
        var isResting: Bool {
            @_noLocks get {
                moveCount == 0 && fade.isResting && mute.isResting && silence.isResting
                    && master.isResting
            }
        }

        /// The total gain while all levels are constant.
        var gain: Float {
            @_noLocks get { fade.value * mute.value * silence.value * master.value }
        }
    }

    init(_ rate: RateFigures, maximumFrames: Int, arena: Arena) {
        gains = arena.samples(maximumFrames)
        channels = arena.allocate(EnginePorts.maximumChannels, gains)
        gathered = arena.allocate(EnginePorts.maximumChannels, gains)
        limiters = arena.allocate(EnginePorts.maximumChannels, Limiter(rate.limiter))
        state = arena.allocate(1, State())
        moves = arena.allocate(
            Self.mostMoves, Move(level: .master, target: 1, frames: 1, frame: 0))
    }

    /// Starts a fade from the current level; a fade of 0 frames takes effect at once.
    @_noLocks
    func fade(to target: Float, frames: Int32) {
        if frames > 0 {
            state.pointee.fade.move(to: target, frames: frames)
        } else {
            state.pointee.fade = SmoothRamp(target)
        }
        state.pointee.awaitsFade = target == 0
    }

    /// Mutes or unmutes all outputs.
    ///
    /// - Parameters:
    ///   - isOn: Whether the outputs become silent.
    ///   - frames: The duration of the move.
    ///   - frame: The frame of this piece at which it begins; calls are in the order of frames.
    @_noLocks
    func mute(_ isOn: Bool, frames: Int32, from frame: Int32) {
        add(Move(level: .mute, target: isOn ? 0 : 1, frames: max(1, frames), frame: frame))
    }

    /// Moves the master gain, an amplitude factor; the other parameters are those of `mute`.
    @_noLocks
    func setMaster(_ gain: Float, frames: Int32, from frame: Int32) {
        add(Move(level: .master, target: gain, frames: max(1, frames), frame: frame))
    }

    @_noLocks
    private func add(_ move: Move) {
        guard state.pointee.moveCount < Self.mostMoves else { return start(move) }
        moves[state.pointee.moveCount] = move
        state.pointee.moveCount += 1
    }

    @_noLocks
    private func start(_ move: Move) {
        switch move.level {
        case .mute: state.pointee.mute.move(to: move.target, frames: move.frames)
        // A pedal sends many small steps.
        case .master: state.pointee.master.glide(to: move.target, frames: move.frames)
        }
    }

    /// Silences the outputs, or ends the silence.
    @_noLocks
    func silence(_ isOn: Bool, frames: Int32) {
        state.pointee.silence.move(to: isOn ? 0 : 1, frames: max(1, frames))
        state.pointee.awaitsSilence = isOn
    }

    /// Continues at the sample rate of another schedule; a running fade keeps its duration in
    /// frames.
    @_noLocks
    func follow(_ core: ScheduleCore) {
        for index in 0..<core.groupCount {
            limiters[Int(core.groups[index].slots[0])].follow(core.rate.limiter)
        }
    }

    /// Sets the level to silence at once, for a start with a fade-in.
    func startSilent() { state.pointee.fade = SmoothRamp(0) }

    /// Sets mute and master gain at once, before the first frame.
    func start(isMuted: Bool, masterGain: Float) {
        state.pointee.mute = SmoothRamp(isMuted ? 0 : 1)
        state.pointee.master = SmoothRamp(masterGain)
    }

    /// Returns whether a fade-out has just ended.
    @_noLocks
    func popFade() -> Bool {
        guard state.pointee.awaitsFade, state.pointee.fade.isResting else { return false }
        state.pointee.awaitsFade = false
        return true
    }

    /// Returns whether the outputs have just become silent after `silence`.
    @_noLocks
    func popSilence() -> Bool {
        guard state.pointee.awaitsSilence, state.pointee.silence.isResting else { return false }
        state.pointee.awaitsSilence = false
        return true
    }

    /// Applies the levels and the limiters to a piece, in place.
    @_noLocks
    func finish(_ schedule: PlayingSchedule, _ frames: Int) {
        let level = nextLevel(frames)
        for index in 0..<schedule.core.pointee.groupCount {
            let group = schedule.core.pointee.groups[index]
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

    /// How the level behaves during a piece.
    private enum Level: BitwiseCopyable {
        case full, none, constant(Float)
        /// The level follows `gains`, frame by frame.
        case moving
    }

    @_noLocks
    private func nextLevel(_ frames: Int) -> Level {
        if state.pointee.isResting {
            let gain = state.pointee.gain
            return gain == 1 ? .full : gain == 0 ? .none : .constant(gain)
        }
        var next = 0
        for frame in 0..<frames {
            while next < state.pointee.moveCount, Int(moves[next].frame) <= frame {
                start(moves[next])
                next += 1
            }
            gains[frame] =
                state.pointee.fade.next() * state.pointee.mute.next()
                * state.pointee.silence.next() * state.pointee.master.next()
        }
        state.pointee.moveCount = 0
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
