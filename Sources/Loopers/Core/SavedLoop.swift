/// A layer that is being saved.
package struct SavedLoop: BitwiseCopyable {
    let voice: LoopVoice
    let generation: UInt32
    let chain: UInt32
    /// The number of frames.
    package let frameCount: Int
}
