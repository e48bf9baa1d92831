internal import Realtime

/// A gain that moves between two values along a raised half of a smooth step, without a corner at
/// either end.
///
/// The curve is 3p² - 2p³, p running from 0 to 1: its slope is zero at both ends, so that what it
/// adds to a sound falls off fast with frequency. It advances frame by frame, so that what it gives
/// does not depend on how the frames are split.
struct Swell: BitwiseCopyable {
    private(set) var value: Float
    private(set) var target: Float
    private var origin: Float
    private var position = Ramp(1, lengthFrames: 1)

    init(_ value: Float) {
        self.value = value
        target = value
        origin = value
    }

    /// Whether it has arrived.
    var isResting: Bool { @_noLocks get { position.isResting } }

    /// Starts a move from where it is.
    @_noLocks
    mutating func move(to newTarget: Float, frames: Int32) {
        origin = value
        target = newTarget
        position = Ramp(0, lengthFrames: Int(frames))
        position.move(to: 1)
    }

    /// Starts a move from a given value.
    @_noLocks
    mutating func move(from newOrigin: Float, to newTarget: Float, frames: Int32) {
        value = newOrigin
        move(to: newTarget, frames: frames)
    }

    /// The gain at the next frame.
    @_noLocks
    mutating func next() -> Float {
        guard !position.isResting else { return value }
        let p = position.next()
        value = position.isResting ? target : origin + (target - origin) * (p * p * (3 - 2 * p))
        return value
    }
}
