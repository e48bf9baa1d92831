/// Checks the keys of a binding that concern presses: kind, times, guard and wrap.
struct PressCheck {
    let context: CheckContext
    let fields: Fields

    /// The time that a long press lasts, in seconds, unless the file has another one.
    private static let standardHoldSeconds = 0.5
    /// The time for the second press of a double press, in seconds, unless the file has another
    /// one.
    private static let standardWindowSeconds = 0.3

    /// The kind of press.
    var press: Pipeline.Binding.Press {
        switch fields.text("press").value {
        case "long"?:
            .long(holdSeconds: fields.number("hold").value ?? Self.standardHoldSeconds)
        case "double"?:
            .double(windowSeconds: fields.number("window").value ?? Self.standardWindowSeconds)
        default: .short
        }
    }

    /// The time after a press in which further presses have no effect, in seconds.
    var guardSeconds: Double { fields.number("guard").value ?? 0 }

    /// Returns whether an action continues at the other end of its list.
    func wraps(_ action: Pipeline.Binding.Action) -> Bool {
        switch action {
        case .cycle, .cycleScenes: fields.toggle("wrap").value ?? true
        case .perform(let command): command.isStep && fields.toggle("wrap").value ?? false
        case .move, .scene, .song, .cue: false
        }
    }

    /// Reports keys that do not fit the actions or the trigger.
    func check(_ actions: [BoundAction], _ trigger: Pipeline.Binding.Trigger) {
        checkTimes()
        checkWrap(actions)
        if sendsPositions(trigger), fields.element["to"] == nil {
            context.errors.report(
                .binding, at: fields.element.start,
                "pitch bend and pressure move values: the binding needs \"to\"")
        }
        for key in ["press", "guard"] where fields.element[key] != nil {
            checkPressed(key, actions)
        }
        checkRelease(trigger)
    }

    private func checkTimes() {
        for (key, kind) in PipelineKeys.pressTimes
        where fields.element[key] != nil && fields.text("press").value != kind {
            context.errors.report(
                .binding, at: fields.offset(of: key),
                "\(Quoted(key)) requires \"press\": \(Quoted(kind))")
        }
    }

    private func checkWrap(_ actions: [BoundAction]) {
        let hasList = actions.contains {
            switch $0.action {
            case .cycle, .cycleScenes: true
            case .perform(let command): command.isStep
            default: false
            }
        }
        guard fields.element["wrap"] != nil, !hasList else { return }
        context.errors.report(
            .binding, at: fields.offset(of: "wrap"),
            "\"wrap\" requires \"cycle\", \"values\", or an action that goes to the next or "
                + "previous scene or song")
    }

    private func checkPressed(_ key: String, _ actions: [BoundAction]) {
        guard actions.contains(where: { !$0.isPressed }) else { return }
        context.errors.report(
            .binding, at: fields.offset(of: key),
            "\(Quoted(key)) requires a target that a press acts on; with \"to\" that is "
                + "\"mode\": \"toggle\", \"values\", or an address that is an action")
    }

    /// Checks that the control sends what the kind of press needs.
    private func checkRelease(_ trigger: Pipeline.Binding.Trigger) {
        let kind = press
        guard kind != .short else { return }
        let isLong = if case .long = kind { true } else { false }
        let isPossible =
            switch trigger {
            case .controller, .note: true
            case .program: !isLong
            case .bend, .channelPressure, .keyPressure, .key: false
            }
        if !isPossible {
            context.errors.report(
                .binding, at: fields.offset(of: "press"),
                isLong
                    ? "a long press requires \"cc\" or \"note\": other events have no release"
                    : "a double press requires \"cc\", \"note\" or \"program\"")
        } else if fields.whole("bits").value == 14 {
            context.errors.report(
                .binding, at: fields.offset(of: "press"),
                "long and double presses require 7 bits")
        }
    }

    private func sendsPositions(_ trigger: Pipeline.Binding.Trigger) -> Bool {
        switch trigger {
        case .bend, .channelPressure, .keyPressure: true
        case .controller, .note, .program, .key: false
        }
    }
}
