/// A value that moves to its target along a straight line of fixed length and then equals the
/// target exactly.
///
/// The ramp advances frame by frame, so its values do not depend on how the frames are split into
/// blocks.
public struct Ramp: BitwiseCopyable, Sendable {
    /// The current value.
    public var value: Float { @_noLocks @inlinable @inline(__always) get { current } }
    @usableFromInline var current: Float
    /// The value at the end of the move.
    public var target: Float { @_noLocks @inlinable @inline(__always) get { goal } }
    @usableFromInline var goal: Float
    @usableFromInline var origin: Float
    @usableFromInline var framesLeft: Int32 = 0
    @usableFromInline let lengthFrames: Int32
    @usableFromInline let frameShare: Float

    /// Creates a ramp at rest.
    ///
    /// - Parameters:
    ///   - value: The initial value and target.
    ///   - lengthFrames: The length of each move, in frames, at least 1.
    public init(_ value: Float, lengthFrames: Int) {
        current = value
        goal = value
        origin = value
        self.lengthFrames = Int32(max(1, lengthFrames))
        frameShare = 1 / Float(max(1, lengthFrames))
    }

    /// Whether the value has reached its target.
    public var isResting: Bool { @_noLocks @inlinable @inline(__always) get { framesLeft == 0 } }

    /// The number of frames until the value reaches its target.
    public var restFrames: Int { @_noLocks @inlinable @inline(__always) get { Int(framesLeft) } }

    /// Starts a move from the current value to a new target, which it reaches within
    /// `lengthFrames`.
    @_noLocks @inlinable @inline(__always)
    public mutating func move(to newTarget: Float) {
        goal = newTarget
        origin = current
        framesLeft = current == newTarget ? 0 : lengthFrames
    }

    /// Sets the value to its target immediately.
    @_noLocks @inlinable @inline(__always)
    public mutating func snap() {
        current = goal
        framesLeft = 0
    }

    /// Sets the value and its target immediately.
    @_noLocks @inlinable @inline(__always)
    public mutating func snap(to newTarget: Float) {
        goal = newTarget
        snap()
    }

    /// Advances to the next frame and returns the value there.
    @_noLocks @inlinable @inline(__always)
    public mutating func next() -> Float {
        guard framesLeft > 0 else { return current }
        framesLeft -= 1
        // Calculated from both ends, not accumulated: there is no drift, and the last frame equals
        // the target exactly.
        current = framesLeft == 0 ? goal : goal + (origin - goal) * (Float(framesLeft) * frameShare)
        return current
    }
}
