/// A smooth ramp: a gain that moves between two values along a smoothstep, without a corner at
/// either end.
///
/// The curve is 3p² - 2p³, with p from 0 to 1. Its slope is zero at both ends, so the sidebands
/// that it adds to a sound fall off fast with frequency. The ramp advances frame by frame, so its
/// values do not depend on how the frames are split into blocks.
public struct SmoothRamp: BitwiseCopyable, Sendable {
    /// The current gain.
    public private(set) var value: Float
    /// The gain at the end of the move.
    public private(set) var target: Float
    private var origin: Float
    /// The slope at the start of the move, per length of the move.
    private var slope: Float = 0
    private var position = Ramp(1, lengthFrames: 1)

    /// Creates a gain at rest.
    @_noLocks
    public init(_ value: Float) {
        self.value = value
        target = value
        origin = value
    }

    /// Whether the gain has reached its target.
    public var isResting: Bool { @_noLocks get { position.isResting } }

    /// The number of frames until the gain reaches its target.
    public var framesLeft: Int { @_noLocks get { position.restFrames } }

    /// Starts a move from the current gain; `frames` is its length.
    @_noLocks
    public mutating func move(to newTarget: Float, frames: Int32) {
        origin = value
        target = newTarget
        slope = 0
        position = Ramp(0, lengthFrames: Int(frames))
        position.move(to: 1)
    }

    /// Starts a move from the current gain that continues with the current slope, so that many
    /// short steps become one even move.
    ///
    /// At rest, it is the same as `move`. The gain does not pass the target.
    @_noLocks
    public mutating func glide(to newTarget: Float, frames: Int32) {
        let current = currentSlope * Float(frames)
        move(to: newTarget, frames: frames)
        let bound = 3 * (target - origin)
        slope = bound > 0 ? min(max(current, 0), bound) : max(min(current, 0), bound)
    }

    /// The change of the gain per frame.
    private var currentSlope: Float {
        @_noLocks get {
            guard !position.isResting else { return 0 }
            let p = position.value
            let perMove =
                (target - origin) * (6 * p * (1 - p)) + slope * ((1 - p) * (1 - 3 * p))
            return perMove * position.frameShare
        }
    }

    /// Starts a move from a given gain; `frames` is its length.
    @_noLocks
    public mutating func move(from newOrigin: Float, to newTarget: Float, frames: Int32) {
        value = newOrigin
        move(to: newTarget, frames: frames)
    }

    /// Advances to the next frame and returns the gain there.
    @_noLocks
    public mutating func next() -> Float {
        guard !position.isResting else { return value }
        let p = position.next()
        value = position.isResting ? target : origin + (target - origin) * (p * p * (3 - 2 * p))
        if slope != 0, !position.isResting { value += slope * (p * (1 - p) * (1 - p)) }
        return value
    }
}
