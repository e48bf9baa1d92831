/// The processing of one message by one binding.
struct BindingReaction: BitwiseCopyable {
    let entry: UnsafeMutablePointer<BindingEntry>
    /// The value that the binding moves; unused if the binding moves no value.
    let bound: UnsafeMutablePointer<BoundValue>
    let message: ControlMessage
    let move: ControllerMove
    let isEcho: Bool
    /// Whether the message caused an action that is not a value change.
    private(set) var hasActed = false

    init(
        entry: UnsafeMutablePointer<BindingEntry>, bound: UnsafeMutablePointer<BoundValue>,
        message: ControlMessage, move: ControllerMove, isEcho: Bool
    ) {
        self.entry = entry
        self.bound = bound
        self.message = message
        self.move = move
        self.isEcho = isEcho
    }

    /// The index of the binding in the pipeline.
    private var index: Int32 { @_noLocks get { entry.pointee.binding } }

    /// The current and the previous position of the control, in its own steps; -1 if unknown.
    private var now: Int32 { @_noLocks get { entry.pointee.isFine ? move.fineNow : move.now } }
    private var previous: Int32 {
        @_noLocks get { entry.pointee.isFine ? move.finePrevious : move.previous }
    }

    /// Carries out the binding.
    @_noLocks
    mutating func act(_ feedback: FeedbackTable, _ run: inout BindingRun) {
        // One half of a fine position is not enough.
        guard now >= 0 else { return }
        switch entry.pointee.effect {
        case .absolute: setAbsolute(feedback, &run)
        case .momentary: setMomentary(feedback, &run)
        case .relative:
            let steps = entry.pointee.encoding.steps(message.value)
            guard steps != 0 else { return }
            let value = entry.pointee.range.value(steps, stepsFrom: run.value(bound))
            _ = run.set(bound, value, binding: index)
        case .toggle, .trigger, .cycle, .cue, .other:
            guard isPress || isRepeated else { return }
            actOnPress(isRepeat: !isPress, feedback, &run)
        }
    }

    // MARK: Presses

    /// Carries out a binding that acts on presses, unless its guard forbids it.
    ///
    /// - Parameters:
    ///   - isRepeat: Whether the press only repeated the position of a controller.
    ///   - feedback: The controls that receive feedback.
    ///   - run: The frame of the press.
    @_noLocks
    mutating func actOnPress(
        isRepeat: Bool, _ feedback: FeedbackTable, _ run: inout BindingRun
    ) {
        if case .toggle = entry.pointee.effect, isRepeat { return }
        let isRemembered = entry.pointee.guardFrames > 0 || entry.pointee.isCycle
        guard isRemembered else { return perform(nil, feedback, &run) }
        let state = run.states.state(of: entry.pointee.identity)
        if state.pointee.hasPress,
            run.now &- state.pointee.pressedAt < entry.pointee.guardFrames
        {
            // The button may have switched its light.
            return feedback.markForSending(entry.pointee.feedback)
        }
        state.pointee.hasPress = true
        state.pointee.pressedAt = run.now
        perform(state, feedback, &run)
    }

    @_noLocks
    private mutating func perform(
        _ state: UnsafeMutablePointer<BindingStates.State>?, _ feedback: FeedbackTable,
        _ run: inout BindingRun
    ) {
        switch entry.pointee.effect {
        case .toggle: toggle(feedback, &run)
        case .trigger: _ = run.trigger(bound, binding: index)
        case .cycle(let cycle):
            let next = cycle.next(
                after: run.value(bound), last: state.map { $0.pointee.entry } ?? -1)
            state?.pointee.entry = next
            _ = run.set(bound, cycle.value(at: next), binding: index)
        case .cue(let node, let item, let start, let number):
            // The player may have left the item, so it is selected even if the value is the same.
            guard run.add(node: node, target: item, value: number, binding: index) else { return }
            _ = run.add(node: node, target: start, value: 1, binding: index)
        case .other(let node, let target):
            hasActed = run.add(node: node, target: target, value: 0, binding: index)
        case .absolute, .momentary, .relative: break
        }
    }

