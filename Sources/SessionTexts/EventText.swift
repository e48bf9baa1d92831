internal import Engine
internal import Glibc
internal import Pipelines
package import Show

/// The lines of events for people.
package enum EventText {
    /// Returns the line of an event, without a line break; `nil` for events that are not news, such as a status.
    package static func line(for event: SessionEvent) -> String? {
        switch event {
        case .status, .valueChanged, .addressesChanged, .overviewChanged, .level, .load, .pitch: nil
        case .serverStarted(let command): "no JACK server was running, started one: \(command)"
        case .nameChanged(let wished, let given):
            "\"\(wished)\" is the name of a JACK server, the client is named \"\(given)\""
        case .nameTaken(let wished, let given):
            "\"\(wished)\" is another client's name, the client is named \"\(given)\""
        case .serverLost(let reason):
            "the JACK server is gone\(reason.isEmpty ? "" : " (\(reason))"), waiting for it"
        case .jackHangs:
            "JACK's library has not answered for ten seconds, what plays goes on unheard; if it stays so, end both and start "
                + "them anew"
        case .serverBack(let client, let rate, let block):
            "the JACK server is back, playing as \"\(client)\": \(format(rate, block))"
        case .switched(let client, let pipeline):
            "now playing \"\(pipeline)\" as JACK client \"\(client)\""
        case .portRefused(let name): "the JACK server refused the port \"\(name)\""
        case .memoryNotLocked: memoryHint
        case .faultyPattern(let pattern): "/\(pattern)/ is no regular expression, nothing connects"
        case .connectionRefused(let own, let other): "JACK refused to connect \(own) and \(other)"
        case .started(let start): line(for: start)
        case .xruns(1): "xrun"
        case .xruns(let count): "\(count) xruns"
        case .nonFinite(let node): "\(node): gave NaN or infinity and was silenced"
        case .overrun(let node, let lateness): line(for: lateness, node: node)
        case .messagesDropped(let node, let count):
            "\(node): had no room for \(count) MIDI messages"
        case .latencyChanged(let node, let frames, let all):
            "\(node): is now \(frames) frames late, the pipeline \(all)"
        case .incident(let node, let plugin, let incident):
            line(for: incident, node: node, plugin: plugin)
        case .formatChanged(let rate, let block, let latency):
            "now \(format(rate, block)), \(latencyText(latency, rate))"
        case .preparationFailed(let message): "not prepared, what plays goes on: \(message)"
        case .song(let number, let name): "song \(number): \(name)"
        case .scene(let name): "scene: \(name)"
        case .reloaded(let pipeline): "\(pipeline): edited, and followed"
        case .learned(let address, let control, _): "\(address) is bound to \(control.text)"
        case .panic: "panic: all is silent, and prepared afresh"
        case .freewheel(let isOn): isOn ? "freewheeling" : "back on the clock"
        case .ended(let summary): line(for: summary)
        }
    }

    private static let memoryHint =
        "memory is not locked, so a page fault may click; to allow it put \"@audio - memlock unlimited\" "
        + "into /etc/security/limits.d/audio.conf, join the group audio and log in again"

    private static func line(for start: SessionStart) -> String {
        let latency = latencyText(start.latencyFrames, start.sampleRate)
        return "playing \"\(start.pipelineName)\" as JACK client \"\(start.clientName)\": "
            + "\(format(start.sampleRate, start.blockFrames)), \(latency), "
            + "started in \(start.startupSeconds.fixed(2)) s"
    }

    private static func line(for lateness: Lateness, node: String) -> String {
        "a cycle took \(Double(lateness.periods).fixed(2)) of its period, "
            + "\(Double(lateness.nodePeriods).fixed(2)) in \(node)"
            + (lateness.ringingPeriods < 0.005
                ? "" : ", \(Double(lateness.ringingPeriods).fixed(2)) in what rings out")
    }

    private static func line(for summary: SessionSummary) -> String {
        "\(reason(summary.reason)) after \(summary.seconds.fixed(1)) s: \(summary.xruns) xruns, "
            + "highest peak \(summary.peak.decibels.fixed(1)) dB, "
            + "highest load \((summary.worstLoad * 100).fixed(0)) %"
    }

    private static func reason(_ reason: StopReason) -> String {
        switch reason {
        case .signal(SIGINT): "interrupted"
        case .signal, .asked: "stopped"
        case .durationOver: "ended"
        }
    }

    private static func format(_ rate: Double, _ block: Int) -> String {
        "\(rate.fixed(0)) Hz, \(block) frames a block"
    }

    private static func latencyText(_ frames: Int, _ rate: Double) -> String {
        "latency \(frames) frames (\((Double(frames) / rate * 1000).fixed(1)) ms)"
    }
}
