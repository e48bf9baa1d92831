/// The processing of one call's messages by the bindings.
struct BindingRun: BitwiseCopyable {
    let values: NodeValues
    let memory: ControllerMemory
    let states: BindingStates
    /// The resulting changes, ordered by frame.
    let changes: UnsafeMutablePointer<BoundChange>
    let capacity: Int32
    var count: Int32 = 0
    /// The number of the call, from 1.
    let call: UInt64
    /// The engine's frame at the start of the call.
    let clock: UInt64
    /// The frame and the port of the current message.
    var frame: Int32 = 0
    var port: Int32 = 0
    /// Whether another input has received the current message as well, and bindings that listen to
    /// any input have already acted on it.
    var isCopy = false

    /// The engine's frame of the current message.
    var now: UInt64 { @_noLocks get { clock &+ UInt64(max(0, frame)) } }

    /// Returns the current value, including the effect of all earlier messages of the call.
    @_noLocks
    func value(_ bound: UnsafePointer<BoundValue>) -> Float {
        bound.pointee.call == call
            ? bound.pointee.pending : values.value(bound.pointee.node, bound.pointee.target)
    }

    /// Appends a change; returns false if there is no room.
    @_noLocks
    mutating func add(node: Int32, target: Int32, value: Float, binding: Int32) -> Bool {
        guard count < capacity else { return false }
        changes[Int(count)] = BoundChange(
            frame: frame, node: node, target: target, value: value, binding: binding)
        count += 1
        return true
    }

    /// Triggers a bound action; returns false if there is no room for it.
    @_noLocks
    mutating func trigger(_ bound: UnsafePointer<BoundValue>, binding: Int32) -> Bool {
        add(node: bound.pointee.node, target: bound.pointee.target, value: 1, binding: binding)
    }

    /// Changes a bound value; returns false if the value is the same, or if there is no room for
    /// the change.
    @_noLocks
    mutating func set(
        _ bound: UnsafeMutablePointer<BoundValue>, _ value: Float, binding: Int32
    ) -> Bool {
        guard self.value(bound) != value,
            add(
                node: bound.pointee.node, target: bound.pointee.target, value: value,
                binding: binding)
        else { return false }
        bound.pointee.pending = value
        bound.pointee.call = call
        return true
    }
}
