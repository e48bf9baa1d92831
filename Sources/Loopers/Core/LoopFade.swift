internal import Realtime

/// The crossfade of every seam, switch and punch of a looper.
///
/// In frame i of a fade of F frames, the new sound has the weight w(i) = 3p² - 2p³ with
/// p = (i + 1) / (F + 1), and the old sound has 1 - w(i). A sound that is the same on both sides
/// passes unchanged, and no weight moves by more than 1.5 / (F + 1) per frame.
struct LoopFade: ~Copyable {
    /// The number of frames of a fade.
    let frameCount: Int
    private let weights: Buffer<Float>

    /// Creates the fade of a sample rate: 5 ms, at least 64 frames.
    init(sampleRate: Double) {
        let count = max(64, Int((0.005 * sampleRate).rounded()))
        frameCount = count
        weights = Buffer(count: count) { frame in
            let p = Double(frame + 1) / Double(count + 1)
            return Float(p * p * (3 - 2 * p))
        }
    }

    /// The weight of the new sound in a frame from 0 to `frameCount` - 1.
    subscript(frame: Int) -> Float { @_noLocks get { weights[frame] } }

    /// Returns the weight after a number of frames of fading: 0 at 0 or less, 1 after the fade.
    @_noLocks
    func weight(after frames: Int) -> Float {
        frames <= 0 ? 0 : frames > frameCount ? 1 : weights[frames - 1]
    }
}
