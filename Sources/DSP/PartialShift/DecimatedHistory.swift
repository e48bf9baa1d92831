internal import CRealtime
internal import Realtime

/// The past of one channel at a fraction of the sample rate.
public struct DecimatedHistory: ~Copyable {
    /// A ring of points.
    private let ring: Buffer<Float>
    /// The newest frames of input.
    private let recent: Buffer<Float>
    /// The weights of the frames in a point, padded to a multiple of 16.
    private let weights: Buffer<Float>
    /// The number of frames per point.
    private let apart: Int
    private let stepFrames: Int
    private var position = 0

    /// Creates a silent history.
    ///
    /// - Parameters:
    ///   - apart: The number of frames per point, 1 or an even number.
    ///   - points: The length of the history in points, a power of two.
    ///   - stepFrames: The number of frames of a step, a multiple of `apart`.
    init(apart: Int, points: Int, stepFrames: Int) {
        self.apart = apart
        self.stepFrames = stepFrames
        // A sinc under a Hamming window, down 6 dB at half the new rate.
        let taps = 16 * apart - 1
        ring = Buffer(count: points, repeating: 0)
        recent = Buffer(count: stepFrames + 16 * apart, repeating: 0)
        weights = Buffer(count: 16 * apart, repeating: 0)
        guard apart > 1 else {
            weights[16 * apart - 1] = 1
            return
        }
        var sum = 0.0
        func weight(_ tap: Int) -> Double {
            let distance = Double(tap) - Double(taps - 1) / 2
            let angle = Double.pi * distance / Double(apart)
            let sinc = distance == 0 ? 1 : rt_sin(angle) / angle
            return sinc
                * (0.54 - 0.46 * rt_cos(2 * Double.pi * Double(tap) / Double(taps - 1)))
        }
        for tap in 0..<taps { sum += weight(tap) }
        // The first weight is 0, so that the newest frame has the last one.
        for tap in 0..<taps { weights[tap + 1] = Float(weight(tap) / sum) }
    }

    /// Restarts from silence.
    @_noLocks
    mutating func clear() {
        rt_clear(ring.start, Int64(ring.count))
        rt_clear(recent.start, Int64(recent.count))
        position = 0
    }

    /// Adds the frames of a step.
    @_noLocks
    mutating func push(_ frames: UnsafePointer<Float>) {
        let (recent, kept) = (recent.start, 16 * apart)
        rt_move(recent, recent + stepFrames, Int64(kept))
        rt_copy(recent + kept, frames, Int64(stepFrames))
        let count = stepFrames / apart
        for point in 0..<count {
            ring[position + point] = rt_sum_of_products(
                recent + (point + 1) * apart, weights.start, Int64(kept))
        }
        position = (position + count) & (ring.count - 1)
    }

    /// Writes the newest points times a window, rotated by half: phases refer to the window's
    /// middle.
    ///
    /// - Parameters:
    ///   - window: The window; its length is a power of two, at most that of the history.
    ///   - windowed: Room for as many points.
    @_noLocks
    func apply(_ window: borrowing Buffer<Float>, to windowed: UnsafeMutablePointer<Float>) {
        let (size, mask) = (window.count, ring.count - 1)
        let half = size / 2
        var point = 0
        while point < size {
            let from = (position + ring.count - size + point) & mask
            let to = (point + half) & (size - 1)
            rt_store(windowed + to, rt_load(ring.start + from) * rt_load(window.start + point))
            point &+= 4
        }
    }
}
