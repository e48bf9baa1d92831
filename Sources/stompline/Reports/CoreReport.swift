internal import OfflineHost
internal import Pipelines
internal import Platform

/// What more cores bring a pipeline, as text and as JSON.
struct CoreReport {
    /// The share of the time on one core that several cores must save, so that they help.
    private static let leastGain = 0.1

    private let result: CoreBench.Result
    private let path: [String]
    private let periodNanoseconds: Double

    init(_ result: CoreBench.Result, of pipeline: Pipeline, _ request: OfflineBench.Request) {
        self.result = result
        path = result.criticalNodes.map { pipeline.nodes[$0].id }
        periodNanoseconds = Double(request.blockFrames) / request.sampleRate * 1e9
    }

    private var oneCoreNanoseconds: Double { result.rows[0].measuredNanoseconds ?? 0 }

    /// The table of cores, the longest path, and a judgement.
    var text: String {
        var table = TextTable([.right, .right, .right, .left])
        table.add(["cores", "predicted", "measured", ""])
        for row in result.rows { table.add(cells(row)) }
        let critical =
            path.isEmpty
            ? "no nodes"
            : "longest path, \(share(result.criticalNanoseconds)) of the period: "
                + path.joined(separator: " → ")
        return [
            "\(result.taskCount) tasks, planned in \((result.planNanoseconds / 1e6).fixed(2)) ms; "
                + critical,
            "", table.text, "", judgement,
        ].joined(separator: "\n")
    }

    private func cells(_ row: CoreBench.Row) -> [String] {
        [
            "\(row.coreCount)", gain(row.predictedNanoseconds),
            row.measuredNanoseconds.map(gain) ?? "-",
            row.measuredNanoseconds == nil ? "simulated from the times of the nodes" : "",
        ]
    }

    /// Returns a time as a share of the period, with the speed-up.
    private func gain(_ nanoseconds: Double) -> String {
        let factor = oneCoreNanoseconds / max(1, nanoseconds)
        return "\(share(nanoseconds))  ×\(factor.fixed(2))"
    }

    private func share(_ nanoseconds: Double) -> String {
        "\((nanoseconds / periodNanoseconds * 100).fixed(2)) %"
    }

    /// Whether more cores help.
    private var judgement: String {
        let measured = result.rows.dropFirst().filter { $0.measuredNanoseconds != nil }
        guard let best = measured.compactMap(\.measuredNanoseconds).min(),
            let predicted = measured.map(\.predictedNanoseconds).min()
        else { return "This machine has one core, so nothing was measured." }
        guard isGain(best) else {
            guard isGain(predicted) else { return "More cores do not help." }
            let factor = (oneCoreNanoseconds / max(1, predicted)).fixed(2)
            return "The times of the nodes predict ×\(factor), but the measurement shows no gain: "
                + "other programs may use the other cores. Measure again on a quiet machine."
        }
        if oneCoreNanoseconds < periodNanoseconds / 3 {
            return "More cores make a block shorter, but one core is enough: with --cores auto, "
                + "run uses one below a third of the period."
        }
        return "More cores help."
    }

    /// Returns whether a time saves enough of the time on one core.
    private func isGain(_ nanoseconds: Double) -> Bool {
        nanoseconds <= (1 - Self.leastGain) * oneCoreNanoseconds
    }

    /// `{"tasks", "plan_ns", "critical_path", "critical_ns", "counts": [{"cores", …}]}`, in ns per
    /// block.
    var json: JSONValue {
        [
            "tasks": .integer(result.taskCount),
            "plan_ns": .number(result.planNanoseconds),
            "critical_path": .array(path.map { .string($0) }),
            "critical_ns": .number(result.criticalNanoseconds),
            "counts": .array(
                result.rows.map { row in
                    [
                        "cores": .integer(row.coreCount),
                        "predicted_ns": .number(row.predictedNanoseconds),
                        "measured_ns": row.measuredNanoseconds.map { .number($0) } ?? .null,
                    ]
                }),
        ]
    }
}
