/// A control that acts once for each message: LV2's port property `trigger`.
///
/// The control has the value of the message in one run, and its default after that. Further messages
/// of the same period wait for a run each, with a run at the default between them, because some
/// plugins act only when the value changes.
struct ControlTrigger: BitwiseCopyable {
    /// The maximum number of waiting messages; further ones are lost.
    private static var mostWaiting: Int32 { @_noLocks get { 1024 } }

    /// The address from which the plugin reads the control.
    private let address: UnsafeMutablePointer<Float>
    private let restingValue: Float
    private var value: Float
    private var waiting: Int32 = 0
    private var isRaised = false
    /// Whether the last run had the value of a message.
    private var wasRaised = false

    init(_ address: UnsafeMutablePointer<Float>, restingValue: Float) {
        self.address = address
        self.restingValue = restingValue
        value = restingValue
    }

    /// Notes a message; one with the default value has no effect.
    @_noLocks
    mutating func receive(_ value: Float) {
        guard value != restingValue else { return }
        self.value = value
        waiting = min(waiting + 1, Self.mostWaiting)
    }

    /// Gives the control its value for the next run.
    @_noLocks
    mutating func beginRun() {
        isRaised = waiting > 0 && !wasRaised
        if isRaised {
            waiting -= 1
            address.pointee = value
        }
    }

    /// Gives the control its default after a run; returns whether the next run must begin and end
    /// as well, because messages wait or this run had the value of one.
    @_noLocks
    mutating func endRun() -> Bool {
        address.pointee = restingValue
        wasRaised = isRaised
        return waiting > 0 || isRaised
    }
}
