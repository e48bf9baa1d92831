internal import CRealtime

/// Memory for samples whose number comes from a file, so that the system may not have enough.
///
/// `UnsafeMutablePointer.allocate` ends the program if the system has no memory left.
public enum SampleMemory {
    /// Allocates zeroed samples and touches every page of them, so that the audio thread meets no
    /// page fault.
    ///
    /// - Parameter count: The number of samples, at least 0.
    /// - Returns: The first sample, or `nil` if there is not enough memory.
    public static func zeros(_ count: Int) -> UnsafeMutablePointer<Float>? {
        let (bytes, overflows) = max(1, count).multipliedReportingOverflow(
            by: MemoryLayout<Float>.stride)
        guard !overflows, let address = rt_allocate_zeroed(bytes) else { return nil }
        return address.bindMemory(to: Float.self, capacity: max(1, count))
    }

    /// Frees samples that `zeros` returned.
    public static func free(_ samples: UnsafeMutablePointer<Float>) { rt_free(samples) }
}
