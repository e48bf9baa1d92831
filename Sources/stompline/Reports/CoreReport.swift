internal import OfflineHost
internal import Pipelines
internal import Platform

/// What more cores bring a pipeline, as text and as JSON.
struct CoreReport {
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
        switch CoreJudgement(of: result.rows, periodNanoseconds: periodNanoseconds) {
        case .notMeasured: "This machine has one core, so nothing was measured."
        case .noGain: "More cores do not help."
        case .onlyPredicted(let factor):
            "The times of the nodes predict ×\(factor.fixed(2)), but the measurement shows no "
                + "gain: other programs may use the other cores. Measure again on a quiet machine."
        case .oneCoreIsEnough:
            "More cores make a block shorter, but one core is enough: with --cores auto, "
                + "run uses one below a third of the period."
        case .gain: "More cores help."
        }
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
