/// A gain that moves between two values along a raised half of a smooth step, without a corner at
/// either end.
///
/// The curve is 3p² - 2p³, p running from 0 to 1: its slope is zero at both ends, so that what it
/// adds to a sound falls off fast with frequency. It advances frame by frame, so that what it gives
/// does not depend on how the frames are split.
public struct Swell: BitwiseCopyable, Sendable {
    /// Where it is.
    public private(set) var value: Float
    /// Where it goes.
    public private(set) var target: Float
    private var origin: Float
    private var position = Ramp(1, lengthFrames: 1)

    /// A gain that rests.
    @_noLocks
    public init(_ value: Float) {
        self.value = value
        target = value
        origin = value
    }

    /// Whether it has arrived.
    public var isResting: Bool { @_noLocks get { position.isResting } }

    /// Frames until it has arrived.
    public var framesLeft: Int { @_noLocks get { position.restFrames } }

    /// Starts a move from where it is.
    @_noLocks
    public mutating func move(to newTarget: Float, frames: Int32) {
        origin = value
        target = newTarget
        position = Ramp(0, lengthFrames: Int(frames))
        position.move(to: 1)
    }

    /// Starts a move from a given value.
    @_noLocks
    public mutating func move(from newOrigin: Float, to newTarget: Float, frames: Int32) {
        value = newOrigin
        move(to: newTarget, frames: frames)
    }

    /// The gain at the next frame.
    @_noLocks
    public mutating func next() -> Float {
        guard !position.isResting else { return value }
        let p = position.next()
        value = position.isResting ? target : origin + (target - origin) * (p * p * (3 - 2 * p))
        return value
    }
}
