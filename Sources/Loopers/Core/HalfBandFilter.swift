internal import CRealtime
internal import Realtime

/// The filter with which a looper doubles or halves the number of frames.
///
/// A windowed sinc of 24 weights on each side of the centre, with zeros at every second frame: the
/// same weights interpolate half-way between two frames, and limit a sound to half of its band.
struct HalfBandFilter: ~Copyable {
    /// The number of weights on each side that are not 0.
    static var weightCount: Int { @_noLocks get { 12 } }
    /// The number of frames before and after the centre that the filter reads.
    static var reachFrames: Int { @_noLocks get { 2 * weightCount } }
    private let weights: Buffer<Float>

    init() {
        let count = Self.weightCount
        let raw = (0..<count).map { index in
            let odd = Double(2 * index + 1)
            let window = rt_cos(.pi * odd / Double(4 * count))
            return (index % 2 == 0 ? 1 : -1) * 2 / (.pi * odd) * window * window
        }
        // The sum over both sides is 1, so that a constant passes unchanged.
        let sum = 2 * raw.reduce(0, +)
        weights = Buffer(raw.map { Float($0 / sum) })
    }

    /// The weight of the frames at a distance of `index` + 1/2 (interpolation) or, halved, at
    /// 2 · `index` + 1 (band limit).
    subscript(index: Int) -> Float { @_noLocks get { weights[index] } }
}
