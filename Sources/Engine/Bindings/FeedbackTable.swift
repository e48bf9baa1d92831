internal import CRealtime

/// The controls that are told where their values are, so that motor faders and lights follow.
struct FeedbackTable: BitwiseCopyable {
    /// The most messages of a call.
    static var mostMessages: Int32 { @_noLocks get { 32 } }
    /// How long after a control was told its position the same from it is only an echo.
    static let echoSeconds = 0.1

    let controls: UnsafeMutablePointer<FeedbackControl>
    let count: Int
    /// Where the next call begins, so that all have their turn.
    let cursor: UnsafeMutablePointer<Int32>
    let echoFrames: UInt64

    /// What a message is that comes back from a control.
    enum Echo: BitwiseCopyable { case none, ofPosition, ofSwitch }

    /// Has every control told its position, changed or not.
    @_noLocks
    func tellAll() { for place in 0..<count { controls[place].isDue = true } }

    /// A control has itself given its value this value.
    @_noLocks
    func follows(_ control: Int32, _ position: Int32, _ value: Float) {
        guard control >= 0 else { return }
        controls[Int(control)].position = position
        controls[Int(control)].known = value
        controls[Int(control)].isDue = false
    }

    /// A control shows only what it is told, also of what it did itself, as a button that toggles and whose light is ours.
    @_noLocks
    func isToBeTold(_ control: Int32) {
        guard control >= 0 else { return }
        controls[Int(control)].isDue = true
    }

    /// A control is somewhere without having its value.
    @_noLocks
    func isElsewhere(_ control: Int32, _ position: Int32) {
        guard control >= 0 else { return }
        controls[Int(control)].position = position
    }

    /// Whether a message is only what its control was told, from the first binding of its number on.
    @_noLocks
    func echo(
        _ message: ControlMessage, _ entries: UnsafePointer<BindingEntry>, _ first: Int32,
        onlyFine: Bool = false, _ run: BindingRun
    ) -> Echo {
        var place = first
        while place >= 0 {
            let control = Int(entries[Int(place)].feedback)
            if control >= 0, controls[control].channel == message.channel,
                controls[control].isFine || !onlyFine
            {
                return controls[control].echo(message, at: run.now, within: echoFrames)
            }
            place = entries[Int(place)].next
        }
        return .none
    }

    /// Tells the controls whose values were changed by others, as far as the call's messages go.
    @_noLocks
    func send(_ sink: RTMessageSink, frame: Int32, _ values: LiveValues, clock: UInt64) {
        guard sink.take != nil, sink.context != nil, count > 0 else { return }
        var room = Self.mostMessages
        let start = Int(cursor.pointee)
        for turn in 0..<count {
            let place = (start + turn) % count
            let control = controls + place
            let value = values.value(control.pointee.node, control.pointee.target)
            guard control.pointee.isToBeTold(value) else { continue }
            guard room >= control.pointee.messageCount,
                control.pointee.tell(
                    value, sink, frame: frame, clock: clock, echoWithin: echoFrames)
            else {
                cursor.pointee = Int32(place)
                return
            }
            room -= control.pointee.messageCount
        }
        cursor.pointee = 0
    }
}
