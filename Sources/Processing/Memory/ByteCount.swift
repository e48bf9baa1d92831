/// A number of bytes, formatted for people: "1.1 GB", "12 MB", "300 kB", in powers of ten.
public struct ByteCount: Sendable, CustomStringConvertible {
    private let bytes: Int

    /// - Parameter bytes: At least 0.
    public init(_ bytes: Int) { self.bytes = bytes }

    /// The number with its unit.
    public var description: String {
        switch bytes {
        case ..<1_000_000: "\((bytes + 999) / 1000) kB"
        case ..<10_000_000: tenths(of: 1_000_000) + " MB"
        case ..<1_000_000_000: "\(rounded(to: 1_000_000)) MB"
        default: tenths(of: 1_000_000_000) + " GB"
        }
    }

    private func rounded(to unit: Int) -> Int { bytes / unit + (bytes % unit * 2 >= unit ? 1 : 0) }

    private func tenths(of unit: Int) -> String {
        let tenths = rounded(to: unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
