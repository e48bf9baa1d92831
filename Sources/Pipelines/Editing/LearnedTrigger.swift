/// A MIDI control that will be bound to an address.
public struct LearnedTrigger: Sendable, Equatable {
    /// The event that the control sends.
    public var trigger: Pipeline.Binding.Trigger
    /// The MIDI channel, from 1 through 16; `nil` for any.
    public var channel: Int?
    /// The name of the MIDI input; `nil` for any.
    public var port: String?
    /// Whether the control is a 14-bit controller.
    public var isFine: Bool
    /// The bank of a program, from 0 through 16383; `nil` for any.
    public var bank: Int?

    /// Creates a trigger from its properties.
    public init(
        trigger: Pipeline.Binding.Trigger, channel: Int?, port: String?, isFine: Bool = false,
        bank: Int? = nil
    ) {
        self.trigger = trigger
        self.channel = channel
        self.port = port
        self.isFine = isFine
        self.bank = bank
    }

    /// The control as text, for example "cc 11 on channel 1".
    public var text: String {
        let what =
            switch trigger {
            case .controller(let number): "cc \(number)"
            case .note(let number): "note \(number)"
            case .program(let number): "program \(number)"
            case .bend: "pitch bend"
            case .channelPressure: "pressure"
            case .keyPressure(let number): "pressure of note \(number)"
            case .key(let key): "key \(key.name)"
            }
        let channelText = channel.map { " on channel \($0)" } ?? ""
        return what + channelText + (port.map { " of \($0)" } ?? "")
    }

    /// The keys of a binding that select its control.
    static let keys = PipelineKeys.triggers + ["bank", "channel", "port", "bits"]

    /// Whether the control is a controller, which can send steps.
    var isController: Bool { if case .controller = trigger { true } else { false } }

    /// The keys of a binding that require presses.
    static let pressKeys = [
        "mode", "takeover", "values", "wrap", "press", "hold", "window", "guard",
    ]

    /// Whether the control has presses.
    public var hasPresses: Bool {
        switch trigger {
        case .controller, .note, .program, .key: true
        case .bend, .channelPressure, .keyPressure: false
        }
    }

    /// Whether bindings to the control can act on long and double presses.
    var mayBeHeld: Bool {
        switch trigger {
        case .controller: !isFine
        case .note: true
        default: false
        }
    }

    /// Whether the control has positions; other controls have only presses.
    var hasPositions: Bool {
        switch trigger {
        case .controller, .bend, .channelPressure, .keyPressure: true
        case .note, .program, .key: false
        }
    }

    /// The members of a binding to this control.
    var members: [JSONValue.Member] {
        var members = [key]
        if let bank { members.append(.init("bank", .integer(bank))) }
        if let channel { members.append(.init("channel", .integer(channel))) }
        if let port { members.append(.init("port", .string(port))) }
        if isFine { members.append(.init("bits", 14)) }
        return members
    }

    private var key: JSONValue.Member {
        switch trigger {
        case .controller(let number): .init("cc", .integer(number))
        case .note(let number): .init("note", .integer(number))
        case .program(let number): .init("program", .integer(number))
        case .bend: .init("bend", true)
        case .channelPressure: .init("pressure", true)
        case .keyPressure(let number): .init("key-pressure", .integer(number))
        case .key(let key): .init("key", .string(key.name))
        }
    }
}
