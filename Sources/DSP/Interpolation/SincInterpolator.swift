internal import CRealtime

/// An interpolator that reads a signal between its frames: a sinc under a Kaiser window, tabulated
/// at many positions and interpolated between them.
public struct SincInterpolator: BitwiseCopyable {
    /// The number of frames that contribute to a value, half on each side.
    public let tapCount: Int
    private let phaseCount: Int
    // SAFETY: the `SincTable` that made this interpolator owns the weights, and outlives it.
    /// The weights of each phase, one row after the other, up to and including the next whole
    /// frame.
    private let table: UnsafeMutablePointer<Float>

    @_noLocks
    init(tapCount: Int, phaseCount: Int, table: UnsafeMutablePointer<Float>) {
        self.tapCount = tapCount
        self.phaseCount = phaseCount
        self.table = table
    }

    /// The number of frames needed before the frame at which a value is read.
    public var framesBefore: Int { @_noLocks get { tapCount / 2 - 1 } }
    /// The number of frames needed after the frame at which a value is read.
    public var framesAfter: Int { @_noLocks get { tapCount / 2 } }

    /// Returns the value at a tabulated position: `phase` of `phaseCount` parts of a frame after a
    /// frame.
    ///
    /// `tapCount` must be a multiple of sixteen.
    @_noLocks @inline(__always)
    public func value(_ frame: UnsafePointer<Float>, phase: Int) -> Float {
        rt_sum_of_products(frame - framesBefore, table + phase * tapCount, Int64(tapCount))
    }

    /// Returns the value `fraction` of a frame after a frame; `fraction` is from 0 to 1.
    @_noLocks @inline(__always)
    public func value(_ frame: UnsafePointer<Float>, fraction: Double) -> Float {
        let position = fraction * Double(phaseCount)
        let phase = Int(position)
        let row = table + phase * tapCount
        let sums = rt_two_sums(
            frame - framesBefore, row, row + tapCount, Int64(tapCount))
        return sums.first + (sums.second - sums.first) * Float(position - Double(phase))
    }
}
