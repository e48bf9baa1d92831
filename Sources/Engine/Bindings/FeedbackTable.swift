internal import CRealtime

/// The controls that receive feedback about their values, so that motor faders and lights follow.
struct FeedbackTable: BitwiseCopyable {
    /// The maximum number of messages per call.
    static var maximumMessages: Int32 { @_noLocks get { 32 } }
    /// The time after feedback during which the same position from a control counts as an echo.
    static let echoSeconds = 0.1

    let controls: UnsafeMutablePointer<FeedbackControl>
    let count: Int
    /// The control at which the next call starts, so that every control has its turn.
    let cursor: UnsafeMutablePointer<Int32>
    let echoFrames: UInt64

    /// The kind of echo of a message, if it is one.
    enum Echo: BitwiseCopyable { case none, ofPosition, ofSwitch }

    /// Makes every control receive its position, changed or not.
    @_noLocks
    func sendAll() { for index in 0..<count { controls[index].isDue = true } }

    /// Records that a control itself set its value to `value`.
    @_noLocks
    func recordOwnChange(_ control: Int32, _ position: Int32, _ value: Float) {
        guard control >= 0 else { return }
        controls[Int(control)].position = position
        controls[Int(control)].shownValue = value
        controls[Int(control)].isDue = false
    }

    /// Makes a control receive feedback even about its own changes, such as a toggle button whose
    /// light follows feedback.
    @_noLocks
    func markForSending(_ control: Int32) {
        guard control >= 0 else { return }
        controls[Int(control)].isDue = true
    }

    /// Records the position of a control that has not picked up its value.
    @_noLocks
    func recordPosition(_ control: Int32, _ position: Int32) {
        guard control >= 0 else { return }
        controls[Int(control)].position = position
    }

    /// Returns whether a message only echoes the feedback of its control, starting at the first
    /// binding of its number.
    @_noLocks
    func echo(
        _ message: ControlMessage, _ entries: UnsafePointer<BindingEntry>, _ first: Int32,
        onlyFine: Bool = false, _ run: BindingRun
    ) -> Echo {
        var index = first
        while index >= 0 {
            let control = Int(entries[Int(index)].feedback)
            if control >= 0, controls[control].channel == message.channel,
                controls[control].isFine || !onlyFine
            {
                return controls[control].echo(message, at: run.now, within: echoFrames)
            }
            index = entries[Int(index)].next
        }
        return .none
    }

    /// Sends feedback for values that were not changed by their controls, up to `maximumMessages`
    /// per call.
    @_noLocks
    func send(_ sink: RTMessageSink, frame: Int32, _ values: NodeValues, clock: UInt64) {
        guard sink.receive != nil, sink.context != nil, count > 0 else { return }
        var room = Self.maximumMessages
        let start = Int(cursor.pointee)
        for offset in 0..<count {
            let index = (start + offset) % count
            let control = controls + index
            let value = values.value(control.pointee.node, control.pointee.target)
            guard control.pointee.needsSending(value) else { continue }
            guard room >= control.pointee.messageCount,
                control.pointee.send(
                    value, sink, frame: frame, clock: clock, echoWithin: echoFrames)
            else {
                cursor.pointee = Int32(index)
                return
            }
            room -= control.pointee.messageCount
        }
        cursor.pointee = 0
    }
}
