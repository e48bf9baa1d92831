/// A control that can be pressed, identified by the properties that all its messages share.
struct PressedControl: BitwiseCopyable {
    let trigger: BindingEntry.Trigger
    /// The engine slot of the input.
    let port: Int32
    /// 0 through 15.
    let channel: Int32
    let number: Int32
    /// The bank that was selected at the press; -1 if none was.
    let bank: Int32
    /// Whether another input received the press as well, so that bindings of any input do not act.
    let isCopy: Bool

    /// A message that presses the control.
    var message: ControlMessage {
        @_noLocks get {
            let kind: ControlMessage.Kind =
                switch trigger {
                case .note: .noteOn
                case .program: .program
                default: .controller
                }
            return ControlMessage(kind: kind, channel: channel, number: number, value: 127)
        }
    }

    /// Returns whether a message from a port comes from this control.
    @_noLocks
    func sends(_ message: ControlMessage, trigger: BindingEntry.Trigger, port: Int32) -> Bool {
        self.port == port && number == message.number && channel == message.channel
            && self.trigger == trigger
    }
}

/// A press that is not decided yet: it may become a short, a long or a double one.
private struct PressGesture: BitwiseCopyable {
    let control: PressedControl
    let pressedAt: UInt64
    /// Whether the press only repeated the position of a controller.
    let isRepeat: Bool
    /// The frame from which a second press is another press.
    let windowEnd: UInt64
    /// Whether a short press is decided only at the release, because there are long presses.
    let waitsForRelease: Bool
    /// The frame of the next long press, if the control is held until then; `.max` for none.
    var nextHold: UInt64
    var isDown = true
    /// Whether a long press has acted, so that the release is no short press.
    var wasLong = false

    /// The frame at which the next part of the press is decided; `.max` if a message decides it.
    var due: UInt64 {
        @_noLocks get {
            let short = wasLong || isDown && waitsForRelease ? .max : windowEnd
            return isDown ? min(nextHold, short) : short
        }
    }
}

/// Decides whether presses of controls with long or double presses are short, long or double ones.
///
/// - A press is long when the control is still down after the time of the binding.
/// - A press is double if it follows another one within the time of the binding.
/// - A press is short when it can be neither: at its release, or when the time for a second press
///   has passed, whichever is later. If the control has no long presses, the release does not
///   matter.
///
/// Decisions of a frame precede the messages of that frame.
struct PressGestures: BitwiseCopyable {
    /// The maximum number of undecided presses; a further press acts at once as a short one.
    private static var capacity: Int { @_noLocks get { 128 } }

    private let gestures: UnsafeMutablePointer<PressGesture>
    private let count: UnsafeMutablePointer<Int>

    init(arena: Arena) {
        let none = PressGesture(
            control: PressedControl(
                trigger: .controller, port: 0, channel: 0, number: 0, bank: -1, isCopy: false),
            pressedAt: 0, isRepeat: false, windowEnd: 0, waitsForRelease: false, nextHold: .max)
        gestures = arena.allocate(Self.capacity, none)
        count = arena.allocate(1, 0)
    }

    /// Whether all presses are decided.
    var isEmpty: Bool { @_noLocks get { count.pointee == 0 } }

    // MARK: Messages

    /// Begins or ends a press.
    ///
    /// - Parameters:
    ///   - message: The message that presses the control.
    ///   - trigger: The kind of control.
    ///   - isRepeat: Whether the message only repeats the position of a controller.
    ///   - table: The bindings.
    ///   - run: The frame and the port of the message.
    @_noLocks
    func press(
        _ message: ControlMessage, _ trigger: BindingEntry.Trigger, isRepeat: Bool,
        _ table: BindingTable, _ run: inout BindingRun
    ) {
        let control = PressedControl(
            trigger: trigger, port: run.port, channel: message.channel, number: message.number,
            bank: run.memory.bank(port: run.port, channel: message.channel), isCopy: run.isCopy)
        let hold = table.nextHold(of: control, after: 0)
        // A control that can be held sends releases, so a repeated position is no other press.
        if isRepeat, hold != nil { return }
        if let index = index(message, trigger, run.port) {
            let gesture = gestures[index]
            remove(index)
            let elapsed = run.now &- gesture.pressedAt
            if run.now < gesture.windowEnd, !gesture.wasLong,
                table.act(on: control, .double, after: elapsed, isRepeat: isRepeat, &run)
            {
                return
            }
            // The release of the first press did not arrive.
            if !gesture.wasLong { actShort(gesture, table, &run) }
        }
        begin(control, hold, isRepeat: isRepeat, table, &run)
    }

