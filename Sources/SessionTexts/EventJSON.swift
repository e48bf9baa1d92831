internal import Engine
package import Pipelines
internal import Processing
package import SessionCore

/// The JSON objects of events, one per line.
package enum EventJSON {
    /// Returns the object of an event: `"event"` names it, and the other members are its data.
    ///
    /// - Returns: The line; `nil` for values, levels and overviews, which only controllers receive.
    package static func line(for event: SessionEvent) -> String? { object(for: event)?.text }

    /// Returns the object of an event.
    ///
    /// - Returns: The object; `nil` for values, levels and overviews.
    package static func object(for event: SessionEvent) -> JSONValue? {
        guard let name = name(of: event) else { return nil }
        let all = [("event", .string(name.rawValue))] + members(of: event)
        return .object(all.map { .init($0.0, $0.1) })
    }

    private static func members(of event: SessionEvent) -> [(String, JSONValue)] {
        switch event {
        case .valueChanged, .reportChanged, .addressesChanged, .overviewChanged, .level,
            .nodeLevels, .spectrum, .load,
            .pitch, .fileEditRequested, .filesChanged, .serverPorts, .boxRequested:
            []
        case .serverStarted(let command): [("command", .string(command))]
        case .nameChanged(let requested, let assigned), .nameTaken(let requested, let assigned):
            [("wished", .string(requested)), ("given", .string(assigned))]
        case .serverLost(let reason): [("reason", .string(reason))]
        case .jackHangs, .coresNotUsed: []
        case .serverBack(let client, let rate, let block):
            [
                ("client", .string(client)), ("sample_rate", .number(rate)),
                ("block_frames", .integer(block)),
            ]
        case .switched(let client, let pipeline):
            [("client", .string(client)), ("pipeline", .string(pipeline))]
        case .timebase(let role): [("role", .string(role.rawValue))]
        case .portRefused(let name): [("port", .string(name))]
        case .memoryNotLocked(let locked, let unlocked, let limit):
            [
                ("locked_bytes", .integer(locked)), ("unlocked_bytes", .integer(unlocked)),
                ("limit_bytes", .integer(limit)),
            ]
        case .invalidPattern(let pattern): [("pattern", .string(pattern))]
        case .connectionRefused(let own, let other):
            [("port", .string(own)), ("other", .string(other))]
        case .connections(let connections): members(of: connections)
        case .started(let start): members(of: start)
        case .status(let status): members(of: status)
        case .xruns(let report):
            [
                ("count", .integer(report.count)),
                ("longest_ms", report.longestMilliseconds.map { .number($0) } ?? .null),
                ("first_time", .number(report.firstSeconds)),
                ("last_time", .number(report.lastSeconds)),
            ]
        case .nonFinite(let node): [("node", .string(node))]
        case .overrun(let node, let overrun):
            [
                ("node", .string(node)), ("periods", .number(Double(overrun.periods))),
                ("node_periods", .number(Double(overrun.nodePeriods))),
                ("playing_periods", .number(Double(overrun.playingPeriods))),
                ("ringing_periods", .number(Double(overrun.ringingPeriods))),
            ]
        case .reduced(let change), .restored(let change):
            [
                ("node", .string(change.node)), ("reason", .string(change.reason.rawValue)),
                ("load", .number(change.load)),
            ]
        case .messagesDropped(let node, let count):
            [("node", .string(node)), ("count", .integer(count))]
        case .latencyChanged(let node, let frames, let all):
            [
                ("node", .string(node)), ("node_latency_frames", .integer(frames)),
                ("latency_frames", .integer(all)),
            ]
        case .incident(let node, let plugin, let incident):
            [("node", .string(node)), ("plugin", .string(plugin))] + members(of: incident)
        case .formatChanged(let rate, let block, let latency):
            [
                ("sample_rate", .number(rate)), ("block_frames", .integer(block)),
                ("latency_frames", .integer(latency)),
            ]
        case .preparationFailed(let message): [("message", .string(message))]
        case .song(let number, let name):
            [("number", .integer(number)), ("name", .string(name))]
        case .songSkipped(let name, let reason):
            [("name", .string(name)), ("reason", .string(reason))]
        case .problems(let problems): [("problems", .array(problems.map(object)))]
        case .scene(let name): [("name", .string(name))]
        case .cue(let state):
            [
                ("cue", object(of: state.current)), ("next", object(of: state.next)),
                ("follow", .optional(state.follow)),
            ]
        case .reloaded(let pipeline): [("pipeline", .string(pipeline))]
        case .learned(let address, let control, let path):
            [
                ("address", .string(address)), ("control", .string(control.text)),
                ("file", .string(path)),
            ]
        case .fileEdited(let edit): members(of: edit)
        case .fileEditRefused(let reason): [("reason", .string(reason))]
        case .historyChanged(let history):
            [("undo", .optional(history.undo)), ("redo", .optional(history.redo))]
        case .compared(let values): [("values", .string(values.rawValue))]
        case .boxKept(let path, let reason):
            [("box", .string(path)), ("reason", .string(reason))]
        case .boxNotKept(let reason): [("reason", .string(reason))]
        case .panic: []
        case .freewheel(let isOn): [("on", .bool(isOn))]
        case .ended(let summary): members(of: summary)
        }
    }

    private static func name(of event: SessionEvent) -> EventName? {
        switch event {
        case .valueChanged, .reportChanged, .addressesChanged, .overviewChanged, .level,
            .nodeLevels, .spectrum, .load,
            .pitch, .fileEditRequested, .filesChanged, .serverPorts, .boxRequested:
            nil
        case .serverStarted: .serverStarted
        case .nameChanged: .nameChanged
        case .nameTaken: .nameTaken
        case .serverLost: .serverLost
        case .jackHangs: .jackHangs
        case .serverBack: .serverBack
        case .switched: .switched
        case .timebase: .timebase
        case .portRefused: .portRefused
        case .memoryNotLocked: .memoryNotLocked
        case .coresNotUsed: .coresNotUsed
        case .invalidPattern: .invalidPattern
        case .connectionRefused: .connectionRefused
        case .connections: .connections
        case .started: .started
        case .status: .status
        case .xruns: .xruns
        case .nonFinite: .nonFinite
        case .overrun: .overrun
        case .reduced: .reduced
        case .restored: .restored
        case .messagesDropped: .messagesDropped
        case .latencyChanged: .latencyChanged
        case .incident(_, _, let incident): incident.eventName
        case .formatChanged: .formatChanged
        case .preparationFailed: .preparationFailed
        case .song: .song
        case .songSkipped: .songSkipped
        case .problems: .problems
        case .scene: .scene
        case .cue: .cue
        case .reloaded: .reloaded
        case .learned: .learned
        case .fileEdited(let edit): edit.kind.eventName
        case .historyChanged: .history
        case .fileEditRefused: .saveRefused
        case .compared: .compared
        case .boxKept: .boxKept
        case .boxNotKept: .boxNotKept
        case .panic: .panic
        case .freewheel: .freewheel
        case .ended: .ended
        }
    }

    private static func members(of edit: FileEdit) -> [(String, JSONValue)] {
        let values = edit.values.map { JSONValue.Member($0.address, $0.value.json) }
        let scene: [(String, JSONValue)] =
            if case .saved(let scene?) = edit.kind { [("scene", .string(scene))] } else { [] }
        let setlist = edit.setlistPath.map { [("setlist", JSONValue.string($0))] } ?? []
        let name: [(String, JSONValue)] =
            edit.kind == .edited || edit.kind == .redone ? [("name", .string(edit.name))] : []
        return [("file", .string(edit.path))] + setlist + scene + name
            + [("values", .object(values))]
    }

    /// Returns a cue as an object; null without a cue.
    private static func object(of cue: Cue?) -> JSONValue {
        guard let cue else { return .null }
        return [
            "line": .string(cue.line), "song": .optional(cue.song), "scene": .optional(cue.scene),
            "number": .optional(cue.number), "text": .optional(cue.text),
        ]
    }

    /// Returns a problem as an object: the members of its diagnostic and of the problem itself.
    private static func object(of problem: Problem) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("song", .optional(problem.song)), .init("node", .optional(problem.node)),
            .init("consequence", .string(problem.consequence.rawValue)),
        ]
        if case .object(let own) = problem.diagnostic.json { members += own }
        return .object(members)
    }

    private static func members(of incident: Incident) -> [(String, JSONValue)] {
        switch incident {
        case .lost(let reason), .abandoned(let reason), .stateNotKept(let reason),
            .silenced(let reason), .sandboxIncomplete(let reason):
            [("reason", .string(reason))]
        case .callRefused(let name): [("call", .string(name))]
        case .fileRefused(let access, let path):
            [("access", .string(access.rawValue)), ("path", .string(path))]
        case .title(let title): [("title", .string(title))]
        case .buffering(let share): [("share", .number(share))]
        case .reconnecting(let attempt, let reason):
            [("attempt", .integer(attempt)), ("reason", .string(reason))]
        case .starved(let frames): [("frames", .integer(frames))]
        case .takeStarted(let path): [("path", .string(path))]
        case .takeFinished(let path, let seconds, let peak):
            [("path", .string(path)), ("seconds", .number(seconds)), ("peak_db", .number(peak))]
        case .takeClipped(let path, let samples, let firstSeconds, let peak):
            [
                ("path", .string(path)), ("samples", .integer(samples)),
                ("first_seconds", .number(firstSeconds)), ("peak_db", .number(peak)),
            ]
        case .takeRefused(let reason): [("reason", .string(reason))]
        case .takeStopped(let path, let reason, let seconds):
            [
                ("path", .string(path)), ("reason", .string(reason)),
                ("readable_seconds", .number(seconds)),
            ]
        case .stopped(let periods): [("periods", .number(periods))]
        case .stuck(let seconds): [("seconds", .number(seconds))]
        case .away, .back, .wroteBeyond, .playing, .ended: []
        }
    }

    private static func members(
        of connections: SessionConnections
    ) -> [(String, JSONValue)] {
        let ports = connections.ports.map { port in
            [
                "port": .string(port.name), "direction": port.isInput ? "input" : "output",
                "kind": .string(port.kind.rawValue), "connected": .bool(!port.others.isEmpty),
                "to": .array(port.others.map { .string($0) }),
                "unmatched": .array(
                    port.unmatchedRules.map {
                        ["rule": .string($0.text), "nearest": .optional($0.nearest)]
                    }),
                "ruled": .array(
                    port.ruledConnections.map {
                        ["port": .string($0.other), "rule": .string($0.rule)]
                    }),
            ] as JSONValue
        }
        let changed = connections.changed.map { JSONValue.string(connections.ports[$0].name) }
        return [("ports", .array(ports)), ("changed", .array(changed))]
    }

    private static func members(of start: SessionStart) -> [(String, JSONValue)] {
        [
            ("client", .string(start.clientName)), ("pipeline", .string(start.pipelineName)),
            ("sample_rate", .number(start.sampleRate)),
            ("block_frames", .integer(start.blockFrames)),
            ("latency_frames", .integer(start.latencyFrames)),
            ("startup_seconds", .number(start.startupSeconds)),
        ]
    }

    private static func members(of status: SessionStatus) -> [(String, JSONValue)] {
        let outputs = status.outputs.map {
            JSONValue.object([
                .init("port", .string($0.port)), .init("peak_db", .number($0.peak.decibels)),
            ])
        }
        return [
            ("outputs", .array(outputs)), ("load_mean", .number(status.meanLoad)),
            ("load_worst", .number(status.worstLoad)),
            ("core_loads", .array(status.coreLoads.map { .number($0) })),
            ("xruns", .integer(status.xruns)),
            ("late_cycles", .integer(status.overrunCycles)),
            ("latency_frames", .integer(status.latencyFrames)),
            ("round_trip_frames", .integer(status.roundTripFrames)),
            ("limiter_gain_db", .number(status.limiterGain.decibels)),
            ("schedules", .integer(status.schedules)),
            ("reports", .object(status.reports.compactMap(member))),
            (
                "nodes",
                .array(
                    status.nodes.map {
                        [
                            "id": .string($0.node), "load_mean": .number($0.mean),
                            "load_worst": .number($0.worst),
                            "latency_frames": .integer($0.latencyFrames),
                        ]
                    })
            ),
        ]
    }

    /// Returns the member for a report; `nil` before its node has run.
    private static func member(_ report: NodeReport) -> JSONValue.Member? {
        switch report.value {
        case .number(let number): .init(report.address, .number(number))
        case .toggle(let isOn): .init(report.address, .bool(isOn))
        case .text(let text): .init(report.address, .string(text))
        case nil: nil
        }
    }

    private static func members(of summary: SessionSummary) -> [(String, JSONValue)] {
        [
            ("reason", .string(name(of: summary.reason))), ("seconds", .number(summary.seconds)),
            ("xruns", .integer(summary.xruns)),
            ("late_cycles", .integer(summary.overrunCycles)),
            ("peak_db", .number(summary.peak.decibels)),
            ("load_worst", .number(summary.worstLoad)),
        ]
    }

    private static func name(of reason: StopReason) -> String {
        switch reason {
        case .signal: "signal"
        case .requested: "asked"
        case .durationOver: "duration"
        }
    }
}

extension FileEdit.Kind {
    fileprivate var eventName: EventName {
        switch self {
        case .saved: .saved
        case .edited: .edited
        case .undone: .undone
        case .redone: .redone
        }
    }
}

extension Value {
    /// The number, the toggle or the text.
    package var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .toggle(let isOn): .bool(isOn)
        case .text(let text): .string(text)
        }
    }
}
