internal import CRealtime

/// A control that receives feedback about the position of its value.
struct FeedbackControl: BitwiseCopyable {
    let trigger: BindingEntry.Trigger
    let number: Int32
    /// 0 through 15.
    let channel: Int32
    let isFine: Bool
    /// Whether the control has only two positions.
    let isSwitch: Bool
    let node: Int32
    let target: Int32
    let range: BoundRange
    /// The value that the control represents, as far as known.
    var shownValue = Float.nan
    /// The last position of the control, as it sent it or as feedback set it; -1 if unknown.
    var position: Int32 = -1
    /// Whether to send the position even if it has not changed.
    var isDue = true
    /// The positions that were sent recently and may come back as echoes; the halves of a fine
    /// control separately.
    private var sent = SevenBitSet()
    private var sentLower = SevenBitSet()
    private var sentAt: UInt64 = 0

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

    /// The number of messages per position.
    var messageCount: Int32 { @_noLocks get { isFine ? 2 : 1 } }
    private var maximumSteps: Int32 { @_noLocks get { isFine ? 16383 : 127 } }

    /// Returns whether the control needs feedback for a value.
    @_noLocks
    mutating func needsSending(_ value: Float) -> Bool {
        if isDue { return true }
        guard value != shownValue else { return false }
        if index(of: value) != position { return true }
        shownValue = value
        return false
    }

    @_noLocks
    private func index(of value: Float) -> Int32 {
        isSwitch ? (range.isOn(value) ? maximumSteps : 0) : range.step(of: value, of: maximumSteps)
    }

    /// Sends the position of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sink: The destination.
    ///   - frame: The frame, counted from the start of the call.
    ///   - clock: The engine's frame.
    ///   - frames: The time within which an echo may arrive, in frames.
    /// - Returns: Whether the sink had room.
    @_noLocks
    mutating func send(
        _ value: Float, _ sink: RTMessageSink, frame: Int32, clock: UInt64,
        echoWithin frames: UInt64
    ) -> Bool {
        let index = index(of: value)
        if isFine {
            guard sendMessage(number, index >> 7, sink, frame),
                sendMessage(number + 32, index & 127, sink, frame)
            else { return false }
        } else {
            guard sendMessage(number, index, sink, frame) else { return false }
        }
        (shownValue, position, isDue) = (value, index, false)
        expectEcho(clock, within: frames)
        return true
    }

    @_noLocks
    private func sendMessage(_ number: Int32, _ value: Int32, _ sink: RTMessageSink, _ frame: Int32)
        -> Bool
    {
        let status: UInt8 = trigger == .note ? 0x90 : 0xB0
        var bytes = (status | UInt8(channel), UInt8(number), UInt8(value))
        return withUnsafeBytes(of: &bytes) { raw in
            guard let first = raw.baseAddress else { return false }
            return rt_give_message(sink, frame, first.assumingMemoryBound(to: UInt8.self), 3)
        }
    }

    // MARK: Echoes

    @_noLocks
    private mutating func expectEcho(_ clock: UInt64, within frames: UInt64) {
        if clock &- sentAt > frames {
            sent = SevenBitSet()
            sentLower = SevenBitSet()
        }
        sentAt = clock
        sent.insert(isFine ? position >> 7 : position)
        if isFine { sentLower.insert(position & 127) }
    }

    /// Returns whether a message only echoes feedback.
    ///
    /// While a value keeps moving, echoes are older than the feedback sent last.
    @_noLocks
    mutating func echo(
        _ message: ControlMessage, at now: UInt64, within frames: UInt64
    ) -> FeedbackTable.Echo {
        // The user may send the same position: only a message that arrives soon is an echo.
        guard now &- sentAt <= frames else { return .none }
        let isLower = isFine && message.number != number
        guard isLower ? sentLower.contains(message.value) : sent.contains(message.value) else {
            return .none
        }
        guard isSwitch else { return .ofPosition }
        // A press may look like an echo, so each feedback message accounts for only one echo.
        // Releases need no check, because an echoed release has no effect.
        guard message.value >= 64 else { return .none }
        if isLower { sentLower.remove(message.value) } else { sent.remove(message.value) }
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
