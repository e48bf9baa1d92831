internal import CRealtime
internal import Realtime

/// The lowest eighth of a channel's spectrum as a decimated signal of eight points per step, twice
/// as long as the transform.
public struct LowBand: ~Copyable {
    /// A ring of points.
    private let ring: Buffer<Float>
    /// The newest frames of input.
    private let recent: Buffer<Float>
    /// The weights of the frames in a point.
    private let weights: Buffer<Float>
    private let stepFrames: Int
    private var position = 0

    /// The number of points in the ring, and of those that each step adds.
    public static var points: Int { @_noLocks get { 1024 } }
    private static var pointsPerStep: Int { @_noLocks get { 8 } }

    /// Creates a band of silence.
    public init(_ lengths: ShiftLengths) {
        stepFrames = lengths.stepFrames
        ring = Buffer(count: LowBand.points, repeating: 0)
        recent = Buffer(count: 2 * stepFrames, repeating: 0)
        weights = Buffer(count: stepFrames, repeating: 0)
        // A sinc under a Hann window.
        for frame in 0..<stepFrames {
            let distance = Double(frame) + 0.5 - Double(stepFrames) / 2
            let angle = Double.pi * Double(LowBand.pointsPerStep) * distance / Double(stepFrames)
            let window = 0.5 + 0.5 * rt_cos(2 * Double.pi * distance / Double(stepFrames))
            weights[frame] = Float(rt_sin(angle) / angle * window)
        }
    }

    /// Restarts from silence.
    @_noLocks
    public mutating func clear() {
        rt_clear(ring.start, Int64(LowBand.points))
        rt_clear(recent.start, Int64(2 * stepFrames))
        position = 0
    }

    /// Adds the frames of a step.
    @_noLocks
    public mutating func push(_ frames: UnsafePointer<Float>) {
        let (recent, ring) = (recent.start, ring.start)
        rt_copy(recent, recent + stepFrames, Int64(stepFrames))
        rt_copy(recent + stepFrames, frames, Int64(stepFrames))
        let apart = stepFrames / LowBand.pointsPerStep
        for point in 0..<LowBand.pointsPerStep {
            ring[position + point] = weigh(recent + (point + 1) * apart)
        }
        position = (position + LowBand.pointsPerStep) % LowBand.points
    }

    @_noLocks
    private func weigh(_ frames: UnsafePointer<Float>) -> Float {
        let weights = weights.start
        var sum = SIMD8<Float>.zero
        for frame in stride(from: 0, to: stepFrames, by: 8) {
            sum += lanes(frames + frame) * lanes(weights + frame)
        }
        return sum.sum()
    }

    /// Writes the points times a window, oldest first.
    @_noLocks
    public func apply(
        _ window: UnsafePointer<Float>, to windowed: UnsafeMutablePointer<Float>
    ) {
        let ring = ring.start
        let behind = LowBand.points - position
        for point in stride(from: 0, to: behind, by: 8) {
            store(lanes(ring + position + point) * lanes(window + point), windowed + point)
        }
        for point in stride(from: behind, to: LowBand.points, by: 8) {
            store(lanes(ring - behind + point) * lanes(window + point), windowed + point)
        }
    }

    @_noLocks @inline(__always)
    private func lanes(_ address: UnsafePointer<Float>) -> SIMD8<Float> {
        UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
    }

    @_noLocks @inline(__always)
    private func store(_ lanes: SIMD8<Float>, _ address: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(address).storeBytes(of: lanes, as: SIMD8<Float>.self)
    }
}
