/// The properties of a session at its start.
public struct SessionStart: Sendable, Equatable {
    /// The name that the JACK server gave the client.
    public var clientName: String
    /// The name of the pipeline or the setlist.
    public var pipelineName: String
    /// The sample rate, in frames per second.
    public var sampleRate: Double
    /// The block size: frames per cycle.
    public var blockFrames: Int
    /// The latency of the pipeline alone, in frames.
    public var latencyFrames: Int
    /// The time from the start of the process to the first audio cycle, in seconds.
    public var startupSeconds: Double

    /// Creates the properties of a session start from their parts.
    package init(
        clientName: String, pipelineName: String, sampleRate: Double, blockFrames: Int,
        latencyFrames: Int, startupSeconds: Double
    ) {
        self.clientName = clientName
        self.pipelineName = pipelineName
        self.sampleRate = sampleRate
        self.blockFrames = blockFrames
        self.latencyFrames = latencyFrames
        self.startupSeconds = startupSeconds
    }
}

/// The levels, loads and latencies of a session since the last status.
public struct SessionStatus: Sendable, Equatable {
    /// One level per channel of every audio output.
    public var outputs: [Level]
    /// The mean share of the period that a cycle took.
    public var meanLoad: Double
    /// The highest share of the period that a cycle took.
    public var worstLoad: Double
    /// The number of xruns since the session began.
    public var xruns: Int
    /// The number of overruns since the session began.
    public var overrunCycles: Int
    /// The latency of the pipeline alone, in frames.
    public var latencyFrames: Int
    /// The latency from the sound card's input to its output, in frames; only connected ports
    /// count.
    public var roundTripFrames: Int
    /// The sample rate, in frames per second.
    public var sampleRate: Double
    /// The lowest linear gain of the outputs' safety limiters; 1 if they were not active.
    public var limiterGain: Double
    /// The load of each node, in the order of the pipeline.
    public var nodes: [NodeLoad]
    /// The mean load of each core that runs nodes, the callback's first; empty with one core.
    public var coreLoads: [Double] = []
    /// The number of live schedules: the active one, those that ring out, and the ready songs.
    public var schedules: Int
    /// The values that nodes report, in the order of the pipeline.
    public var reports: [NodeReport] = []

    /// The load and the latency of a node.
    public struct NodeLoad: Sendable, Equatable {
        /// The id of the node.
        public var node: String
        /// The mean share of the period.
        public var mean: Double
        /// The highest share of the period.
        public var worst: Double
        /// The latency of the node alone, in frames.
        public var latencyFrames: Int

        /// Creates a load from its parts.
        package init(node: String, mean: Double, worst: Double, latencyFrames: Int = 0) {
            self.node = node
            self.mean = mean
            self.worst = worst
            self.latencyFrames = latencyFrames
        }
    }

    /// The level of one channel.
    public struct Level: Sendable, Equatable {
        /// The short name of the port.
        public var port: String
        /// The highest magnitude; 1 is full scale.
        public var peak: Double

        /// Creates a level from its parts.
        package init(port: String, peak: Double) {
            self.port = port
            self.peak = peak
        }
    }

    /// Creates a status from its parts.
    package init(
        outputs: [Level], meanLoad: Double, worstLoad: Double, xruns: Int,
        overrunCycles: Int = 0, latencyFrames: Int, roundTripFrames: Int,
        sampleRate: Double, limiterGain: Double, nodes: [NodeLoad] = [], schedules: Int = 1
    ) {
        self.overrunCycles = overrunCycles
        self.nodes = nodes
        self.schedules = schedules
        self.outputs = outputs
        self.meanLoad = meanLoad
        self.worstLoad = worstLoad
        self.xruns = xruns
        self.latencyFrames = latencyFrames
        self.roundTripFrames = roundTripFrames
        self.sampleRate = sampleRate
        self.limiterGain = limiterGain
    }
}

/// The summary of a session that has ended.
public struct SessionSummary: Sendable, Equatable {
    /// The reason for the end.
    public var reason: StopReason
    /// The time since the first audio cycle, in seconds.
    public var seconds: Double
    /// The number of xruns.
    public var xruns: Int
    /// The number of overruns.
    public var overrunCycles: Int
    /// The highest magnitude at any output; 1 is full scale.
    public var peak: Double
    /// The highest share of the period that a cycle took.
    public var worstLoad: Double

    /// Creates a summary from its parts.
    package init(
        reason: StopReason, seconds: Double, xruns: Int, overrunCycles: Int, peak: Double,
        worstLoad: Double
    ) {
        self.reason = reason
        self.seconds = seconds
        self.xruns = xruns
        self.overrunCycles = overrunCycles
        self.peak = peak
        self.worstLoad = worstLoad
    }
}

/// The reason why a session ends.
public enum StopReason: Sendable, Equatable {
    /// The process received a signal.
    case signal(Int32)
    /// The user or another part of the program requested the end.
    case requested
    /// The requested duration has elapsed.
    case durationOver
}
