/// The outcome of trying how a plugin treats denormals.
public enum DenormalOutcome: Sendable, Equatable {
    case verdict(DenormalVerdict)
    /// A step was not finished in time.
    case hangs(ProbeStep)
    /// The plugin could not be tried, for example because it was not created.
    case untried
}

/// The result of trying a plugin with a sound that ends in silence: how it treats denormals, the
/// numbers very close to zero that many processors calculate with slowly.
public struct DenormalVerdict: Sendable, Equatable {
    /// The denormals without protection; `nil` if the plugin calculates with none.
    public var arising: Arising?
    /// The treatment of the flags with which Stompline protects the plugin.
    public var protection = Protection.kept

    /// Creates a verdict from its parts.
    public init(arising: Arising? = nil, protection: Protection = .kept) {
        (self.arising, self.protection) = (arising, protection)
    }

    /// Denormals that arise if the host does not make the processor treat them as zero.
    public struct Arising: Sendable, Equatable {
        /// The time from the end of the sound to the first ones, in seconds; 0 if they arise
        /// earlier.
        public var seconds: Double
        /// The duration of a run with them, as a multiple of the duration of the same run with
        /// protection.
        public var slowdown: Double

        /// Creates a description from its parts.
        public init(seconds: Double, slowdown: Double) {
            (self.seconds, self.slowdown) = (seconds, slowdown)
        }
    }

    /// What a plugin does to flags that it finds set.
    public enum Protection: String, Sendable, Equatable, CaseIterable {
        /// The flags are the same after its run.
        case kept
        /// It calculates with denormals, or leaves them allowed, although it finds the protection
        /// on.
        case disabled
        /// It changes other flags, such as the rounding.
        case changed
    }
}

extension DenormalVerdict {
    /// The verdict as fields: seconds and slowdown, both empty without denormals, and protection.
    var fields: [String] {
        [
            arising.map { "\($0.seconds)" } ?? "", arising.map { "\($0.slowdown)" } ?? "",
            protection.rawValue,
        ]
    }

    /// Parses such a row; `nil` if it is not valid.
    init?(fields: ArraySlice<String>) {
        let row = Array(fields)
        guard row.count == 3, let protection = Protection(rawValue: row[2]) else { return nil }
        self.init(protection: protection)
        guard row[0] != "" || row[1] != "" else { return }
        guard let seconds = Double(row[0]), let slowdown = Double(row[1]), seconds.isFinite,
            slowdown.isFinite, seconds >= 0, slowdown >= 0
        else { return nil }
        arising = Arising(seconds: seconds, slowdown: slowdown)
    }
}
