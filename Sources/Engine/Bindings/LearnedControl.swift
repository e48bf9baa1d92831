public import Pipelines

/// The control that was moved, for a binding.
public struct LearnedControl: BitwiseCopyable, Sendable, Equatable {
    /// What kinds there are.
    public enum Kind: Int32, BitwiseCopyable, Sendable { case controller, note, program }

    /// What it sends.
    public var kind: Kind
    /// From 0 through 127.
    public var number: Int32
    /// From 1 through 16.
    public var channel: Int32
    /// The slot of the MIDI input that it came by; see `Outside`.
    public var port: Int32
    /// Whether it is a controller of 14 bits.
    public var isFine: Bool
    /// Of a program: the bank that was selected; -1 for none.
    public var bank: Int32

    /// All parts, each as its property says.
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
    /// The control as a file says it; its input by name where there are several.
    public func trigger(_ outside: Outside) -> LearnedTrigger {
        let inputs = outside.inputs.filter { $0.kind == .midi }
        let input = inputs.count > 1 ? inputs.first { $0.slots.first == Int(port) } : nil
        let trigger: Pipeline.Binding.Trigger =
            switch kind {
            case .controller: .controller(Int(number))
            case .note: .note(Int(number))
            case .program: .program(Int(number))
            }
        return LearnedTrigger(
            trigger: trigger, channel: Int(channel), port: input?.name, isFine: isFine,
            bank: bank < 0 ? nil : Int(bank))
    }
}
