internal import CRealtime

/// Interleaves two channels in double precision; samples that are not finite become 0.
@_noLocks
public func interleave(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    into lanes: UnsafeMutablePointer<SIMD2<Double>>, frameCount: Int
) {
    let address = UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: Double.self)
    if rt_is_finite(left, Int64(frameCount)) && rt_is_finite(right, Int64(frameCount)) {
        for frame in 0..<frameCount {
            address[2 * frame] = Double(left[frame])
            address[2 * frame + 1] = Double(right[frame])
        }
    } else {
        for frame in 0..<frameCount {
            address[2 * frame] = left[frame].isFinite ? Double(left[frame]) : 0
            address[2 * frame + 1] = right[frame].isFinite ? Double(right[frame]) : 0
        }
    }
}

/// Extracts one of two interleaved channels.
@_noLocks
public func deinterleave(
    _ lanes: UnsafePointer<SIMD2<Double>>, lane: Int, into output: UnsafeMutablePointer<Float>,
    frameCount: Int
) {
    let address = UnsafeRawPointer(lanes).assumingMemoryBound(to: Double.self)
    for frame in 0..<frameCount { output[frame] = Float(address[2 * frame + lane]) }
}
