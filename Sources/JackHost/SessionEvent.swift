public import Engine
public import Pipelines
public import Processing

/// What a session tells those who watch it.
public enum SessionEvent: Sendable, Equatable {
    /// No server was running: one of our own is, started by this command.
    case serverStarted(command: String)
    /// The client's wished name is a server's, whose place it would take; the client has the other name.
    case nameChanged(wished: String, given: String)
    /// The client's wished name is another client's; it has the name that the server gave.
    case nameTaken(wished: String, given: String)
    /// The server ended or threw us out, with JACK's words for it; it is waited for.
    case serverLost(reason: String)
    /// JACK's library has been held up for ten seconds where a server is left or joined; what plays goes on unheard.
    case jackHangs
    /// The server is there again, and we are a part of its graph as before.
    case serverBack(clientName: String, sampleRate: Double, blockFrames: Int)
    /// Other songs play in the place of those that played, under this client's name.
    case switched(clientName: String, pipelineName: String)
    /// JACK refused a port that a change of signals asks for.
    case portRefused(name: String)
    /// Memory could not be locked; the callback may be held up by page faults.
    case memoryNotLocked
    /// A connection rule is no regular expression.
    case faultyPattern(String)
    /// JACK refused to connect two ports.
    case connectionRefused(own: String, other: String)
    /// The first audio cycle was done.
    case started(SessionStart)
    /// Levels, load and so on since the last status.
    case status(SessionStatus)
    /// JACK was late, so many times since the last event of this kind.
    case xruns(Int)
    /// A node put out a NaN or an infinity and was silenced.
    case nonFinite(node: String)
    /// A cycle took longer than it lasts; this node was the costliest.
    case overrun(node: String, Lateness)
    /// MIDI messages did not fit into a node's buffers.
    case messagesDropped(node: String, count: Int)
    /// A node says that it is late by another time than before, and so is the pipeline.
    case latencyChanged(node: String, nodeFrames: Int, latencyFrames: Int)
    /// Something befell a node's plugin, or is over.
    case incident(node: String, plugin: String, Incident)
    /// The server's format changed; the pipeline was prepared anew.
    case formatChanged(sampleRate: Double, blockFrames: Int, latencyFrames: Int)
    /// Something could not be prepared, for the server's new format or after an edit; what plays goes on.
    case preparationFailed(message: String)
    /// A song of the setlist began; they count from 1.
    case song(number: Int, name: String)
    /// A scene was put on.
    case scene(name: String)
    /// A file was edited, and what plays follows.
    case reloaded(pipeline: String)
    /// A control was moved to be bound to an address, in a file.
    case learned(address: String, LearnedTrigger, path: String)
    /// All was silenced, and is prepared afresh.
    case panic
    /// The server left the clock behind, or came back to it.
    case freewheel(isOn: Bool)
    /// The session is over.
    case ended(SessionSummary)
}

/// How a session began.
public struct SessionStart: Sendable, Equatable {
    /// As the server gave it.
    public var clientName: String
    /// As the file says.
    public var pipelineName: String
    /// In frames a second.
    public var sampleRate: Double
    /// Frames a cycle.
    public var blockFrames: Int
    /// Of the pipeline alone.
    public var latencyFrames: Int
    /// From the start of the process to the first audio cycle.
    public var startupSeconds: Double
}

/// How a session fares.
public struct SessionStatus: Sendable, Equatable {
    /// One a channel of every audio output.
    public var outputs: [Level]
    /// Mean share of the period that the cycle took.
    public var meanLoad: Double
    /// Highest share of the period that a cycle took.
    public var worstLoad: Double
    /// Since the session began.
    public var xruns: Int
    /// The cycles that took longer than they last, by the clock, since the session began.
    public var lateCycles: Int
    /// Of the pipeline alone.
    public var latencyFrames: Int
    /// From the sound card's input to its output, as far as we are connected.
    public var roundTripFrames: Int
    /// In frames a second.
    public var sampleRate: Double
    /// The lowest gain of the outputs' safety limiters, 1 where they had nothing to do.
    public var limiterGain: Double
    /// What each node cost, in the order of the pipeline.
    public var nodes: [NodeLoad]
    /// How many schedules there are: what plays, what rings out, and the songs that are ready.
    public var schedules: Int

    /// What a node cost.
    public struct NodeLoad: Sendable, Equatable {
        /// Its id.
        public var node: String
        /// Mean share of the period.
        public var mean: Double
        /// Highest share of the period.
        public var worst: Double

        package init(node: String, mean: Double, worst: Double) {
            self.node = node
            self.mean = mean
            self.worst = worst
        }
    }

    package init(
        outputs: [Level], meanLoad: Double, worstLoad: Double, xruns: Int,
        lateCycles: Int = 0, latencyFrames: Int, roundTripFrames: Int,
        sampleRate: Double, limiterGain: Double, nodes: [NodeLoad] = [], schedules: Int = 1
    ) {
        self.lateCycles = lateCycles
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

    /// The level of one channel.
    public struct Level: Sendable, Equatable {
        /// The port's short name.
        public var port: String
        /// Highest magnitude; 1 is full scale.
        public var peak: Double

        package init(port: String, peak: Double) {
            self.port = port
            self.peak = peak
        }
    }
}

/// What a session was.
public struct SessionSummary: Sendable, Equatable {
    /// Why it ended.
    public var reason: StopReason
    /// From the first audio cycle.
    public var seconds: Double
    /// How often JACK was late.
    public var xruns: Int
    /// The cycles that took longer than they last, by the clock, since the session began.
    public var lateCycles: Int
    /// The highest magnitude at any output; 1 is full scale.
    public var peak: Double
    /// Highest share of the period that a cycle took.
    public var worstLoad: Double
}

/// Why a session ends.
public enum StopReason: Sendable, Equatable {
    /// It was asked to, by a signal.
    case signal(Int32)
    /// It was asked to by its owner.
    case asked
    /// The time it was to play for is over.
    case durationOver
}
