/// The result of probing a plugin in a child process.
public struct PluginVerdict: Sendable, Equatable {
    /// The result of the steps.
    public var outcome: Outcome
    /// The latency that the plugin reported, in frames at 48 kHz.
    public var latencyFrames = 0
    /// Whether all output samples were finite, without NaN or infinity.
    public var isFinite = true
    /// The calls that a real-time callback must not make, and the calls that the sandbox refused.
    public var breaches: [Breach] = []

    /// Creates a verdict with an outcome and no other findings.
    public init(_ outcome: Outcome) { self.outcome = outcome }

    /// The outcome of a probe.
    public enum Outcome: Sendable, Equatable {
        case plays
        /// The plugin does not load, with the reason.
        case refused(String)
        /// It ended its process, by a signal or by `exit`.
        case crashes(ProbeStep, ProcessEnd)
        /// A step was not finished after `PluginProbe.timeoutSeconds`.
        case hangs(ProbeStep)
    }

    /// The calls of one kind.
    public struct Breach: Sendable, Equatable {
        /// The effect of the calls.
        public var kind: Kind
        /// The function that was called last; for a file, the access and the path: "read /a/b".
        public var function: String
        /// The number of runs with such calls, out of 400; 0 for calls and accesses that the sandbox
        /// refused.
        public var runs: Int

        /// The effect of a call.
        public enum Kind: String, Sendable, CaseIterable {
            case memory, lock, system
            /// A call, during the run or outside it, that the sandbox refused.
            case sandbox
            /// An access to a file, during the run or outside it, that the sandbox refused.
            case file

            /// Whether the sandbox refused it, so that it does not concern the audio thread.
            public var isRefused: Bool { self == .sandbox || self == .file }

            /// The verb for messages: "allocates".
            public var verb: String {
                switch self {
                case .memory: "allocates"
                case .lock: "locks"
                case .system: "makes system calls"
                case .sandbox: "makes calls that a sandbox refuses"
                case .file: "uses files that a sandbox refuses"
                }
            }
        }
    }
}

/// A step of a probe.
public enum ProbeStep: String, Sendable {
    case make, run, free

    /// The step as a phrase in a sentence: "in its run".
    public var phrase: String {
        switch self {
        case .make: "while it is created"
        case .run: "in its run"
        case .free: "while it is freed"
        }
    }
}

/// How a process ended unexpectedly.
public enum ProcessEnd: Sendable, Equatable {
    case signal(Int32)
    case status(Int32)

    /// The text for messages: "signal 11".
    public var text: String {
        switch self {
        case .signal(let number): "signal \(number)"
        case .status(let status): "exit with status \(status)"
        }
    }
}

extension PluginVerdict: CustomStringConvertible {
    /// A short text: "plays; allocates in its run (malloc)".
    public var description: String {
        switch outcome {
        case .plays:
            return (["plays"] + findings).joined(separator: "; ")
        case .refused(let reason): return "refused: \(reason)"
        case .crashes(let step, let end): return "crashes \(step.phrase): \(end.text)"
        case .hangs(let step): return "hangs \(step.phrase)"
        }
    }

    /// A short text for each finding about a plugin that plays; the refused files share one.
    public var findings: [String] {
        let files = breaches.filter { $0.kind == .file }
        let accesses = files.map(\.function).joined(separator: ", ")
        return (isFinite ? [] : ["outputs NaN or infinity"])
            + breaches.filter { $0.kind != .file }.map(\.description)
            + (files.isEmpty ? [] : ["\(Breach.Kind.file.verb) (\(accesses))"])
    }
}

extension PluginVerdict.Breach: CustomStringConvertible {
    /// A short text: "allocates in one run (malloc)".
    public var description: String {
        if kind.isRefused { return "\(kind.verb) (\(function))" }
        return "\(kind.verb) in \(runs == 1 ? "one run" : "its run") (\(function))"
    }
}
