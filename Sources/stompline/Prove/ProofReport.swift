internal import Pipelines
internal import Platform
internal import Proof

/// The result of `stompline prove`, as text and as JSON.
struct ProofReport {
    /// What the mark of a load in the table of songs and scenes means.
    static let markMeaning =
        "* measured in real time, as with a sound card; without the mark, blocks follow each other "
        + "without a pause and cost less"
    private static let mostNodes = 10
    private static let mostLatencies = 10
    private static let quantiles = [0.5, 0.9, 0.99, 0.999, 1]

    private let night: PlayedNight
    private let findings: [Finding]
    /// Where the period comes from.
    private let formatSource: String

    init(_ night: PlayedNight, formatSource: String) {
        self.night = night
        self.formatSource = formatSource
        findings = night.findings
    }

    /// Whether something is bad.
    var isBad: Bool { findings.contains { $0.state == .bad } }

    private func count(_ state: Finding.State) -> Int { findings.count { $0.state == state } }

    private static func percent(_ share: Double) -> String { "\((100 * share).fixed(1)) %" }

    // MARK: Text

    /// The findings, the songs and scenes, the costliest nodes, and the latest outputs.
    var text: String {
        [head, findingLines, partTable, nodeTable, latencyTable].filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    private var head: String {
        let request = night.request
        let period = 1000 * Double(request.blockFrames) / request.sampleRate
        return "\(count(.bad)) bad, \(count(.notice)) to notice, \(count(.unknown)) unknown, "
            + "\(count(.good)) good\n"
            + "\(request.blockFrames) frames at \(Int(request.sampleRate)) Hz (\(formatSource)): "
            + "a period lasts \(period.fixed(2)) ms"
    }

    private var findingLines: String {
        var table = TextTable([.left, .left])
        var explained: Set<String> = []
        for finding in findings {
            let place = finding.place.map { "\($0.text): " } ?? ""
            let state = "\(finding.state.rawValue.uppercased()) \(finding.title)"
            table.add([state, place + finding.finding])
            guard finding.state != .good else { continue }
            // Each reason and each remedy once.
            let fix = finding.fix.map { "Fix: \($0)" }
            let more = [finding.why, fix].compactMap { $0 }.filter { explained.insert($0).inserted }
            if !more.isEmpty { table.add(["", more.joined(separator: " ")]) }
        }
        return table.text
    }

    private var partTable: String {
        var table = TextTable([.left, .left, .right, .right, .right, .right])
        table.add(["song", "scene", "mean", "worst", "peak", "loudness"])
        let isMixed = night.mixesMeasurements
        for part in night.songsAndScenes {
            let mark = isMixed ? part.isInRealTime ? "*" : " " : ""
            table.add([
                part.place.song, part.place.scene ?? "", Self.percent(part.meanLoad) + mark,
                Self.percent(part.worstLoad) + mark,
                part.peakDecibels.map { "\($0.fixed(1)) dB" } ?? "",
                part.loudness.map { "\($0.fixed(1)) LUFS" } ?? "",
            ])
        }
        return table.text + (isMixed ? "\n\(Self.markMeaning)" : "")
    }

    private var nodeTable: String {
        var table = TextTable([.left, .left, .right])
        table.add(["song", "costliest nodes", "mean"])
        for (place, load) in night.nodeLoads.prefix(Self.mostNodes) {
            table.add([place.song, place.node ?? "", Self.percent(load)])
        }
        return table.text
    }

    /// The outputs with latency, the latest first; empty if there are none.
    private var latencyTable: String {
        let late = night.outputLatencies.filter { $0.frames > 0 }.sorted { $0.frames > $1.frames }
        guard !late.isEmpty else { return "" }
        var table = TextTable([.left, .left, .right, .left])
        table.add(["song", "latest outputs", "latency", "by"])
        for latency in late.prefix(Self.mostLatencies) {
            table.add([
                latency.song, latency.output, "\(latency.milliseconds.fixed(1)) ms",
                latency.path.map(\.node).joined(separator: ", "),
            ])
        }
        return table.text
    }

    // MARK: JSON

    /// `{"bad", "notice", "unknown", "good", "frames", "rate", "cores", "findings", "load",
    /// "steps", "nodes", "latencies"}`.
    var json: JSONValue {
        [
            "bad": .integer(count(.bad)), "notice": .integer(count(.notice)),
            "unknown": .integer(count(.unknown)), "good": .integer(count(.good)),
            "frames": .integer(night.request.blockFrames),
            "rate": .number(night.request.sampleRate),
            "cores": .integer(night.request.coreCount),
            "findings": .array(findings.map(Self.json)), "load": loadJSON,
            "steps": .array(night.steps.indices.map(stepJSON)),
            "nodes": .array(
                night.nodeLoads.map { place, load in
                    [
                        "song": .string(place.song), "node": .optional(place.node),
                        "mean": .number(load.rounded(6)),
                    ]
                }),
            "latencies": .array(night.outputLatencies.map(Self.json)),
        ]
    }

    private static func json(_ latency: OutputLatency) -> JSONValue {
        [
            "song": .string(latency.song), "output": .string(latency.output),
            "latency_frames": .integer(latency.frames),
            "latency_ms": .number(latency.milliseconds.rounded(3)),
            "path": .array(
                latency.path.map {
                    ["node": .string($0.node), "latency_frames": .integer($0.frames)]
                }),
        ]
    }

    private static func json(_ finding: Finding) -> JSONValue {
        [
            "id": .string(finding.id), "state": .string(finding.state.rawValue),
            "place": finding.place.map(json) ?? .null,
            "figure": finding.figure.map {
                ["value": .number($0.value), "unit": .string($0.unit)]
            } ?? .null,
            "finding": .string(finding.finding), "why": .string(finding.why),
            "fix": .optional(finding.fix),
        ]
    }

    private static func json(_ place: Place) -> JSONValue {
        [
            "song": .string(place.song), "scene": .optional(place.scene),
            "node": .optional(place.node),
        ]
    }

    private var loadJSON: JSONValue {
        let loads = night.loads
        return [
            "blocks": .integer(loads.count), "mean": .number(loads.mean.rounded(6)),
            "worst": .number(loads.worst.rounded(6)),
            "worst_with_interruptions": .number(night.longestLoad.rounded(6)),
            "realtime": .bool(night.isRealtime),
            "quantiles": .array(
                Self.quantiles.map {
                    ["share": .number($0), "load": .number(loads.quantile($0).rounded(6))]
                }),
        ]
    }

    private func stepJSON(_ index: Int) -> JSONValue {
        let (step, loads) = (night.steps[index], night.loads(ofStep: index))
        return [
            "kind": .string(step.kind.rawValue), "title": .string(step.title),
            "place": Self.json(step.place), "mean": .number(loads.mean.rounded(6)),
            "worst": .number(loads.worst.rounded(6)),
            "real_time": .bool(night.times[index].isInRealTime),
            "outputs": .array(
                night.levels[index].outputs.map { output in
                    [
                        "name": .string(output.name),
                        "peak_db": .number(output.peakDecibels.rounded(2)),
                        "lufs": output.loudness.map { .number($0.rounded(2)) } ?? .null,
                    ]
                }),
        ]
    }
}

extension Double {
    /// Returns the number rounded to some digits after the decimal point.
    fileprivate func rounded(_ digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { power, _ in power * 10 }
        return (self * scale).rounded() / scale
    }
}
