/// A gain that moves to its target within a fixed time without any corner and then equals the
/// target exactly.
///
/// It follows a cubic Hermite curve that starts with the current slope and ends with slope 0. From
/// rest, the curve is the smoothstep 3p² - 2p³. When the target keeps moving, as with a knob, the
/// gain lags by two thirds of its length. A slope that would overshoot the target is limited at
/// once (the bound of Fritsch and Carlson 1980). The gain advances frame by frame, so its values do
/// not depend on how the frames are split into blocks.
public struct GainGlide: BitwiseCopyable, Sendable {
    /// The current gain.
    public private(set) var value: Float
    /// The gain at the end of the move.
    public private(set) var target: Float
    /// During a move, the gain is target + q² (bend + twist q), with q falling from 1 to 0.
    private var bend: Float = 0
    private var twist: Float = 0
    private var framesLeft: Int32 = 0
    private let lengthFrames: Int32
    private let frameShare: Float

    /// Creates a gain at rest.
    ///
    /// - Parameters:
    ///   - value: The initial gain and target.
    ///   - lengthFrames: The length of each move, in frames, at least 1.
    @_noLocks
    public init(_ value: Float, lengthFrames: Int) {
        self.value = value
        target = value
        self.lengthFrames = Int32(max(1, lengthFrames))
        frameShare = 1 / Float(max(1, lengthFrames))
    }

    /// Whether the gain has reached its target.
    public var isResting: Bool { @_noLocks @inline(__always) get { framesLeft == 0 } }

    /// Starts a move from the current gain to a new target, which it reaches after `lengthFrames`.
    @_noLocks
    public mutating func move(to newTarget: Float) {
        let q = Float(framesLeft) * frameShare
        // The amount that the current slope would add over a whole length.
        let slope = -q * (2 * bend + 3 * twist * q)
        let distance = newTarget - value
        let bound = 3 * distance
        let kept = bound > 0 ? min(max(slope, 0), bound) : max(min(slope, 0), bound)
        target = newTarget
        bend = kept - bound
        twist = 2 * distance - kept
        framesLeft = distance == 0 ? 0 : lengthFrames
    }

    /// Sets the gain to its target immediately.
    @_noLocks
    public mutating func snap() {
        value = target
        framesLeft = 0
    }

    /// Sets the gain and its target immediately.
    @_noLocks
    public mutating func snap(to newTarget: Float) {
        target = newTarget
        snap()
    }

    /// Advances to the next frame and returns the gain there.
    @_noLocks @inline(__always)
    public mutating func next() -> Float {
        guard framesLeft > 0 else { return value }
        framesLeft -= 1
        let q = Float(framesLeft) * frameShare
        // Calculated from the target, not accumulated: there is no drift, and the last frame equals
        // the target exactly.
        value = target + q * q * (bend + twist * q)
        return value
    }
}
