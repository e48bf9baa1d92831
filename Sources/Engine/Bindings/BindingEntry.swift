internal import Pipelines

/// One binding, in the form that the audio thread reads.
struct BindingEntry: BitwiseCopyable {
    /// The kind of message that triggers the binding.
    enum Trigger: Int32, BitwiseCopyable, CaseIterable {
        case controller, note, program, bend, channelPressure, keyPressure, key
    }

    /// The kind of press that the binding acts on.
    enum Press: BitwiseCopyable { case short, long, double }

    /// The effect of the binding.
    enum Effect: BitwiseCopyable {
        case absolute, toggle, momentary, relative
        /// Triggers a parameter that is an action.
        case trigger
        /// Moves the value to the next entry of a list.
        case cycle(ValueCycle)
        /// Selects an item of a player and starts it: the indices of both parameters, and the
        /// number of the item.
        case cue(node: Int32, item: Int32, start: Int32, number: Float)
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
    let press: Press
    /// How long a long press lasts, or within how many frames the second press of a double press
    /// follows the first.
    let pressFrames: UInt64
    /// The frames after a press in which further presses have no effect.
    let guardFrames: UInt64
    /// A number that identifies the binding in later schedules, too.
    let identity: UInt64
    /// The index of the binding in the pipeline.
    let binding: Int32
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
    var maximumSteps: Int32 { @_noLocks get { isFine || trigger == .bend ? 16383 : 127 } }

    /// Whether a press triggers the binding; if not, it follows the positions of the control.
    var isPressed: Bool {
        @_noLocks get {
            switch effect {
            case .absolute, .momentary, .relative: false
            case .toggle, .trigger, .cycle, .cue, .other: true
            }
        }
    }

    /// Whether the binding selects the values of a list in turn.
    var isCycle: Bool { @_noLocks get { if case .cycle = effect { true } else { false } } }

    /// Whether the binding waits if the control also has bindings for long or double presses.
    var isDeferrable: Bool { @_noLocks get { isPressed && !isFine && press == .short } }

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

    /// Returns whether the binding accepts presses of a control.
    @_noLocks
    func listens(to control: PressedControl) -> Bool {
        listens(
            to: control.message, port: control.port, bank: control.bank, isCopy: control.isCopy)
    }

    /// Returns whether the binding acts on a kind of press, some frames after the first press.
    @_noLocks
    func matches(_ press: Press, after elapsed: UInt64) -> Bool {
        guard self.press == press else { return false }
        return switch press {
        case .short: isDeferrable
        case .long: pressFrames == elapsed
        case .double: pressFrames > elapsed
        }
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
