package import Pipelines
internal import Platform
internal import Processing

/// The result of a replay as text and as JSON.
package struct ReplayReport {
    /// The number of late cycles that are listed.
    private static let mostLines = 20

    private let box: Box
    private let result: Replay.Result
    /// The version of the program that replays.
    private let program: String
    /// The nodes that do not sound as they did, and if there is a difference or no cycle was
    /// compared, also those that may not.
    private let suspects: [Replay.Unrepeatable]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - result: The result of its replay.
    ///   - unrepeatable: The nodes whose sound may depend on more than the box contains.
    ///   - program: The version of the program that replays.
    package init(
        _ box: Box, _ result: Replay.Result, _ unrepeatable: [Replay.Unrepeatable],
        program: String
    ) {
        self.box = box
        self.result = result
        self.program = program
        let isKnownEqual = !box.facts.isPrivate && result.comparedCalls > 0 && result.isEqual
        suspects = isKnownEqual ? unrepeatable.filter(\.cause.isCertain) : unrepeatable
    }

    /// Whether the replay confirms the box: the whole sound is equal, no node produced NaN or
    /// infinity, and no plugin failed.
    package var isConfirmed: Bool { result.confirms(box.facts) }

    /// Returns the time of a frame, in seconds from the start of the box.
    private func seconds(_ frame: UInt64) -> Double {
        let first = box.log.calls.first?.frame ?? 0
        return Double(frame - min(frame, first)) / box.facts.sampleRate
    }

    private func text(_ frame: UInt64) -> String { "\(seconds(frame).fixed(3)) s (frame \(frame))" }

    /// The lines for people; no name from the box can add one.
    package var lines: [String] { rawLines.map(\.printable) }

    private var rawLines: [String] {
        let facts = box.facts
        var lines = [
            "\"\(facts.name)\", \(seconds(result.endFrame).fixed(1)) s at "
                + "\(facts.sampleRate.fixed(0)) Hz, played by Stompline \(facts.program)",
            "kept because of: \(facts.reason.kind.rawValue)"
                + (facts.reason.text.isEmpty ? "" : " (\(facts.reason.text))"),
        ]
        if facts.program != program {
            lines.append(
                "this is Stompline \(program): another version can have another sound")
        }
        lines.append(equality)
        if let frame = result.missingPipelineFrame {
            lines.append(
                "the replay ends at \(text(frame)): the box lacks the pipeline that played from "
                    + "then on")
        }
        for suspect in suspects { lines.append("\(suspect.node): \(suspect.explanation)") }
        for found in result.notFinite {
            lines.append("NaN or infinity is born in \(found.node) at \(text(found.frame))")
        }
        if facts.reason.kind == .notFinite, result.notFinite.isEmpty {
            lines.append("the NaN or infinity did not arise again")
        }
        lines += failures
        for late in result.late.prefix(Self.mostLines) { lines.append(line(for: late)) }
        if result.late.count > Self.mostLines {
            lines.append("and \(result.late.count - Self.mostLines) more late cycles")
        }
        if facts.reason.kind == .late, result.late.isEmpty {
            lines.append(
                "no cycle of Stompline took longer than its period: the server or another program "
                    + "was late")
        }
        return lines
    }

    private var equality: String {
        if box.facts.isPrivate { return "the sound was left out, so it cannot be compared" }
        let count = result.comparedCalls
        if count == 0 { return "no cycle has a checksum to compare with" }
        if result.isEqual { return "all \(count) cycles are equal to the bit" }
        let rest = "\(result.differentCalls) of \(count) cycles differ"
        guard result.equalFromFrame < result.endFrame else { return "\(rest), to the end" }
        return "\(rest); equal to the bit from \(text(result.equalFromFrame)) on"
    }

    /// The lines about plugins that failed, or that did not fail again.
    private var failures: [String] {
        let isRepeated = [.crash, .plugin].contains(box.facts.reason.kind)
        guard result.failures.isEmpty else {
            return result.failures.map { failure in
                "the plugin \(failure.plugin) failed \(isRepeated ? "again " : "")at "
                    + "\(text(failure.frame)) in node \(failure.node): \(failure.reason)"
            }
        }
        return switch box.facts.reason.kind {
        case .crash: ["no plugin failed in the replay, so it does not show why the program died"]
        case .plugin: ["the plugin did not fail again"]
        default: []
        }
    }

    private func line(for late: Replay.Late) -> String {
        let start = "late cycle at \(text(late.frame)): \(late.periods.fixed(2)) periods"
        guard let node = late.node else { return start }
        return "\(start), \(late.nodePeriods.fixed(2)) of them in \(node), which takes "
            + "\(late.replayedPeriods.fixed(3)) in the replay"
    }

    /// The result for scripts.
    package var json: JSONValue {
        [
            "name": .string(box.facts.name), "program": .string(box.facts.program),
            "reason": .string(box.facts.reason.kind.rawValue),
            "seconds": .number(seconds(result.endFrame)),
            "sample_rate": .number(box.facts.sampleRate), "private": .bool(box.facts.isPrivate),
            "confirmed": .bool(isConfirmed), "compared_cycles": .integer(result.comparedCalls),
            "different_cycles": .integer(result.differentCalls),
            "equal_from_seconds": result.equalFromFrame < result.endFrame
                ? .number(seconds(result.equalFromFrame)) : .null,
            "missing_pipeline_seconds": result.missingPipelineFrame.map { .number(seconds($0)) }
                ?? .null,
            "suspects": .array(
                suspects.map { ["node": .string($0.node), "cause": .string($0.explanation)] }),
            "not_finite": .array(
                result.notFinite.map {
                    ["node": .string($0.node), "seconds": .number(seconds($0.frame))]
                }),
            "failed_plugins": .array(
                result.failures.map {
                    [
                        "node": .string($0.node), "plugin": .string($0.plugin),
                        "seconds": .number(seconds($0.frame)), "reason": .string($0.reason),
                    ]
                }),
            "late": .array(
                result.late.map {
                    [
                        "seconds": .number(seconds($0.frame)), "periods": .number($0.periods),
                        "node": .optional($0.node), "node_periods": .number($0.nodePeriods),
                        "replayed_periods": .number($0.replayedPeriods),
                    ]
                }),
        ]
    }
}

extension Replay.Unrepeatable {
    fileprivate var explanation: String {
        switch cause {
        case .plugin(let uri):
            "the plugin \(uri) may depend on the clock, on random numbers or on files"
        case .missingPlugin(let uri):
            "the plugin \(uri) is not installed here, so its input passes through"
        case .stream(let url):
            "the stream \(url) cannot be replayed, so it is silent here"
        case .file(let path, .notThere):
            "\(path) is neither in the box nor unchanged on this machine, so it does not play here"
        case .file(let path, .changed):
            "\(path) was changed before the box was kept, so it does not play here"
        case .file(let path, .leftOut):
            "\(path) was left out of the box, so it does not play here"
        case .past(let seconds?):
            "it remembers sound from before the beginning of the box, for up to "
                + "\(seconds.fixed(1)) s"
        case .past(nil): "it may remember sound from before the beginning of the box"
        case .arrivals: "it received more data in one cycle than a box notes"
        }
    }
}

extension Replay.Unrepeatable.Cause {
    /// Whether the node lacks something here, even if the difference cannot be heard.
    fileprivate var isCertain: Bool {
        switch self {
        case .missingPlugin, .stream, .file: true
        case .plugin, .past, .arrivals: false
        }
    }
}
