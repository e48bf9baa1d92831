internal import Pipelines

/// One binding, as the audio thread reads it.
struct BindingEntry: BitwiseCopyable {
    /// What it listens to.
    enum Trigger: Int32, BitwiseCopyable { case controller, note, program }

    /// What it does.
    enum Effect: BitwiseCopyable {
        case absolute, toggle, momentary, relative
        /// Something that is not a value: the node and the target of the change that says it.
        case other(node: Int32, target: Int32)
    }

    let trigger: Trigger
    let number: Int32
    /// From 0 through 15; -1 for any.
    let channel: Int32
    /// The input's slot outside; -1 for any, -2 for one that is not there.
    let port: Int32
    /// -1 for any.
    let bank: Int32
    let isFine: Bool
    let encoding: StepEncoding
    let effect: Effect
    let isPickup: Bool
    /// What it moves, by its place among the bound values.
    let value: Int32
    let range: BoundRange
    /// The next binding of the same trigger and number; -1 after the last.
    var next: Int32 = -1
    /// The control whose position this binding tells; -1 for none.
    var feedback: Int32 = -1
    /// What it set last: as long as the value is that, the control has hold of it.
    var held = Float.nan

    /// How far a controller's way is.
    var mostSteps: Int32 { @_noLocks get { isFine ? 16383 : 127 } }

    /// Whether a message from a port is for it.
    @_noLocks
    func listens(to message: ControlMessage, port: Int32, bank: Int32) -> Bool {
        // The upper half of a fine controller comes by its own number, the lower by another.
        let isMine = message.number == number || isFine
        return isMine && (channel < 0 || channel == message.channel)
            && (self.port == -1 || self.port == port)
            && (self.bank < 0 || self.bank == max(0, bank))
    }
}

/// How a controller says steps.
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

    /// The steps that a controller's value from 0 through 127 says.
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
    /// What this call's messages made of it, if `call` is this call.
    var pending: Float = 0
    var call: UInt64 = 0
}

/// What a scene does to a bound value.
struct BoundSceneValue: BitwiseCopyable {
    let scene: Int32
    let value: Int32
    let setting: Float
}
