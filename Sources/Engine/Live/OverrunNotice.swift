/// Decides when the control side should hear of an overrun at once: at the second one within a
/// second, because then it may reduce a node before the third.
///
/// Further notices follow at most twelve times per second, since each of them wakes a thread while the
/// machine has no time to spare.
package struct OverrunNotice: BitwiseCopyable {
    /// The frames since the last overrun.
    private var quietFrames = Int.max / 2
    /// The frames until the next notice is allowed.
    private var pauseFrames = 0

    package init() {}

    /// Records a cycle.
    ///
    /// - Parameters:
    ///   - isOverrun: Whether it took longer than its period.
    ///   - frames: The number of frames in the cycle.
    ///   - sampleRate: In Hz.
    /// - Returns: Whether a notice is due.
    @_noLocks
    package mutating func isDue(isOverrun: Bool, frames: Int, sampleRate: Double) -> Bool {
        let second = Int(sampleRate)  // checked: the rate of an engine
        pauseFrames = max(0, pauseFrames - frames)
        guard isOverrun else {
            quietFrames = min(Int.max / 2, quietFrames + frames)
            return false
        }
        let isSecond = quietFrames < second
        quietFrames = 0
        guard isSecond, pauseFrames == 0 else { return false }
        pauseFrames = second / 12
        return true
    }
}
