/// One call's messages on their way through the bindings.
struct BindingRun: BitwiseCopyable {
    let values: LiveValues
    let memory: ControllerMemory
    /// Where the changes go, in the order of their frames.
    let changes: UnsafeMutablePointer<BoundChange>
    let capacity: Int32
    var count: Int32 = 0
    /// Counts the calls, from 1.
    let call: UInt64
    /// The engine's frame at which the call begins.
    let clock: UInt64
    /// Of the message at hand.
    var frame: Int32 = 0
    var port: Int32 = 0

    /// The engine's frame of the message at hand.
    var now: UInt64 { @_noLocks get { clock &+ UInt64(max(0, frame)) } }

    /// What a value is by now, all messages before this one done.
    @_noLocks
    func value(_ bound: UnsafePointer<BoundValue>) -> Float {
        bound.pointee.call == call
            ? bound.pointee.pending : values.value(bound.pointee.node, bound.pointee.target)
    }

    /// Notes a change; false where there is no room for it.
    @_noLocks
    mutating func add(node: Int32, target: Int32, value: Float, binding: Int32) -> Bool {
        guard count < capacity else { return false }
        changes[Int(count)] = BoundChange(
            frame: frame, node: node, target: target, value: value, binding: binding)
        count += 1
        return true
    }

    /// Gives a bound value another one; false where it is that already, or there is no room for the change.
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