    // MARK: Values

    @_noLocks
    private func setAbsolute(_ feedback: FeedbackTable, _ run: inout BindingRun) {
        guard message.kind != .noteOff else { return }
        let value = entry.pointee.range.value(at: position)
        let current = run.value(bound)
        let hasControl =
            entry.pointee.held == current || (!entry.pointee.isPickup && !isEcho)
            || reaches(current, value)
        entry.pointee.held = hasControl ? current : .nan
        guard !isEcho else { return }
        guard hasControl else { return feedback.recordPosition(entry.pointee.feedback, now) }
        guard current == value || run.set(bound, value, binding: index) else { return }
        entry.pointee.held = value
        feedback.recordOwnChange(entry.pointee.feedback, now, value)
    }

    /// The position of the control, from 0 through 1; a press of a program or key is the end.
    private var position: Double {
        @_noLocks get {
            switch message.kind {
            case .program, .key: 1
            // The pitch bend rests at 8192, which is the middle of the range.
            case .bend: now < 8192 ? Double(now) / 16384 : 0.5 + Double(now - 8192) / 16382
            default: Double(now) / Double(entry.pointee.maximumSteps)
            }
        }
    }

    /// Returns whether the control is at the position of the current value, or has just passed it;
    /// `value` is the value that the control would set.
    @_noLocks
    private func reaches(_ current: Float, _ value: Float) -> Bool {
        guard message.kind == .controller else { return true }
        let wanted = entry.pointee.range.step(of: current, of: entry.pointee.maximumSteps)
        if now == wanted || current == value { return true }
        return previous >= 0 && min(previous, now) <= wanted && wanted <= max(previous, now)
    }

    // MARK: Switches

    @_noLocks
    private func toggle(_ feedback: FeedbackTable, _ run: inout BindingRun) {
        let isOn = entry.pointee.range.isOn(run.value(bound))
        setSwitch(!isOn, feedback, &run)
        feedback.markForSending(entry.pointee.feedback)
    }

    @_noLocks
    private func setMomentary(_ feedback: FeedbackTable, _ run: inout BindingRun) {
        guard isPress || isRelease else { return }
        setSwitch(isPress, feedback, &run)
    }

    @_noLocks
    private func setSwitch(_ isOn: Bool, _ feedback: FeedbackTable, _ run: inout BindingRun) {
        let range = entry.pointee.range
        let value = isOn ? range.to : range.from
        guard run.value(bound) == value || run.set(bound, value, binding: index) else { return }
        feedback.recordOwnChange(
            entry.pointee.feedback, isOn ? entry.pointee.maximumSteps : 0, value)
    }

    /// A controller counts as pressed in the upper half of its range.
    private var isUp: Bool { @_noLocks get { now > entry.pointee.maximumSteps / 2 } }
    private var wasUp: Bool { @_noLocks get { previous > entry.pointee.maximumSteps / 2 } }

    /// Whether the message presses a switch.
    private var isPress: Bool {
        @_noLocks get {
            switch message.kind {
            case .controller: isUp && !wasUp
            case .noteOn, .program, .key: true
            case .noteOff, .bend, .channelPressure, .keyPressure: false
            }
        }
    }

    /// Whether the message releases a switch; the first message of a controller in the lower half
    /// counts as well.
    private var isRelease: Bool {
        @_noLocks get {
            switch message.kind {
            case .controller: !isUp && (wasUp || previous < 0)
            case .noteOff: true
            case .noteOn, .program, .key, .bend, .channelPressure, .keyPressure: false
            }
        }
    }

    /// Whether a pressed controller repeats its value, as switches do that send no release.
    private var isRepeated: Bool {
        @_noLocks get { message.kind == .controller && isUp && previous == now }
    }
}
