public import Engine

/// The minutes before an incident: everything that a replay needs, and the incident itself.
public struct Box: Sendable {
    /// The facts about the box.
    public var facts: BoxFacts
    /// The schedules by number, as JSON texts.
    public var schedules: [UInt64: [UInt8]]
    /// Everything that the engine received.
    public var log: BoxLog
    /// The files that nodes read, before they are written into a folder.
    var files: [ReadFile] = []

    /// Creates a box from its parts.
    public init(facts: BoxFacts, schedules: [UInt64: [UInt8]], log: BoxLog) {
        self.facts = facts
        self.schedules = schedules
        self.log = log
    }
}

/// The reason why a box was kept.
public struct BoxReason: Sendable, Codable, Equatable {
    /// The kinds of reasons.
    public enum Kind: String, Sendable, Codable {
        /// The user has asked for it.
        case keep
        /// A cycle took longer than its period, or the server reported an xrun.
        case late
        case panic
        /// A plugin has crashed or hangs.
        case plugin
        /// A node produced NaN or infinity.
        case notFinite = "not-finite"
        /// The program has died.
        case crash
    }

    /// The kind of the reason.
    public var kind: Kind
    /// The id of the node; `nil` if no node is the reason.
    public var node: String?
    /// One sentence without its full stop; empty without one.
    public var text: String

    /// Creates a reason.
    public init(_ kind: Kind, node: String? = nil, text: String = "") {
        self.kind = kind
        self.node = node
        self.text = text
    }
}

/// The facts about a box, which `box.json` contains.
public struct BoxFacts: Sendable, Codable {
    /// The version of the format.
    public static let formatVersion = 1

    /// The version of the format of the box.
    public var version = Self.formatVersion
    /// The version of the program that has played.
    public var program: String
    /// The name of the session.
    public var name: String
    /// The time at which the box was kept, in seconds since 1970 (UTC).
    public var keptSeconds: Double
    /// The reason.
    public var reason: BoxReason
    /// The sample rate in Hz.
    public var sampleRate: Double
    /// The state of the engine before its first frame.
    public var start = EngineStart()
    /// Whether the box begins with the first frame of the engine.
    public var isWhole = true
    /// The number of the schedule that played at the start of the box.
    public var firstSchedule: UInt64 = 0
    /// The commands that set the values at the start of a box that is not whole.
    public var prelude: [StoredCommand] = []
    /// The inputs, in the order of their slots.
    public var inputs: [Input] = []
    /// Whether the audio of the inputs was left out.
    public var isPrivate = false
    /// The files that nodes read.
    public var files: [BoxFile] = []

    /// The audio of an input slot.
    public struct Input: Sendable, Codable, Equatable {
        /// The name of the file in the box; `nil` if the audio was left out.
        public var file: String?
        /// The factor by which the samples of the file are divided after they have been scaled to
        /// integers of 24 bits; 0 if the file contains the samples themselves.
        public var scale: Double
    }

    /// Creates facts without a start.
    public init(
        program: String, name: String, keptSeconds: Double, reason: BoxReason, sampleRate: Double
    ) {
        self.program = program
        self.name = name
        self.keptSeconds = keptSeconds
        self.reason = reason
        self.sampleRate = sampleRate
    }
}

/// A command in a JSON file.
public struct StoredCommand: Sendable, Codable, Equatable {
    var frame: UInt64
    var kind: Int32
    var first: Int32
    var second: Int32
    /// The bits of the value: a value need not be finite.
    var value: UInt32
    var due: UInt64
    var number: Double
    var style: Int32

    init(_ timed: BoxLog.TimedCommand) {
        let command = timed.command
        frame = timed.frame
        (kind, first, second) = (command.kind, command.first, command.second)
        (value, due) = (command.value.bitPattern, command.frame)
        (number, style) = (command.number.isFinite ? command.number : 0, command.style)
    }

    var timed: BoxLog.TimedCommand {
        BoxLog.TimedCommand(
            frame: frame,
            command: CapturedCommand(
                kind: kind, first: first, second: second, value: Float(bitPattern: value),
                frame: due, number: number, style: style))
    }
}
