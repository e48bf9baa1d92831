internal import SessionCore

/// The loads of all blocks: shares of the period, where 1 is the whole period.
public struct LoadDistribution: Sendable, Equatable {
    private let sorted: [Double]

    /// Sorts the loads.
    ///
    /// - Parameter loads: In any order.
    public init(_ loads: [Double]) { sorted = loads.sorted() }

    /// The number of blocks.
    public var count: Int { sorted.count }
    /// The mean load; 0 without blocks.
    public var mean: Double { sorted.reduce(0, +) / Double(max(1, sorted.count)) }
    /// The highest load; 0 without blocks.
    public var worst: Double { sorted.last ?? 0 }

    /// Returns the load that a share of the blocks does not exceed, by the nearest rank.
    ///
    /// - Parameter share: From 0 through 1.
    /// - Returns: The load, as a share of the period.
    public func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(0, rank), sorted.count - 1)]
    }

    /// Returns the number of blocks with a load in each of some intervals of equal width, from 0 to
    /// a limit; the last one also has all higher loads.
    public func counts(intervals: Int, upTo limit: Double) -> [Int] {
        var counts = Array(repeating: 0, count: intervals)
        for load in sorted {
            counts[min(intervals - 1, Int(load / limit * Double(intervals)))] += 1
        }
        return counts
    }
}

extension PlayedNight {
    /// The loads of all blocks of all steps.
    public var loads: LoadDistribution {
        LoadDistribution(times.flatMap(\.blocks).map { load($0.nanoseconds) })
    }

    /// Returns the loads of a step, by its index.
    public func loads(ofStep step: Int) -> LoadDistribution {
        LoadDistribution(times[step].blocks.map { load($0.nanoseconds) })
    }

    /// Returns a time as a share of the period.
    func load(_ nanoseconds: Float) -> Double { Double(nanoseconds) / request.periodNanoseconds }

    /// The longest time of any block, with its interruptions, as a share of the period.
    public var longestLoad: Double { load(times.map(\.longestNanoseconds).max() ?? 0) }

    /// The mean load of each node while its song played, the highest first.
    public var nodeLoads: [(place: Place, load: Double)] {
        zip(parts, partMeans).map { ($0, $1 / request.periodNanoseconds) }
            .sorted { $0.load > $1.load }
    }

    /// Returns the costliest part of a block: the id of a node, or the rest.
    func name(ofPart part: Int32) -> String {
        guard parts.indices.contains(Int(part)) else {
            return songs.songs.count > 1
                ? "the engine with earlier songs that ring out" : "the engine itself"
        }
        return parts[Int(part)].node ?? ""
    }
}
