internal import ArgumentParser
internal import JackHost
internal import Platform

/// The number of cores in an option: `auto`, or a number.
enum CoresArgument: ExpressibleByArgument {
    /// As many cores as pay.
    case auto
    /// Always this number.
    case count(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let count = Int(argument), (1...32).contains(count) {
            self = .count(count)
        } else {
            return nil
        }
    }
}

extension SessionOptions {
    /// Uses the cores that an option states.
    mutating func use(_ cores: CoresArgument) {
        switch cores {
        case .auto:
            coreCount = min(32, ProcessorCount.online)
            usesCoresAutomatically = true
        case .count(let count):
            coreCount = count
            usesCoresAutomatically = false
        }
    }
}
