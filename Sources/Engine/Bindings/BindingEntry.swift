internal import Pipelines

/// One binding, in the form that the audio thread reads.
struct BindingEntry: BitwiseCopyable {
    /// The kind of message that triggers the binding.
    enum Trigger: Int32, BitwiseCopyable { case controller, note, program }

    /// The effect of the binding.
    enum Effect: BitwiseCopyable {
        case absolute, toggle, momentary, relative
        /// Triggers a parameter that is an action.
        case trigger
        /// An action that is not a value change: the node and the target of the change that
        /// represents it.
        case other(node: Int32, target: Int32)
    }

    let trigger: Trigger
    let number: Int32
    /// 0 through 15; -1 for any channel.
    let channel: Int32
    /// The engine slot of the input; -1 for any input, -2 for an input that does not exist.
    let port: Int32
    /// -1 for any bank.
    let bank: Int32
    let isFine: Bool
    let encoding: StepEncoding
    let effect: Effect
    let isPickup: Bool
    /// The value that the binding moves, as an index of the bound values.
    let value: Int32
    let range: BoundRange
    /// The next binding of the same trigger and number; -1 after the last.
    var next: Int32 = -1
    /// The control that receives this binding's value as feedback; -1 if no control receives it.
    var feedback: Int32 = -1
    /// The value that the binding set last; the control counts as picked up while the target has
    /// this value.
    var held = Float.nan

    /// The highest position of a controller.
    var maximumSteps: Int32 { @_noLocks get { isFine ? 16383 : 127 } }

    /// Returns whether the binding accepts a message from a port; a binding of any input ignores
    /// the copies of a message at further inputs.
    @_noLocks
    func listens(
        to message: ControlMessage, port: Int32, bank: Int32, isCopy: Bool
    ) -> Bool {
        // The upper half of a fine controller arrives with the controller's own number, the lower
        // half with another number.
        let hasNumber = message.number == number || isFine
        return hasNumber && (channel < 0 || channel == message.channel)
            && (self.port == port || self.port == -1 && !isCopy)
            && (self.bank < 0 || self.bank == max(0, bank))
    }
}

/// How a controller encodes relative steps.
enum StepEncoding: BitwiseCopyable {
    case twosComplement, signedBit, offset

    init(_ encoding: Pipeline.Binding.Encoding) {
        self =
            switch encoding {
            case .twosComplement: .twosComplement
            case .signedBit: .signedBit
            case .offset: .offset
            }
    }

    /// Returns the steps that a controller value from 0 through 127 encodes.
    @_noLocks
    func steps(_ value: Int32) -> Int32 {
        switch self {
        case .twosComplement: value < 64 ? value : value - 128
        case .signedBit: value < 64 ? value : 64 - value
        case .offset: value - 64
        }
    }
}

/// A value that at least one binding moves.
struct BoundValue: BitwiseCopyable {
    let node: Int32
    let target: Int32
    /// Whether it is an action, which has no value afterwards.
    let isTrigger: Bool
    /// The value after the messages of this call, valid if `call` is the current call.
    var pending: Float = 0
    var call: UInt64 = 0
}

/// A bound value that a scene sets.
struct BoundSceneValue: BitwiseCopyable {
    let scene: Int32
    let value: Int32
    let setting: Float
}
