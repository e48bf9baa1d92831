internal import ArgumentParser
internal import JackHost
internal import Pipelines
internal import Platform
internal import Proof
internal import SessionCore

/// The number of cores in an option: `auto`, or a number.
struct CoresArgument: ExpressibleByArgument {
    let cores: Pipeline.Cores

    init?(argument: String) {
        if argument == "auto" {
            cores = .auto
        } else if let count = Int(argument), (1...32).contains(count) {
            cores = .count(count)
        } else {
            return nil
        }
    }
}

extension SongCollection {
    /// The number of cores that the files of the songs ask for: `auto` if one asks for it, otherwise
    /// the largest number.
    var cores: Pipeline.Cores {
        songs.compactMap(\.pipeline.cores).reduce(.count(1)) { most, wish in
            guard case .count(let number) = most, case .count(let other) = wish else {
                return .auto
            }
            return .count(max(number, other))
        }
    }
}

extension Pipeline.Cores {
    /// The largest number of cores to use on this machine.
    fileprivate var count: Int {
        if case .count(let count) = self { count } else { min(32, ProcessorCount.online) }
    }

    /// Compares the number with the cores of this machine.
    ///
    /// - Parameter isFromFile: Whether the number is from a file; otherwise it is from the option.
    /// - Returns: A line for the user if the machine has fewer cores; otherwise `nil`.
    func warning(isFromFile: Bool) -> String? {
        let online = ProcessorCount.online
        guard count > online else { return nil }
        let origin = isFromFile ? "\"cores\": \(count)" : "--cores \(count)"
        return online == 1
            ? "\(origin): this machine has one core, so one is used"
            : "\(origin): this machine has \(online) cores, so \(online) are used"
    }
}

extension SessionOptions {
    /// Uses a number of cores, or all of this machine if it has fewer.
    ///
    /// More threads with a real-time priority would compete for the same cores.
    mutating func use(_ cores: Pipeline.Cores) {
        coreCount = min(cores.count, ProcessorCount.online)
        usesCoresAutomatically = cores == .auto
    }
}

extension ProofRequest {
    /// Uses a number of cores.
    mutating func use(_ cores: Pipeline.Cores) {
        (coreCount, usesCoresAutomatically) = (cores.count, cores == .auto)
    }
}
