/// A state of the loop to which undo and redo can return.
struct LoopLayer: BitwiseCopyable {
    /// The number of frames; 0 while the layer is being recorded.
    var lengthFrames = 0
    /// The time from one start of the loop to the next, in frames.
    ///
    /// It is a fraction if the loop is a number of beats. Playback then begins each cycle at the
    /// frame nearest to its beat, so cycles differ by at most one frame and never drift.
    var periodFrames = 0.0
    /// Whether the layer began as a copy of the one below, and may share pages with it.
    var isDerived = false
    /// Distinguishes the layers that have had the same number.
    var generation: UInt32 = 0
}
