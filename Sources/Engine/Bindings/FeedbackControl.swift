internal import CRealtime

/// A control that is told where its value is.
struct FeedbackControl: BitwiseCopyable {
    let trigger: BindingEntry.Trigger
    let number: Int32
    /// From 0 through 15.
    let channel: Int32
    let isFine: Bool
    /// Whether it has two positions only.
    let isSwitch: Bool
    let node: Int32
    let target: Int32
    let range: BoundRange
    /// The value that the control stands for, as far as it is known here.
    var known = Float.nan
    /// Where the control was last, by its own word or by ours; -1 where that is not known.
    var position: Int32 = -1
    /// Whether it is told its position even where that is no news.
    var isDue = true
    /// Whether it was told, and nothing else came from it since.
    private var awaitsEcho = false
    private var toldAt: UInt64 = 0

    init(_ entry: BindingEntry, _ bound: BoundValue, channel: Int32, isSwitch: Bool) {
        trigger = entry.trigger
        number = entry.number
        self.channel = channel
        isFine = entry.isFine
        self.isSwitch = isSwitch
        node = bound.node
        target = bound.target
        range = entry.range
    }

    /// Messages that one position takes.
    var messageCount: Int32 { @_noLocks get { isFine ? 2 : 1 } }
    private var mostSteps: Int32 { @_noLocks get { isFine ? 16383 : 127 } }

    /// Whether a value is news for the control.
    @_noLocks
    mutating func isToBeTold(_ value: Float) -> Bool {
        if isDue { return true }
        guard value != known else { return false }
        if place(of: value) != position { return true }
        known = value
        return false
    }

    @_noLocks
    private func place(of value: Float) -> Int32 {
        isSwitch ? (range.isOn(value) ? mostSteps : 0) : range.step(of: value, of: mostSteps)
    }

    /// Sends the value's position; false where there is no room for it.
    @_noLocks
    mutating func tell(_ value: Float, _ sink: RTMessageSink, frame: Int32, clock: UInt64) -> Bool {
        let place = place(of: value)
        if isFine {
            guard give(number, place >> 7, sink, frame), give(number + 32, place & 127, sink, frame)
            else { return false }
        } else {
            guard give(number, place, sink, frame) else { return false }
        }
        (known, position, isDue) = (value, place, false)
        (awaitsEcho, toldAt) = (true, clock)
        return true
    }

    @_noLocks
    private func give(_ number: Int32, _ value: Int32, _ sink: RTMessageSink, _ frame: Int32)
        -> Bool
    {
        let status: UInt8 = trigger == .note ? 0x90 : 0xB0
        var bytes = (status | UInt8(channel), UInt8(number), UInt8(value))
        return withUnsafeBytes(of: &bytes) { raw in
            guard let first = raw.baseAddress else { return false }
            return rt_give_message(sink, frame, first.assumingMemoryBound(to: UInt8.self), 3)
        }
    }

    // MARK: What comes back

    /// Whether a message is only what the control was told.
    @_noLocks
    mutating func echo(
        _ message: ControlMessage, at now: UInt64, within frames: UInt64
    ) -> FeedbackTable.Echo {
        guard awaitsEcho, !isDue else { return .none }
        // A hand may send the same: only what comes at once is an echo, and of a switch only once.
        let isEcho = message.value == told(by: message) && now &- toldAt <= frames
        awaitsEcho = isEcho && (isFine || !isSwitch)
        return isEcho ? isSwitch ? .ofSwitch : .ofPosition : .none
    }

    /// What the control was told by such a message.
    @_noLocks
    private func told(by message: ControlMessage) -> Int32 {
        guard isFine else { return position }
        return message.number == number ? position >> 7 : position & 127
    }
}
