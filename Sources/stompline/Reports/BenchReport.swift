internal import OfflineHost
internal import Pipelines
internal import SessionTexts
internal import Platform

/// The result of a benchmark, as text and as JSON.
struct BenchReport {
    private let result: OfflineBench.Result
    private let ids: [String]
    private let request: OfflineBench.Request
    private let cores: CoreReport?

    init(
        _ result: OfflineBench.Result, of pipeline: Pipeline, _ request: OfflineBench.Request,
        cores: CoreBench.Result? = nil
    ) {
        self.result = result
        self.cores = cores.map { CoreReport($0, of: pipeline, request) }
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
        let more = cores.map { "\n\n" + $0.text } ?? ""
        return period + "\n\n" + table.text + more
    }

    private func row(_ name: String, _ cost: Cost) -> [String] {
        let costs = [cost.medianNanoseconds, cost.p999Nanoseconds, cost.worstNanoseconds]
        return [name] + costs.map { "\(($0 * request.sampleRate / 1e9 * 100).fixed(3)) %" }
    }

    /// `{"block", "rate", "nodes": [{"id", …}], "total": {…}}`, in ns per frame, all channels
    /// together; with several cores also `"cores": {…}`.
    var json: JSONValue {
        let nodes = zip(ids, result.nodes).map { id, cost in
            JSONValue.object([JSONValue.Member("id", .string(id))] + Self.members(cost))
        }
        let members: [JSONValue.Member] = [
            .init("block", .integer(request.blockFrames)),
            .init("rate", .integer(Int(request.sampleRate))),
            .init("nodes", .array(nodes)), .init("total", .object(Self.members(result.total))),
        ]
        return .object(members + (cores.map { [JSONValue.Member("cores", $0.json)] } ?? []))
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
