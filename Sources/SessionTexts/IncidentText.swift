internal import Processing

extension EventText {
    /// Returns the line of an incident; `nil` for incidents that only machines get.
    static func line(for incident: Incident, node: String, plugin: String) -> String? {
        switch incident {
        case .title, .buffering, .playing, .reconnecting, .ended, .silenced, .starved,
            .takeStarted, .takeFinished, .takeStopped, .takeRefused:
            incident.words.map { "\(node): \($0)" }
        case .lost(let reason):
            "\(node): \(plugin): \(reason); it is started again, the dry signal passes"
        case .away:
            "\(node): \(plugin): its process gave no sound in time, the dry signal passes meanwhile"
        case .back: "\(node): \(plugin): its process plays again"
        case .abandoned(let reason):
            "\(node): \(plugin): \(reason); it is not started again, the dry signal passes"
        case .stateNotKept(let reason):
            "\(node): \(plugin): its state cannot be kept for another process: \(reason)"
        case .callRefused(let name):
            "\(node): \(plugin) tried the system call \(name), which its sandbox refuses; if the plugin cannot "
                + "do without, \"sandbox\": false on its node allows it"
        case .sandboxIncomplete(let reason):
            "\(node): the sandbox of \(plugin) is incomplete on this machine: \(reason)"
        case .stopped(let periods):
            "\(node): \(plugin) took too long (\(periods.fixed(1)) periods) and was stopped, the dry "
                + "signal passes; taking \"bypass\" off tries it again, \"isolate\": true lets it be late alone"
        case .wroteBeyond:
            "\(node): \(plugin) writes beyond its buffers, which may bring all down; "
                + "\"isolate\": true gives it memory of its own"
        case .stuck(let seconds):
            "\(node): \(plugin) has not come back from its run for \(seconds.fixed(1)) s and holds up "
                + "all sound here; only an end of the program helps, and \"isolate\": true from then on"
        }
    }
}

extension Incident {
    /// The name of the event in JSON.
    var eventName: String {
        switch self {
        case .lost: "plugin_lost"
        case .away: "plugin_away"
        case .back: "plugin_back"
        case .abandoned: "plugin_abandoned"
        case .stateNotKept: "plugin_state_not_kept"
        case .callRefused: "plugin_call_refused"
        case .sandboxIncomplete: "plugin_sandbox_incomplete"
        case .stopped: "plugin_stopped"
        case .wroteBeyond: "plugin_wrote_beyond"
        case .stuck: "plugin_stuck"
        case .title: "title"
        case .buffering: "buffering"
        case .playing: "source_playing"
        case .reconnecting: "source_reconnecting"
        case .ended: "source_ended"
        case .silenced: "source_silenced"
        case .starved: "source_starved"
        case .takeStarted: "take_started"
        case .takeFinished: "take_finished"
        case .takeStopped: "take_stopped"
        case .takeRefused: "take_refused"
        }
    }
}

extension Incident {
    /// The words for an incident of a source or a recorder; `nil` for incidents that only machines get.
    fileprivate var words: String? {
        switch self {
        case .title(let title): "\"\(title)\""
        case .playing: "plays on"
        case .reconnecting(let attempt, let reason): "\(reason); connecting again (\(attempt))"
        case .silenced(let reason): "gives no sound any more: \(reason)"
        case .starved(let frames): "the disk was too slow: \(frames) frames were silent"
        case .takeStarted(let path): "records into \(path)"
        case .takeFinished(let path, let seconds, let peak):
            "recorded \(path): \(seconds.fixed(1)) s, peak \(peak.fixed(1)) dB"
        case .takeStopped(let path, let reason, let seconds):
            "stopped recording \(path): \(reason); "
                + (seconds > 0
                    ? "\(seconds.fixed(1)) s of it can be read" : "nothing of it was written")
        case .takeRefused(let reason): "begins no new take: \(reason)"
        default: nil
        }
    }
}
