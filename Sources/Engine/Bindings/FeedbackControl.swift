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
    /// What it was told lately, and may send back; of a fine control each half.
    private var told = SevenBitSet()
    private var toldLower = SevenBitSet()
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
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sink: Where to.
    ///   - frame: From the call's first.
    ///   - clock: The engine's frame.
    ///   - frames: How long an echo of it may take.
    /// - Returns: Whether it was taken.
    @_noLocks
    mutating func tell(
        _ value: Float, _ sink: RTMessageSink, frame: Int32, clock: UInt64,
        echoWithin frames: UInt64
    ) -> Bool {
        let place = place(of: value)
        if isFine {
            guard give(number, place >> 7, sink, frame), give(number + 32, place & 127, sink, frame)
            else { return false }
        } else {
            guard give(number, place, sink, frame) else { return false }
        }
        (known, position, isDue) = (value, place, false)
        expectEcho(clock, within: frames)
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

    @_noLocks
    private mutating func expectEcho(_ clock: UInt64, within frames: UInt64) {
        if clock &- toldAt > frames {
            told = SevenBitSet()
            toldLower = SevenBitSet()
        }
        toldAt = clock
        told.insert(isFine ? position >> 7 : position)
        if isFine { toldLower.insert(position & 127) }
    }

    /// Whether a message is only what the control was told.
    ///
    /// While a value goes on moving, what comes back is older than what was told last.
    @_noLocks
    mutating func echo(
        _ message: ControlMessage, at now: UInt64, within frames: UInt64
    ) -> FeedbackTable.Echo {
        // A hand may send the same: only what comes soon is an echo.
        guard now &- toldAt <= frames else { return .none }
        let isLower = isFine && message.number != number
        guard isLower ? toldLower.contains(message.value) : told.contains(message.value) else {
            return .none
        }
        guard isSwitch else { return .ofPosition }
        // A press may be the same as an echo, so it counts once; a release does nothing that an echo should not.
        guard message.value >= 64 else { return .none }
        if isLower { toldLower.remove(message.value) } else { told.remove(message.value) }
        return .ofSwitch
    }
}

/// A set of numbers from 0 through 127.
private struct SevenBitSet: BitwiseCopyable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    @_noLocks
    func contains(_ number: Int32) -> Bool {
        (number < 64 ? low : high) & Self.bit(number) != 0
    }

    @_noLocks
    mutating func insert(_ number: Int32) {
        if number < 64 { low |= Self.bit(number) } else { high |= Self.bit(number) }
    }

    @_noLocks
    mutating func remove(_ number: Int32) {
        if number < 64 { low &= ~Self.bit(number) } else { high &= ~Self.bit(number) }
    }

    @_noLocks
    private static func bit(_ number: Int32) -> UInt64 { 1 &<< UInt64(number & 63) }
}
