internal import OfflineHost
internal import Pipelines
internal import SessionTexts
internal import Platform

/// The result of a benchmark, as text and as JSON.
struct BenchReport {
    private let result: OfflineBench.Result
    private let ids: [String]
    private let request: OfflineBench.Request

    init(_ result: OfflineBench.Result, of pipeline: Pipeline, _ request: OfflineBench.Request) {
        self.result = result
        ids = pipeline.nodes.map(\.id)
        self.request = request
    }

    /// One line per node, and one for all nodes.
    var text: String {
        let milliseconds = 1000 * Double(request.blockFrames) / request.sampleRate
        let period =
            "\(request.blockFrames) frames at \(Int(request.sampleRate)) Hz: "
            + "a period lasts \(milliseconds.fixed(2)) ms"
        var table = TextTable([.left, .right, .right, .right])
        table.add(["node", "median", "99.9 %", "worst"])
        for (id, cost) in zip(ids, result.nodes) { table.add(row(id, cost)) }
        table.add(row("total", result.total))
        return period + "\n\n" + table.text
    }

    private func row(_ name: String, _ cost: Cost) -> [String] {
        let costs = [cost.medianNanoseconds, cost.p999Nanoseconds, cost.worstNanoseconds]
        return [name] + costs.map { "\(($0 * request.sampleRate / 1e9 * 100).fixed(3)) %" }
    }

    /// `{"block", "rate", "nodes": [{"id", …}], "total": {…}}`, in ns per frame, all channels
    /// together.
    var json: JSONValue {
        [
            "block": .integer(request.blockFrames), "rate": .integer(Int(request.sampleRate)),
            "nodes": .array(
                zip(ids, result.nodes).map { id, cost in
                    .object([JSONValue.Member("id", .string(id))] + Self.members(cost))
                }),
            "total": .object(Self.members(result.total)),
        ]
    }

    private static func members(_ cost: Cost) -> [JSONValue.Member] {
        [
            .init("mean_ns_per_frame", .number(cost.meanNanoseconds)),
            .init("median_ns_per_frame", .number(cost.medianNanoseconds)),
            .init("p999_ns_per_frame", .number(cost.p999Nanoseconds)),
            .init("worst_ns_per_frame", .number(cost.worstNanoseconds)),
        ]
    }
}
