/// Xruns that the server has reported.
public struct XrunReport: Sendable, Equatable {
    /// The number of xruns, at least 1.
    public var count: Int
    /// The delay of the longest one, in ms; `nil` if the server did not report any.
    public var longestMilliseconds: Double?
    /// The time of the first one, in seconds since 1970 (UTC).
    public var firstSeconds: Double
    /// The time of the last one, in seconds since 1970 (UTC).
    public var lastSeconds: Double

    /// Creates a report from its parts.
    public init(
        count: Int, longestMilliseconds: Double?, firstSeconds: Double, lastSeconds: Double
    ) {
        self.count = count
        self.longestMilliseconds = longestMilliseconds
        self.firstSeconds = firstSeconds
        self.lastSeconds = lastSeconds
    }

    /// Adds later xruns.
    mutating func add(_ later: XrunReport) {
        count += later.count
        longestMilliseconds = [longestMilliseconds, later.longestMilliseconds].compactMap { $0 }
            .max()
        lastSeconds = later.lastSeconds
    }
}
