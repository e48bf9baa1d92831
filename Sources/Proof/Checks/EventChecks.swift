internal import Processing
internal import SessionCore
internal import SessionTexts

/// Steps that the session could not carry out.
enum StepCheck: NightCheck {
    static let id = "steps"
    static let title = "steps"
    static let why = "A change that is refused does not happen on stage either."

    static func findings(in night: PlayedNight) -> [Finding] {
        let failures = night.events.compactMap { event -> Finding? in
            guard case .failed(let reason) = event.what else { return nil }
            let step = night.steps[event.step]
            return finding(.bad, "\(step.title): \(reason).", at: step.place)
        }
        if !failures.isEmpty { return failures }
        let songs = night.steps.filter { $0.kind == .song }.count
        let scenes = night.steps.filter { $0.kind == .scene }.count
        return [
            finding(
                .good,
                "All \(night.steps.count) steps were played. Starts of songs: \(songs), calls of "
                    + "scenes: \(scenes); the others are bypasses, edits, undos and bindings.")
        ]
    }
}

/// NaN and infinity.
enum NonFiniteCheck: NightCheck {
    static let id = "non-finite"
    static let title = "numbers"
    static let why = "NaN and infinity are no sound: the engine silences the node for the cycle."

    static func findings(in night: PlayedNight) -> [Finding] {
        var seen: [Place] = []
        let findings = night.events.compactMap { event -> Finding? in
            guard event.what == .nonFinite else { return nil }
            let step = night.steps[event.step]
            let place = Place(song: step.place.song, node: event.node)
            guard !seen.contains(place) else { return nil }
            seen.append(place)
            return finding(
                .bad, "The node produces NaN or infinity, first here: \(step.title).",
                at: Place(song: step.place.song, scene: step.place.scene, node: event.node),
                fix: "Replace the plugin, or avoid the value that causes it.")
        }
        return findings.isEmpty
            ? [finding(.good, "No node produces NaN or infinity.")] : findings
    }
}

/// Incidents of plugins, players and recorders.
enum IncidentCheck: NightCheck {
    static let id = "incidents"
    static let title = "incidents"
    static let why = "It happened here, so it can happen on stage."

    static func findings(in night: PlayedNight) -> [Finding] {
        var seen: Set<String> = []
        let findings = night.events.compactMap { event -> Finding? in
            let step = night.steps[event.step]
            guard let (state, text) = words(for: event), seen.insert(text).inserted else {
                return nil
            }
            let place = Place(
                song: step.place.song, scene: step.place.scene, node: event.node)
            return finding(state, "\(text) (\(step.title)).", at: place)
        }
        return findings.isEmpty
            ? [finding(.good, "No plugin, player or recorder has reported a fault.")] : findings
    }

    private static func words(
        for event: PlayedNight.StepEvent
    ) -> (state: Finding.State, text: String)? {
        switch event.what {
        case .incident(let plugin, let incident):
            guard let state = state(of: incident),
                let line = EventText.line(
                    for: .incident(node: event.node ?? "", plugin: plugin, incident))
            else { return nil }
            return (state, line)
        case .messagesDropped(let count):
            return (.notice, "\(count) MIDI messages did not fit into the node's buffers")
        case .failed, .nonFinite: return nil
        }
    }

    private static func state(of incident: Incident) -> Finding.State? {
        switch incident {
        case .lost, .abandoned, .stopped, .stuck, .wroteBeyond, .silenced, .starved, .fileRefused,
            .callRefused:
            .bad
        case .away, .stateNotKept, .sandboxIncomplete, .reconnecting: .notice
        default: nil
        }
    }
}

/// Faults of plugins that trials in processes of their own have found.
enum PluginCheck: NightCheck {
    static let id = "plugins"
    static let title = "plugins"
    static let why =
        "A plugin that allocates memory, waits or locks in its run can make any block late."

    static func findings(in night: PlayedNight) -> [Finding] {
        guard let faults = night.pluginFaults else { return [] }
        guard faults.isEmpty else { return faults.map(finding) }
        return [
            finding(
                .good,
                "No plugin inside the program allocates memory, waits or locks in the runs of its "
                    + "trial.")
        ]
    }

    private static func finding(for fault: PlayedNight.PluginFault) -> Finding {
        let remedy =
            "Replace the plugin, or let it run in a process of its own (\"isolate\": true)."
        switch fault.kind {
        case .crash(let text):
            return finding(
                .bad, "The plugin \(text). Here it played in a process of its own.",
                at: fault.place, fix: remedy)
        case .hang(let text, let isRepeated):
            let trial = isRepeated ? " It was not tried again for this node." : ""
            return finding(
                .bad,
                "The plugin \(text). Here it did not play: the node passed its input through, or "
                    + "was silent if it has no input.\(trial)",
                at: fault.place, fix: "Replace the plugin.")
        case .late(let text):
            return finding(.notice, "The plugin \(text).", at: fault.place, fix: remedy)
        case .untried:
            return finding(
                .unknown,
                "The plugin could not be tried, so it may allocate memory, wait or lock in its run.",
                at: fault.place, fix: "stompline plugin URI shows whether the plugin loads.")
        }
    }
}
