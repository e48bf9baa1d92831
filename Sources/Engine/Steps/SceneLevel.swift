internal import Pipelines
internal import Realtime

/// The level that the scenes of a song move, where the signals of the song reach its outputs or the
/// outer level.
///
/// A move proceeds in dB. It depends only on the number of frames since its start, not on the sizes
/// of the pieces.
struct SceneLevel: BitwiseCopyable {
    /// The time of a change without a time of its own, and of each step of a longer move.
    private static var stepSeconds: Float { @_noLocks get { 0.02 } }
    /// The distance of two steps of a move, in frames.
    private static var gridFrames: UInt64 { @_noLocks get { 64 } }

    /// The level of each frame of the current piece, an amplitude factor; only valid while
    /// `constant` is negative.
    let gains: UnsafeMutablePointer<Float>
    /// The level of all frames of the current piece; negative if it moves.
    private(set) var constant: Float = 1
    /// The gain at the end of the move, in dB.
    private(set) var targetDecibels: Float = 0
    /// Identifies the scene that the level belongs to; 0 for none.
    private(set) var sceneKey: UInt64 = 0
    private var ramp = SmoothRamp(1)
    private var move: FadingValue
    /// The frames since the start of the move; the length of the move if it is over.
    private var elapsedFrames: UInt64 = 0
    /// The number of frames of the current piece that have their level.
    private var filledFrames = 0
    private var stepFrames: Int32 = 1

    /// Creates a level of 0 dB, with room for the levels of a piece.
    init(gains: UnsafeMutablePointer<Float>) {
        self.gains = gains
        move = FadingValue(
            Fade(ofDecibels: FadeManner(seconds: 0)), from: 0, to: 0, frames: 0)
    }

    /// Sets the level at once, for a schedule that has not played yet.
    mutating func start(atDecibels decibels: Float, sceneKey: UInt64) {
        settle(at: decibels, Fade(ofDecibels: FadeManner(seconds: 0)), sceneKey: sceneKey)
    }

    /// Sets the level at once while no signal has it.
    @_noLocks
    mutating func settle(at decibels: Float, _ fade: Fade, sceneKey key: UInt64) {
        (targetDecibels, sceneKey) = (decibels, key)
        ramp = SmoothRamp(Self.amplitude(decibels))
        move = FadingValue(fade, from: decibels, to: decibels, frames: 0)
        elapsedFrames = 0
    }

    /// Continues as another level, which may be in a move.
    @_noLocks
    mutating func follow(_ other: UnsafePointer<SceneLevel>) {
        targetDecibels = other.pointee.targetDecibels
        sceneKey = other.pointee.sceneKey
        ramp = other.pointee.ramp
        (move, elapsedFrames) = (other.pointee.move, other.pointee.elapsedFrames)
        stepFrames = other.pointee.stepFrames
    }

    /// Starts a move at a frame of the current piece.
    ///
    /// - Parameters:
    ///   - decibels: The gain at the end.
    ///   - fade: The time and the curve.
    ///   - key: Identifies the scene.
    ///   - frame: The frame in the piece; calls are in the order of frames.
    ///   - rate: The figures of the sample rate.
    @_noLocks
    mutating func begin(
        _ decibels: Float, _ fade: Fade, sceneKey key: UInt64, at frame: Int, _ rate: RateFigures
    ) {
        fill(upTo: frame)
        let origin = move.value(atFrame: elapsedFrames)
        sceneKey = key
        targetDecibels = decibels
        stepFrames = max(1, rate.frames(seconds: Self.stepSeconds))
        let frames = fade.frames(sampleRate: rate.sampleRate)
        move = FadingValue(fade, from: origin, to: decibels, frames: frames)
        elapsedFrames = 0
        if frames == 0 { ramp.glide(to: Self.amplitude(decibels), frames: stepFrames) }
    }

    /// Completes the levels of a piece; `constant` and `gains` are valid until the next call.
    @_noLocks
    mutating func advance(_ frames: Int) {
        let isConstant = filledFrames == 0 && ramp.isResting && isOver
        fill(upTo: frames)
        filledFrames = 0
        constant = isConstant ? ramp.value : -1
    }

    private var isOver: Bool { @_noLocks get { elapsedFrames >= move.frames } }

    @_noLocks
    private mutating func fill(upTo end: Int) {
        if ramp.isResting, isOver {
            let value = ramp.value
            while filledFrames < end {
                gains[filledFrames] = value
                filledFrames += 1
            }
            return
        }
        while filledFrames < end {
            if !isOver {
                elapsedFrames += 1
                if elapsedFrames % Self.gridFrames == 0 || isOver {
                    let value = move.value(atFrame: elapsedFrames)
                    ramp.glide(to: Self.amplitude(value), frames: stepFrames)
                }
            }
            gains[filledFrames] = ramp.next()
            filledFrames += 1
        }
    }

    @_noLocks
    private static func amplitude(_ decibels: Float) -> Float {
        Float(Decibels(Double(decibels)).amplitude)
    }
}

/// The levels of a schedule.
///
/// They follow the scenes also while no signal has them, so that an edit can begin to use them.
struct SceneLevels: BitwiseCopyable {
    /// The level of the song, and the level of the song before it within the same outer level.
    let own: UnsafeMutablePointer<SceneLevel>
    let former: UnsafeMutablePointer<SceneLevel>
    /// Whether a signal has one of the levels.
    let areUsed: Bool

    /// Completes the levels of a piece.
    @_noLocks
    func advance(_ frames: Int) {
        guard areUsed else { return }
        own.pointee.advance(frames)
        former.pointee.advance(frames)
    }

    /// Starts a move of the level of the song at a frame of the current piece.
    ///
    /// The parameters are those of `SceneLevel.begin`.
    @_noLocks
    func begin(
        _ decibels: Float, _ fade: Fade, sceneKey: UInt64, at frame: Int, _ rate: RateFigures
    ) {
        guard areUsed else {
            return own.pointee.settle(at: decibels, fade, sceneKey: sceneKey)
        }
        own.pointee.begin(decibels, fade, sceneKey: sceneKey, at: frame, rate)
    }

    /// Continues with the levels of the schedule before, of the same song.
    @_noLocks
    func follow(_ others: SceneLevels) {
        own.pointee.follow(others.own)
        former.pointee.follow(others.former)
    }

    /// Lets the signals of the song before continue with its level.
    @_noLocks
    func followSong(_ others: SceneLevels) { former.pointee.follow(others.own) }
}
