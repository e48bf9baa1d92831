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

    /// Applies a controller message.
    @_noLocks
    func act(on message: ControlMessage, _ run: inout BindingRun) -> ControllerMove {
        let echo = echo(message, run)
        // An echo from a switch is not a press, neither now nor in later comparisons.
        if echo == .ofSwitch { return ControllerMove(previous: message.value, now: message.value) }
        let move = run.memory.receive(message, port: run.port)
        act(on: message, move, isEcho: echo == .ofPosition, first(message, .controller), &run)
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
        let echo = feedback.echo(message, entries, first(message, .controller), run)
        guard echo == .none, (32..<64).contains(message.number) else { return echo }
        return feedback.echo(
            message, entries, heads[Int(message.number) - 32], onlyFine: true, run)
    }

    /// Applies a note or program change message.
    @_noLocks
    func actOnPress(_ message: ControlMessage, _ run: inout BindingRun) {
        let trigger: BindingEntry.Trigger = message.kind == .program ? .program : .note
        let head = first(message, trigger)
        guard feedback.echo(message, entries, head, run) == .none else { return }
        act(
            on: message, ControllerMove(previous: -1, now: message.value), isEcho: false, head, &run
        )
    }

    @_noLocks
    private func first(_ message: ControlMessage, _ trigger: BindingEntry.Trigger) -> Int32 {
        heads[Int(trigger.rawValue) * 128 + Int(message.number)]
    }

    @_noLocks
    private func act(
        on message: ControlMessage, _ move: ControllerMove, isEcho: Bool, _ head: Int32,
        onlyFine: Bool = false, _ run: inout BindingRun
    ) {
        let bank = run.memory.bank(port: run.port, channel: message.channel)
        var index = head
        while index >= 0 {
            let entry = entries + Int(index)
            if entry.pointee.isFine || !onlyFine,
                entry.pointee.listens(to: message, port: run.port, bank: bank, isCopy: run.isCopy)
            {
                var reaction = BindingReaction(
                    entry: entry, index: index, bound: values + Int(entry.pointee.value),
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
