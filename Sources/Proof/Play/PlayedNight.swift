internal import Engine
internal import Pipelines
internal import Processing
public import SessionCore

/// The evidence of a night that was played: the times, the levels and the faults of each step.
public struct PlayedNight: Sendable {
    /// An event of a step.
    struct StepEvent: Sendable, Equatable {
        /// The index of the step.
        var step: Int
        var node: String?
        var what: What

        enum What: Sendable, Equatable {
            case nonFinite
            case incident(plugin: String, Incident)
            case messagesDropped(Int)
            /// The request was refused, or the song did not begin, for this reason.
            case failed(String)
        }
    }

    /// The latencies of a song.
    struct SongLatency: Sendable {
        var song: String
        var pipeline: Pipeline
        var report: LatencyReport
    }

    /// A fault that the trial of a plugin has found, or a plugin without a trial.
    public struct PluginFault: Sendable, Equatable {
        /// The song and the node.
        public var place: Place
        /// The fault.
        public var kind: Kind

        /// The kinds of faults; a text is the end of a sentence, such as "allocates memory in its
        /// run (malloc)".
        public enum Kind: Sendable, Equatable {
            /// The plugin ends its process, so it played in a separate one.
            case crash(String)
            /// The plugin hangs, so a stand-in played instead; `isRepeated` says whether the trial
            /// was that of another node.
            case hang(String, isRepeated: Bool)
            /// The plugin can make a block late.
            case late(String)
            /// The plugin could not be tried.
            case untried
        }

        /// Creates a fault from its parts.
        public init(song: String, node: String, _ kind: Kind) {
            place = Place(song: song, node: node)
            self.kind = kind
        }
    }

    /// The result of a trial of a plugin with a sound that ends in silence.
    public struct DenormalTrial: Sendable, Equatable {
        /// The song and the node.
        public var place: Place
        /// The plugin's treatment of denormals, each fact once; empty if there is nothing to
        /// report.
        public var facts: [Fact]

        /// Creates a result from its parts.
        public init(song: String, node: String, facts: [Fact]) {
            place = Place(song: song, node: node)
            self.facts = facts
        }

        /// A fact about denormals in a plugin.
        public enum Fact: Sendable, Equatable {
            /// They arise without protection, this many seconds after the end of the sound, and a
            /// run then lasts this many times as long.
            case arise(seconds: Double, slowdown: Double)
            /// The plugin switches the protection off.
            case protectionDisabled
            /// The plugin changes other floating-point flags.
            case flagsChanged
            /// The plugin could not be tried.
            case untried
            /// The plugin hangs in a step with the values of its node: "in its run".
            case hang(String)
            /// The plugin was not tried, because it hangs in another trial.
            case untriedAfterHang
        }
    }

    /// The songs.
    public let songs: SongCollection
    /// The properties of the test, such as the frames per block.
    public let request: ProofRequest
    /// The steps that were played.
    public let steps: [Step]
    /// The times of each step.
    public package(set) var times: [StepTimes]
    /// The levels of each step.
    public internal(set) var levels: [StepLevels]
    /// The largest steps from one sample to the next in each step, in a steady tone.
    public internal(set) var edges: [StepEdges]
    /// The places of all nodes; `BlockTime.part` is an index of this list.
    var parts: [Place] = []
    /// The mean time of each node in the blocks in which it played, in ns.
    var partMeans: [Double] = []
    var events: [StepEvent] = []
    /// The errors that the session tolerated, each once.
    var problems: [Problem] = []
    var latencies: [SongLatency] = []
    /// The time from the start of the reading of the files to the first block, in seconds.
    public var startSeconds = 0.0
    /// The most memory that the process has used, in bytes; `nil` if Linux does not say.
    var peakBytes: Int?
    /// The memory that the process may lock, in bytes; `nil` for no limit.
    var lockableBytes: Int?
    /// Whether no other program could interrupt a block.
    public internal(set) var isRealtime = false
    /// The faults of plugins that trials have found; `nil` if no trial was made.
    public var pluginFaults: [PluginFault]?
    /// The results of trials of plugins with denormals; `nil` if no trial was made.
    public var denormalTrials: [DenormalTrial]?

    init(_ songs: SongCollection, _ request: ProofRequest, _ walk: Walk) {
        (self.songs, self.request, steps) = (songs, request, walk.steps)
        times = Array(repeating: StepTimes(), count: walk.steps.count)
        levels = Array(repeating: StepLevels(), count: walk.steps.count)
        edges = Array(repeating: StepEdges(), count: walk.steps.count)
    }

    /// Returns the steps with the costliest blocks.
    func costliestSteps(_ count: Int) -> Set<Int> {
        let worst = times.map { $0.worst?.nanoseconds ?? 0 }
        return Set(times.indices.sorted { worst[$0] > worst[$1] }.prefix(count))
    }

    /// The findings, the worst first, and those of the same state in the order of the checks.
    public var findings: [Finding] {
        let checks: [any NightCheck.Type] = [
            FileCheck.self, LoadCheck.self, StepCheck.self, NonFiniteCheck.self,
            IncidentCheck.self, PluginCheck.self, DenormalCheck.self, ClickCheck.self,
            ClippingCheck.self, LoudnessCheck.self, LatencyCheck.self,
            MemoryCheck.self, StartCheck.self,
        ]
        let all = checks.flatMap { $0.findings(in: self) }
        return Finding.State.allCases.flatMap { state in all.filter { $0.state == state } }
    }
}
