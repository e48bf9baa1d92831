public import Pipelines

/// The control that was moved, for use in a binding.
public struct LearnedControl: BitwiseCopyable, Sendable, Equatable {
    /// The kinds of control.
    public enum Kind: Int32, BitwiseCopyable, Sendable {
        case controller, note, program, bend, channelPressure
    }

    /// The kind of message that the control sends.
    public var kind: Kind
    /// The number of the controller, note or program: 0 through 127; 0 for other kinds.
    public var number: Int32
    /// 1 through 16.
    public var channel: Int32
    /// The slot of the MIDI input at which the message arrived; see `EnginePorts`.
    public var port: Int32
    /// Whether the control is a 14-bit controller.
    public var isFine: Bool
    /// The bank that was selected before a program change; -1 if no bank was selected, or for other
    /// controls.
    public var bank: Int32

    /// Creates a control; the parameters have the meaning of the properties.
    @_noLocks
    public init(
        kind: Kind, number: Int32, channel: Int32, port: Int32, isFine: Bool, bank: Int32
    ) {
        self.kind = kind
        self.number = number
        self.channel = channel
        self.port = port
        self.isFine = isFine
        self.bank = bank
    }
}

extension LearnedControl {
    /// Returns the control in the form of a pipeline file, with the name of its input if there are
    /// several.
    public func trigger(_ ports: EnginePorts) -> LearnedTrigger {
        let inputs = ports.inputs.filter { $0.kind == .midi }
        let input = inputs.count > 1 ? inputs.first { $0.slots.first == Int(port) } : nil
        let trigger: Pipeline.Binding.Trigger =
            switch kind {
            case .controller: .controller(Int(number))
            case .note: .note(Int(number))
            case .program: .program(Int(number))
            case .bend: .bend
            case .channelPressure: .channelPressure
            }
        return LearnedTrigger(
            trigger: trigger, channel: Int(channel), port: input?.name, isFine: isFine,
            bank: bank < 0 ? nil : Int(bank))
    }
}
