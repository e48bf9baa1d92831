/// The bindings of a pipeline, in the form that the audio thread reads; valid while their
/// `Bindings` object exists.
package struct BindingTable: BitwiseCopyable {
    let entries: UnsafeMutablePointer<BindingEntry>
    /// The first binding of each trigger and number; -1 for a trigger without bindings.
    let heads: UnsafeMutablePointer<Int32>
    let values: UnsafeMutablePointer<BoundValue>
    /// The bound values that scenes set, scene by scene.
    let sceneValues: UnsafePointer<BoundSceneValue>
    let sceneValueCount: Int
    let feedback: FeedbackTable
    /// Whether any binding acts on long or double presses.
    let hasGestures: Bool

    /// Applies a controller message.
    @_noLocks
    func act(
        on message: ControlMessage, _ gestures: PressGestures, _ run: inout BindingRun
    ) -> ControllerMove {
        let echo = echo(message, run)
        // An echo from a switch is not a press, neither now nor in later comparisons.
        if echo == .ofSwitch { return ControllerMove(previous: message.value, now: message.value) }
        let move = run.memory.receive(message, port: run.port)
        let head = first(message.number, .controller)
        let defers = hasGestures(message, head, run)
        act(
            on: message, move, isEcho: echo == .ofPosition, head, defers: defers, &run)
        if defers {
            if move.isPress || move.isRepeat {
                gestures.press(message, .controller, isRepeat: !move.isPress, self, &run)
            } else if move.isRelease {
                gestures.release(message, .controller, self, &run)
            }
        }
        guard (32..<64).contains(message.number) else { return move }
        // The message may be the lower half of a fine controller, which has the number of its upper
        // half plus 32.
        let upper = heads[Int(message.number) - 32]
        act(on: message, move, isEcho: echo == .ofPosition, upper, onlyFine: true, &run)
        return move
    }

    /// Returns whether a controller message only echoes feedback, by its own number or by that of
    /// its upper half.
    @_noLocks
    private func echo(_ message: ControlMessage, _ run: BindingRun) -> FeedbackTable.Echo {
        let echo = feedback.echo(message, entries, first(message.number, .controller), run)
        guard echo == .none, (32..<64).contains(message.number) else { return echo }
        return feedback.echo(
            message, entries, heads[Int(message.number) - 32], onlyFine: true, run)
    }

    /// Applies a message that is no controller's.
    @_noLocks
    func actOnEvent(
        _ message: ControlMessage, _ gestures: PressGestures, _ run: inout BindingRun
    ) {
        guard let trigger = message.trigger else { return }
        let head = first(message.number, trigger)
        guard feedback.echo(message, entries, head, run) == .none else { return }
        let defers = hasGestures(message, head, run)
        act(
            on: message, ControllerMove(previous: -1, now: message.value), isEcho: false, head,
            defers: defers, &run)
        guard defers else { return }
        if message.kind == .noteOff {
            gestures.release(message, trigger, self, &run)
        } else {
            gestures.press(message, trigger, isRepeat: false, self, &run)
        }
    }

    @_noLocks
    private func first(_ number: Int32, _ trigger: BindingEntry.Trigger) -> Int32 {
        heads[Int(trigger.rawValue) * 128 + Int(number)]
    }

    // MARK: Presses

    /// Returns whether a control has bindings for long or double presses.
    @_noLocks
    private func hasGestures(
        _ message: ControlMessage, _ head: Int32, _ run: BindingRun
    ) -> Bool {
        guard hasGestures else { return false }
        let bank = run.memory.bank(port: run.port, channel: message.channel)
        var index = head
        while index >= 0 {
            let entry = entries + Int(index)
            if entry.pointee.press != .short,
                entry.pointee.listens(to: message, port: run.port, bank: bank, isCopy: run.isCopy)
            {
                return true
            }
            index = entry.pointee.next
        }
        return false
    }

    /// Returns the frames until the first long press of a control that lasts longer than `elapsed`
    /// frames; `nil` if it has none.
    @_noLocks
    func nextHold(of control: PressedControl, after elapsed: UInt64) -> UInt64? {
        var hold: UInt64?
        var index = first(control.number, control.trigger)
        while index >= 0 {
            let entry = entries + Int(index)
            if entry.pointee.press == .long, entry.pointee.pressFrames > elapsed,
                entry.pointee.pressFrames < hold ?? .max, entry.pointee.listens(to: control)
            {
                hold = entry.pointee.pressFrames
            }
            index = entry.pointee.next
        }
        return hold
    }

    /// Returns the frames within which the second press of a control counts as a double press; 0 if
    /// it has no double presses.
    @_noLocks
    func window(of control: PressedControl) -> UInt64 {
        var window: UInt64 = 0
        var index = first(control.number, control.trigger)
        while index >= 0 {
            let entry = entries + Int(index)
            if entry.pointee.press == .double, entry.pointee.listens(to: control) {
                window = max(window, entry.pointee.pressFrames)
            }
            index = entry.pointee.next
        }
        return window
    }

    /// Carries out the bindings of a control for a kind of press.
    ///
    /// - Parameters:
    ///   - control: The control.
    ///   - press: The kind of press.
    ///   - elapsed: The frames since the first press.
    ///   - isRepeat: Whether the press only repeated the position of a controller.
    ///   - run: The frame and the port of the press.
    /// - Returns: Whether the control has such a binding.
    @_noLocks
    func act(
        on control: PressedControl, _ press: BindingEntry.Press, after elapsed: UInt64,
        isRepeat: Bool, _ run: inout BindingRun
    ) -> Bool {
        var hasFound = false
        var index = first(control.number, control.trigger)
        while index >= 0 {
            let entry = entries + Int(index)
            if entry.pointee.matches(press, after: elapsed), entry.pointee.listens(to: control) {
                hasFound = true
                var reaction = BindingReaction(
                    entry: entry, bound: values + Int(entry.pointee.value),
                    message: control.message, move: ControllerMove(previous: -1, now: 127),
                    isEcho: false)
                reaction.actOnPress(isRepeat: isRepeat, feedback, &run)
                followScene(entry.pointee.effect, reaction.hasActed, run)
            }
            index = entry.pointee.next
        }
        return hasFound
    }

    @_noLocks
    private func act(
        on message: ControlMessage, _ move: ControllerMove, isEcho: Bool, _ head: Int32,
        onlyFine: Bool = false, defers: Bool = false, _ run: inout BindingRun
    ) {
        let bank = run.memory.bank(port: run.port, channel: message.channel)
        var index = head
        while index >= 0 {
            let entry = entries + Int(index)
            if entry.pointee.isFine || !onlyFine, entry.pointee.press == .short,
                !(defers && entry.pointee.isDeferrable),
                entry.pointee.listens(to: message, port: run.port, bank: bank, isCopy: run.isCopy)
            {
                var reaction = BindingReaction(
                    entry: entry, bound: values + Int(entry.pointee.value),
                    message: message, move: move, isEcho: isEcho)
                reaction.act(feedback, &run)
                followScene(entry.pointee.effect, reaction.hasActed, run)
            }
            index = entry.pointee.next
        }
    }

    /// Makes later messages of the same call start from the values of a scene.
    @_noLocks
    private func followScene(_ effect: BindingEntry.Effect, _ hasActed: Bool, _ run: BindingRun) {
        guard hasActed, case .other(let node, let scene) = effect, node == BoundChange.scene
        else { return }
        for index in 0..<sceneValueCount where sceneValues[index].scene == scene {
            let bound = values + Int(sceneValues[index].value)
            guard !bound.pointee.isTrigger else { continue }
            bound.pointee.pending = sceneValues[index].setting
            bound.pointee.call = run.call
        }
    }
}
