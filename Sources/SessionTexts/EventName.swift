/// The name of an event in the JSON lines of `run --json`.
///
/// The reference has the same order.
package enum EventName: String, CaseIterable, Sendable {
    // The course of the session
    case started, song
    case songSkipped = "song_skipped"
    case scene, cue, status, problems, reloaded
    case preparationFailed = "preparation_failed"
    case switched, panic
    case boxKept = "box_kept"
    case boxNotKept = "box_not_kept"
    case ended, dropped

    // Edits of files
    case learned, saved, edited, undone, redone, history
    case saveRefused = "save_refused"
    case compared

    // Nodes
    case nonFinite = "non_finite"
    case overrun, reduced, restored
    case messagesDropped = "messages_dropped"
    case latencyChanged = "latency_changed"
    case pluginLost = "plugin_lost"
    case pluginAway = "plugin_away"
    case pluginBack = "plugin_back"
    case pluginAbandoned = "plugin_abandoned"
    case pluginStateNotKept = "plugin_state_not_kept"
    case pluginCallRefused = "plugin_call_refused"
    case pluginFileRefused = "plugin_file_refused"
    case pluginSandboxIncomplete = "plugin_sandbox_incomplete"
    case pluginStopped = "plugin_stopped"
    case pluginStuck = "plugin_stuck"
    case pluginWroteBeyond = "plugin_wrote_beyond"

    // Players and recorders
    case title, buffering
    case sourcePlaying = "source_playing"
    case sourceEnded = "source_ended"
    case sourceReconnecting = "source_reconnecting"
    case sourceSilenced = "source_silenced"
    case sourceStarved = "source_starved"
    case takeStarted = "take_started"
    case takeFinished = "take_finished"
    case takeClipped = "take_clipped"
    case takeStopped = "take_stopped"
    case takeRefused = "take_refused"

    // The server
    case serverStarted = "server_started"
    case nameChanged = "name_changed"
    case nameTaken = "name_taken"
    case serverLost = "server_lost"
    case jackHangs = "jack_hangs"
    case serverBack = "server_back"
    case formatChanged = "format_changed"
    case timebase, xruns, connections
    case connectionRefused = "connection_refused"
    case portRefused = "port_refused"
    case invalidPattern = "faulty_pattern"
    case memoryNotLocked = "memory_not_locked"
    case coresNotUsed = "cores_not_used"
    case freewheel

    // Other programs and machines
    case bridge, follow
    case oscRefused = "osc_refused"
    case httpStarted = "http_started"
    case httpCode = "http_code"
    case httpCodeDied = "http_code_died"
    case httpPaired = "http_paired"
    case httpAccessFailed = "http_access_failed"
    case httpRefused = "http_refused"
}
