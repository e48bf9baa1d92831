internal import Processing

extension EventText {
    /// The line for what befell a node; nil where it is for machines alone.
    static func line(for incident: Incident, node: String, plugin: String) -> String? {
        switch incident {
        case .title, .buffering, .playing, .reconnecting, .ended, .silenced, .starved,
            .takeStarted, .takeFinished, .takeStopped:
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
    /// Its name in JSON.
    var eventName: String {
        switch self {
        case .lost: "plugin_lost"
        case .away: "plugin_away"
        case .back: "plugin_back"
        case .abandoned: "plugin_abandoned"
        case .stateNotKept: "plugin_state_not_kept"
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
        }
    }
}

extension Incident {
    /// What befell a source or a recorder; nil where a person need not know.
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
        case .takeStopped(let path, let reason):
            "stopped recording \(path): \(reason); what was written can be read"
        default: nil
        }
    }
}
