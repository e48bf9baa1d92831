/// How far an overdub has faded in.
struct Punch: BitwiseCopyable {
    /// The number of frames of the fade, from 0 to one more than its length.
    var frames = 0
    /// The share of the old sound that remains.
    var feedback: Float = 1

    /// Returns the punch after a number of frames of fading out.
    @_noLocks
    func after(_ count: Int) -> Punch { Punch(frames: frames - count, feedback: feedback) }
}
