/// What trying a plugin in a process of its own came to.
public struct PluginVerdict: Sendable, Equatable {
    /// How it ended.
    public var outcome: Outcome
    /// How late the plugin said it is, in frames at 48 kHz.
    public var latencyFrames = 0
    /// Whether a NaN or an infinity came out.
    public var isFinite = true
    /// What its run did that a real-time callback must not.
    public var breaches: [Breach] = []

    /// A verdict of an outcome, without anything else to say.
    public init(_ outcome: Outcome) { self.outcome = outcome }

    /// How a trial ended.
    public enum Outcome: Sendable, Equatable {
        case plays
        /// It does not load, with the reason.
        case refused(String)
        /// It ended its process, by a signal or by exit.
        case crashes(ProbeStep, ProcessEnd)
        /// It was not done after `PluginProbe.patienceSeconds`.
        case hangs(ProbeStep)
    }

    /// Calls of one kind in the run.
    public struct Breach: Sendable, Equatable {
        /// What the calls do.
        public var kind: Kind
        /// The function that was called last.
        public var function: String
        /// In how many of 400 runs.
        public var runs: Int

        /// What such calls do.
        public enum Kind: String, Sendable, CaseIterable {
            case memory, lock, system

            /// As a verb: "allocates".
            public var verb: String {
                switch self {
                case .memory: "allocates"
                case .lock: "locks"
                case .system: "calls the system"
                }
            }
        }
    }
}

/// How far a trial has come.
public enum ProbeStep: String, Sendable {
    case make, run, free

    /// As a place in a sentence: "while it runs".
    public var place: String {
        switch self {
        case .make: "while it is made"
        case .run: "in its run"
        case .free: "while it is freed"
        }
    }
}

/// How a process ended that should not have.
public enum ProcessEnd: Sendable, Equatable {
    case signal(Int32)
    case status(Int32)

    /// As a person reads it: "signal 11".
    public var text: String {
        switch self {
        case .signal(let number): "signal \(number)"
        case .status(let status): "exit with status \(status)"
        }
    }
}

extension PluginVerdict: CustomStringConvertible {
    /// A few words: "plays; allocates in its run (malloc)".
    public var description: String {
        switch outcome {
        case .plays:
            let notes =
                (isFinite ? [] : ["puts out NaN or infinity"]) + breaches.map(\.description)
            return (["plays"] + notes).joined(separator: "; ")
        case .refused(let reason): return "refused: \(reason)"
        case .crashes(let step, let end): return "crashes \(step.place): \(end.text)"
        case .hangs(let step): return "hangs \(step.place)"
        }
    }
}

extension PluginVerdict.Breach: CustomStringConvertible {
    /// A few words: "allocates in one run (malloc)".
    public var description: String {
        "\(kind.verb) in \(runs == 1 ? "one run" : "its run") (\(function))"
    }
}
