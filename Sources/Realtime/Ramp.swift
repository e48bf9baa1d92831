/// A value that moves to its target along a straight line of fixed length, and then is exactly the
/// target.
///
/// It advances frame by frame, so what it gives does not depend on how the frames are split into
/// blocks.
public struct Ramp: BitwiseCopyable, Sendable {
    /// Where the ramp is now.
    public var value: Float { @_noLocks @inlinable @inline(__always) get { current } }
    @usableFromInline var current: Float
    /// Where it goes.
    public var target: Float { @_noLocks @inlinable @inline(__always) get { goal } }
    @usableFromInline var goal: Float
    @usableFromInline var origin: Float
    @usableFromInline var framesLeft: Int32 = 0
    @usableFromInline let lengthFrames: Int32
    @usableFromInline let frameShare: Float

    /// A ramp that rests at a value.
    ///
    /// - Parameters:
    ///   - value: Where it rests.
    ///   - lengthFrames: How long each move takes, at least 1.
    public init(_ value: Float, lengthFrames: Int) {
        current = value
        goal = value
        origin = value
        self.lengthFrames = Int32(max(1, lengthFrames))
        frameShare = 1 / Float(max(1, lengthFrames))
    }

    /// Whether the value has reached its target.
    public var isResting: Bool { @_noLocks @inlinable @inline(__always) get { framesLeft == 0 } }

    /// Frames until the value has reached its target.
    public var restFrames: Int { @_noLocks @inlinable @inline(__always) get { Int(framesLeft) } }

    /// Starts a move from where the value is to a new target; at most one length later it is there.
    @_noLocks @inlinable @inline(__always)
    public mutating func move(to newTarget: Float) {
        goal = newTarget
        origin = current
        framesLeft = current == newTarget ? 0 : lengthFrames
    }

    /// Puts the value at its target at once.
    @_noLocks @inlinable @inline(__always)
    public mutating func snap() {
        current = goal
        framesLeft = 0
    }

    /// Puts the value and its target at a new place at once.
    @_noLocks @inlinable @inline(__always)
    public mutating func snap(to newTarget: Float) {
        goal = newTarget
        snap()
    }

    /// Moves on by one frame and returns the value there.
    @_noLocks @inlinable @inline(__always)
    public mutating func next() -> Float {
        guard framesLeft > 0 else { return current }
        framesLeft -= 1
        // Computed from both ends, not summed up: no drift, and the last frame is the target to the
        // bit.
        current = framesLeft == 0 ? goal : goal + (origin - goal) * (Float(framesLeft) * frameShare)
        return current
    }
}
