internal import Processing
internal import Platform

extension EventText {
    /// Returns the line of an incident; `nil` for incidents that are reported only as JSON.
    static func line(for incident: Incident, node: String, plugin: String) -> String? {
        switch incident {
        case .title, .buffering, .playing, .reconnecting, .ended, .silenced, .starved,
            .takeStarted, .takeFinished, .takeClipped, .takeStopped, .takeRefused:
            incident.words.map { "\(node): \($0)" }
        case .lost(let reason):
            "\(node): \(plugin): \(reason); it restarts, and the dry signal passes until then"
        case .away:
            "\(node): \(plugin): its process delivered no sound in time; "
                + "the dry signal passes until it does"
        case .back: "\(node): \(plugin): its process delivers sound again"
        case .abandoned(let reason):
            "\(node): \(plugin): \(reason); it is not restarted, and the dry signal passes"
        case .stateNotKept(let reason):
            "\(node): \(plugin): its state cannot be kept for a restart: \(reason)"
        case .callRefused(let name):
            "\(node): the sandbox refused the system call \(name) of \(plugin); "
                + "if the plugin needs it, set \"sandbox\": false on the node"
        case .fileRefused(let access, let path):
            "\(node): the sandbox did not let \(plugin) \(access.verb) \(path); "
                + (access == .read
                    ? "name the file in the node's settings, move it into the folder of the pipeline, or "
                    : "it may only change its temporary folder; if the plugin needs it, ")
                + "set \"sandbox\": false on the node"
        case .sandboxIncomplete(let reason):
            "\(node): the sandbox of \(plugin) is incomplete on this machine: \(reason)"
        case .stopped(let periods):
            "\(node): \(plugin) took too long (\(periods.fixed(1)) periods) and was stopped; "
                + "the dry signal passes. Turn \"bypass\" off to try it again, or set "
                + "\"isolate\": true to run it in a separate process"
        case .wroteBeyond:
            "\(node): \(plugin) wrote beyond its buffers, which can crash the program; "
                + "set \"isolate\": true to run it in a separate process"
        case .stuck(let seconds):
            "\(node): \(plugin) has not returned from its run for \(seconds.fixed(1)) s and blocks "
                + "all sound; end the program, and set \"isolate\": true before the next start"
        }
    }
}

extension Incident {
    /// The name of the event in JSON.
    var eventName: EventName {
        switch self {
        case .lost: .pluginLost
        case .away: .pluginAway
        case .back: .pluginBack
        case .abandoned: .pluginAbandoned
        case .stateNotKept: .pluginStateNotKept
        case .callRefused: .pluginCallRefused
        case .fileRefused: .pluginFileRefused
        case .sandboxIncomplete: .pluginSandboxIncomplete
        case .stopped: .pluginStopped
        case .wroteBeyond: .pluginWroteBeyond
        case .stuck: .pluginStuck
        case .title: .title
        case .buffering: .buffering
        case .playing: .sourcePlaying
        case .reconnecting: .sourceReconnecting
        case .ended: .sourceEnded
        case .silenced: .sourceSilenced
        case .starved: .sourceStarved
        case .takeStarted: .takeStarted
        case .takeFinished: .takeFinished
        case .takeClipped: .takeClipped
        case .takeStopped: .takeStopped
        case .takeRefused: .takeRefused
        }
    }
}

extension Incident {
    /// The words for an incident of a source or a recorder; `nil` for incidents that are reported
    /// only as JSON.
    fileprivate var words: String? {
        switch self {
        case .title(let title): "\"\(title)\""
        case .playing: "continues"
        case .reconnecting(let attempt, let reason): "\(reason); reconnecting (attempt \(attempt))"
        case .silenced(let reason): "delivers no more sound: \(reason)"
        case .starved(let frames): "the disk was too slow: \(frames) frames were silent"
        case .takeStarted(let path): "recording to \(path)"
        case .takeFinished(let path, let seconds, let peak):
            "recorded \(path): \(seconds.fixed(1)) s, peak \(peak.fixed(1)) dB"
        case .takeClipped(let path, let samples, let firstSeconds, let peak):
            "\(path) is clipped: \(samples) \(samples == 1 ? "sample exceeds" : "samples exceed") "
                + "full scale, the first at \(firstSeconds.fixed(2)) s, peak \(peak.fixed(1)) dB; "
                + "lower the level before the recorder, or record WAV with \"bits\": 32"
        case .takeStopped(let path, let reason, let seconds):
            "stopped recording \(path): \(reason); "
                + (seconds > 0
                    ? "\(seconds.fixed(1)) s can be read" : "nothing was written")
        case .takeRefused(let reason): "starts no new take: \(reason)"
        default: nil
        }
    }
}
