internal import Engine
internal import Glibc
internal import Pipelines
internal import Processing
package import SessionCore
internal import Platform

/// The lines that report events to people.
package enum EventText {
    /// Returns the line of an event, without a line break; `nil` for events that are not reported
    /// in a line, such as a status.
    package static func line(for event: SessionEvent) -> String? {
        switch event {
        case .status, .valueChanged, .reportChanged, .addressesChanged, .overviewChanged, .level,
            .nodeLevels, .spectrum,
            .load, .pitch, .fileEditRequested, .filesChanged, .historyChanged, .serverPorts,
            .boxRequested:
            nil
        case .serverStarted(let command): "no JACK server was running; started one: \(command)"
        case .nameChanged(let requested, let assigned):
            "\"\(requested)\" is the name of a JACK server; the client is named \"\(assigned)\""
        case .nameTaken(let requested, let assigned):
            "another client is named \"\(requested)\"; this client is named \"\(assigned)\""
        case .serverLost(let reason):
            "lost the JACK server\(reason.isEmpty ? "" : " (\(reason))"); waiting for a server"
        case .jackHangs:
            "JACK's library has not answered for ten seconds; the session continues without sound. "
                + "If this lasts, end the server and this program, and start both again"
        case .serverBack(let client, let rate, let block):
            "connected to a JACK server again as \"\(client)\": \(format(rate, block))"
        case .switched(let client, let pipeline):
            "now playing \"\(pipeline)\" as JACK client \"\(client)\""
        case .timebase(let role): line(for: role)
        case .portRefused(let name): "the JACK server refused the port \"\(name)\""
        case .memoryNotLocked(let locked, let unlocked, let limit):
            memoryLine(lockedBytes: locked, unlockedBytes: unlocked, limitBytes: limit)
        case .coresNotUsed:
            "only one core is used, because threads on other cores get no real-time priority; start "
                + "jackd with -R, and see \"stompline doctor\" for the permission"
        case .invalidPattern(let pattern):
            "/\(pattern)/ is not a valid regular expression; it connects nothing"
        case .connectionRefused(let own, let other): "JACK refused to connect \(own) and \(other)"
        case .connections(let connections): ConnectionText.line(for: connections)
        case .started(let start): line(for: start)
        case .xruns(let report): line(for: report)
        case .nonFinite(let node): "\(node): produced NaN or infinity and was silenced"
        case .overrun(let node, let overrun): line(for: overrun, node: node)
        case .reduced(let change): line(forReduced: change)
        case .restored(let change): line(forRestored: change)
        case .messagesDropped(let node, let count):
            "\(node): dropped \(count) MIDI messages because a buffer was full"
        case .latencyChanged(let node, let frames, let all):
            "\(node): latency is now \(frames) frames, and \(all) for the pipeline"
        case .incident(let node, let plugin, let incident):
            line(for: incident, node: node, plugin: plugin)
        case .formatChanged(let rate, let block, let latency):
            "now \(format(rate, block)), \(latencyText(latency, rate))"
        case .preparationFailed(let message):
            "not prepared; the current pipeline continues: \(message)"
        case .song(let number, let name): "song \(number): \(name)"
        case .songSkipped(let name, let reason): "skipped \"\(name)\": \(reason)"
        case .problems(let problems): line(for: problems)
        case .scene(let name): "scene: \(name)"
        case .cue(let state): line(for: state)
        case .reloaded(let pipeline): "\(pipeline): reloaded after an edit"
        case .learned(let address, let control, _): "\(address) is bound to \(control.text)"
        case .fileEdited(let edit): edit.text
        case .fileEditRefused(let reason): "not done: \(reason)"
        case .compared(.saved): "compare: the saved values sound"
        case .compared(.live): "compare: the live values sound"
        case .boxKept(let path, let reason): "kept the last minutes (\(reason)): \(path)"
        case .boxNotKept(let reason): "the last minutes are not kept: \(reason)"
        case .panic: "panic: silenced all outputs; all nodes restart"
        case .freewheel(let isOn): isOn ? "JACK started freewheeling" : "JACK stopped freewheeling"
        case .ended(let summary): line(for: summary)
        }
    }

    /// Returns the lines that follow the line of an event, without line breaks.
    package static func details(of event: SessionEvent) -> [String] {
        guard case .problems(let problems) = event else { return [] }
        let shown = ProblemSummary.lines(problems).prefix(maximumProblems).map { "  \($0)" }
        let rest = problems.count - shown.count
        return shown + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    /// The maximum number of problems that are listed.
    private static let maximumProblems = 40

    private static func line(for role: TimebaseRole) -> String {
        switch role {
        case .master: "this program is JACK's timebase master: bars, beats and tempo are its own"
        case .occupied:
            "another program is JACK's timebase master and remains it; end that program and start "
                + "again, or use --timebase take-over"
        case .replaced:
            "another program has become JACK's timebase master; start again to take the role back"
        }
    }

    private static func line(for problems: [Problem]) -> String {
        switch problems.count {
        case 0: "no problems any more"
        case 1: "1 problem; everything else plays:"
        default: "\(problems.count) problems; everything else plays:"
        }
    }

    /// Returns the line of the cues; `nil` without a cue.
    private static func line(for state: CueState) -> String? {
        let parts = [
            state.current.map { "cue: \($0.line)" }, state.next.map { "next cue: \($0.line)" },
            state.follow.map { "then \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func memoryLine(
        lockedBytes: Int, unlockedBytes: Int, limitBytes: Int
    ) -> String {
        let state =
            lockedBytes == 0
            ? "memory is not locked"
            : "only \(ByteCount(lockedBytes)) of \(ByteCount(lockedBytes + unlockedBytes)) of memory "
                + "are locked (limit: \(ByteCount(limitBytes)), ulimit -l)"
        return "\(state), so a page fault can cause a click; to allow locking, put "
            + "\"@audio - memlock unlimited\" into /etc/security/limits.d/audio.conf, join the group "
            + "audio and log in again"
    }

    private static func line(for start: SessionStart) -> String {
        let latency = latencyText(start.latencyFrames, start.sampleRate)
        return "playing \"\(start.pipelineName)\" as JACK client \"\(start.clientName)\": "
            + "\(format(start.sampleRate, start.blockFrames)), \(latency), "
            + "started in \(start.startupSeconds.fixed(2)) s"
    }

    private static func line(for overrun: Overrun, node: String) -> String {
        "a cycle took \(Double(overrun.periods).fixed(2)) periods, "
            + "\(Double(overrun.nodePeriods).fixed(2)) in \(node)"
            + (overrun.ringingPeriods < 0.005
                ? "" : ", \(Double(overrun.ringingPeriods).fixed(2)) in schedules that ring out")
    }

    private static func line(forReduced change: NodeReduction) -> String {
        "\(change.node): plays its cheaper variant, because "
            + (change.reason == .load ? "the load is \(percent(change.load))" : "cycles are late")
    }

    private static func line(forRestored change: NodeReduction) -> String {
        let reason =
            switch change.reason {
            case .late, .load: ""
            case .calm: ", because there is room again"
            case .offline: ", because no sound card waits"
            case .replaced: ""
            }
        return "\(change.node): plays completely again\(reason)"
    }

    private static func percent(_ share: Double) -> String { "\((share * 100).fixed(0)) %" }

    private static func line(for report: XrunReport) -> String {
        let first = TimeOfDay(unixSeconds: report.firstSeconds).text
        let last = TimeOfDay(unixSeconds: report.lastSeconds).text
        let delay = report.longestMilliseconds.map { "\($0.fixed(1)) ms" }
        guard report.count > 1 else { return "xrun at \(first)" + (delay.map { ", \($0)" } ?? "") }
        return "\(report.count) xruns "
            + (first == last ? "at \(first)" : "from \(first) to \(last)")
            + (delay.map { ", the longest \($0)" } ?? "")
    }

    private static func line(for summary: SessionSummary) -> String {
        "\(reason(summary.reason)) after \(summary.seconds.fixed(1)) s: \(summary.xruns) xruns, "
            + "highest peak \(summary.peak.decibels.fixed(1)) dB, "
            + "highest load \((summary.worstLoad * 100).fixed(0)) %"
    }

    private static func reason(_ reason: StopReason) -> String {
        switch reason {
        case .signal(SIGINT): "interrupted"
        case .signal, .requested: "stopped"
        case .durationOver: "ended"
        }
    }

    private static func format(_ rate: Double, _ block: Int) -> String {
        "\(rate.fixed(0)) Hz, \(block) frames per block"
    }

    private static func latencyText(_ frames: Int, _ rate: Double) -> String {
        "latency \(frames) frames (\((Double(frames) / rate * 1000).fixed(1)) ms)"
    }
}
