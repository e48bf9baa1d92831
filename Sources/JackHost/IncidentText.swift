internal import Processing

extension EventText {
    /// The line for what befell a node's plugin.
    static func line(for incident: Incident, node: String, plugin: String) -> String {
        switch incident {
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
        }
    }
}