    @_noLocks
    private func begin(
        _ control: PressedControl, _ hold: UInt64?, isRepeat: Bool, _ table: BindingTable,
        _ run: inout BindingRun
    ) {
        let gesture = PressGesture(
            control: control, pressedAt: run.now, isRepeat: isRepeat,
            windowEnd: run.now &+ table.window(of: control), waitsForRelease: hold != nil,
            nextHold: hold.map { run.now &+ $0 } ?? .max)
        guard count.pointee < Self.capacity, gesture.due > run.now else {
            return actShort(gesture, table, &run)
        }
        gestures[count.pointee] = gesture
        count.pointee += 1
    }

    /// Ends a press.
    @_noLocks
    func release(
        _ message: ControlMessage, _ trigger: BindingEntry.Trigger, _ table: BindingTable,
        _ run: inout BindingRun
    ) {
        guard let index = index(message, trigger, run.port) else { return }
        gestures[index].isDown = false
        let gesture = gestures[index]
        if gesture.wasLong { return remove(index) }
        guard run.now >= gesture.windowEnd else { return }
        remove(index)
        actShort(gesture, table, &run)
    }

    // MARK: Time

    /// Decides all presses whose decision is due by a frame, in the order of time.
    ///
    /// - Parameters:
    ///   - end: The last frame, counted as the engine's frames.
    ///   - table: The bindings.
    ///   - run: Receives the changes; afterwards, its frame, port and copy describe the last press.
    @_noLocks
    func advance(to end: UInt64, _ table: BindingTable, _ run: inout BindingRun) {
        while let index = firstDue, gestures[index].due <= end {
            let due = gestures[index].due
            run.frame = due > run.clock ? Int32(clamping: due - run.clock) : 0
            run.port = gestures[index].control.port
            run.isCopy = gestures[index].control.isCopy
            decide(index, due, table, &run)
        }
    }

    /// The index of the press that is decided next; among equal frames the earliest press.
    private var firstDue: Int? {
        @_noLocks get {
            var found: Int?
            var earliest = UInt64.max
            for index in 0..<count.pointee where gestures[index].due < earliest {
                (found, earliest) = (index, gestures[index].due)
            }
            return found
        }
    }

    @_noLocks
    private func decide(
        _ index: Int, _ due: UInt64, _ table: BindingTable, _ run: inout BindingRun
    ) {
        var gesture = gestures[index]
        guard gesture.isDown, gesture.nextHold == due else {
            remove(index)
            return actShort(gesture, table, &run)
        }
        let elapsed = due &- gesture.pressedAt
        if table.act(on: gesture.control, .long, after: elapsed, isRepeat: false, &run) {
            gesture.wasLong = true
        }
        gesture.nextHold =
            table.nextHold(of: gesture.control, after: elapsed)
            .map { gesture.pressedAt &+ $0 } ?? .max
        gestures[index] = gesture
    }

    @_noLocks
    private func actShort(
        _ gesture: PressGesture, _ table: BindingTable, _ run: inout BindingRun
    ) {
        _ = table.act(
            on: gesture.control, .short, after: 0, isRepeat: gesture.isRepeat, &run)
    }

    // MARK: Storage

    @_noLocks
    private func index(
        _ message: ControlMessage, _ trigger: BindingEntry.Trigger, _ port: Int32
    ) -> Int? {
        for index in 0..<count.pointee
        where gestures[index].control.sends(message, trigger: trigger, port: port) {
            return index
        }
        return nil
    }

    /// Removes a press; the others keep their order.
    @_noLocks
    private func remove(_ index: Int) {
        count.pointee -= 1
        for later in index..<max(index, count.pointee) { gestures[later] = gestures[later + 1] }
    }
}
