/// A gain that moves to its target within a fixed time without a corner anywhere, and then is exactly the target.
///
/// It follows a cubic (Hermite's) that begins with the slope that it has and ends with none. Moved from rest that is the
/// smooth step 3p² - 2p³; moved again and again, as by a knob, it follows two thirds of its time behind. A slope that would
/// carry it past its target is bent at once instead (the bound of Fritsch and Carlson 1980), so that it never overshoots.
/// It advances frame by frame, so what it gives does not depend on how the frames are split into blocks.
public struct GainGlide: BitwiseCopyable, Sendable {
    /// Where the gain is now.
    public private(set) var value: Float
    /// Where it goes.
    public private(set) var target: Float
    /// On the way it is the target and q² (bend + twist q), q falling from 1 to 0.
    private var bend: Float = 0
    private var twist: Float = 0
    private var framesLeft: Int32 = 0
    private let lengthFrames: Int32
    private let frameShare: Float

    /// A gain that rests at a value.
    ///
    /// - Parameters:
    ///   - value: Where it rests.
    ///   - lengthFrames: How long each move takes, at least 1.
    @_noLocks
    public init(_ value: Float, lengthFrames: Int) {
        self.value = value
        target = value
        self.lengthFrames = Int32(max(1, lengthFrames))
        frameShare = 1 / Float(max(1, lengthFrames))
    }

    /// Whether the gain has reached its target.
    public var isResting: Bool { @_noLocks @inline(__always) get { framesLeft == 0 } }

    /// Starts a move from where the gain is to a new target; one length later it is there.
    @_noLocks
    public mutating func move(to newTarget: Float) {
        let q = Float(framesLeft) * frameShare
        // What the present move would add in a whole length.
        let slope = -q * (2 * bend + 3 * twist * q)
        let distance = newTarget - value
        let bound = 3 * distance
        let kept = bound > 0 ? min(max(slope, 0), bound) : max(min(slope, 0), bound)
        target = newTarget
        bend = kept - bound
        twist = 2 * distance - kept
        framesLeft = distance == 0 ? 0 : lengthFrames
    }

    /// Puts the gain at its target at once.
    @_noLocks
    public mutating func snap() {
        value = target
        framesLeft = 0
    }

    /// Puts the gain and its target at a new place at once.
    @_noLocks
    public mutating func snap(to newTarget: Float) {
        target = newTarget
        snap()
    }

    /// Moves on by one frame and returns the gain there.
    @_noLocks @inline(__always)
    public mutating func next() -> Float {
        guard framesLeft > 0 else { return value }
        framesLeft -= 1
        let q = Float(framesLeft) * frameShare
        // From the target, not summed up: no drift, and the last frame is the target to the bit.
        value = target + q * q * (bend + twist * q)
        return value
    }
}
