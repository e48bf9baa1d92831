internal import Platform

/// The memory of this process.
enum ProcessMemory {
    private static let longestStatus = 1 << 20

    /// The most memory that was in RAM, in bytes; `nil` if Linux does not say.
    static var peakBytes: Int? {
        guard let bytes = FileBytes.read("/proc/self/status", limit: longestStatus) else {
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(separator: " ")
        return words.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * 1024 }
    }
}
