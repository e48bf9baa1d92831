import FoundationEssentials
import Glibc
import Testing

@Suite("stompline bench")
struct BenchCommandTests {
    private let program = Program()

    private struct Cost: Decodable {
        let id: String?
        let mean_ns_per_frame: Double, median_ns_per_frame: Double
        let p999_ns_per_frame: Double, worst_ns_per_frame: Double
    }
    private struct Report: Decodable {
        let block: Int, rate: Int, nodes: [Cost], total: Cost
    }

    init() {
        program.write(
            "\"nodes\": [{ \"id\": \"a\", \"type\": \"gain\" }, { \"id\": \"b\", \"type\": \"filter\" }]"
        )
    }

    @Test("--json prints the cost of each node, in order, and the total")
    func json() throws {
        let outcome = program(
            "bench", "p.json", "--block", "128", "--rate", "44100", "--seconds", "0.2", "--set",
            "b.frequency=200@0.1", "--json")
        #expect(outcome.status == 0)
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(report.block == 128)
        #expect(report.rate == 44_100)
        #expect(report.nodes.map(\.id) == ["a", "b"])
        for cost in report.nodes + [report.total] {
            #expect(0 < cost.median_ns_per_frame)
            #expect(cost.median_ns_per_frame <= cost.p999_ns_per_frame)
            #expect(cost.p999_ns_per_frame <= cost.worst_ns_per_frame)
            #expect(0 < cost.mean_ns_per_frame)
        }
    }

    @Test("as text there is a line for each node")
    func text() {
        let outcome = program("bench", "p.json", "--seconds", "0.1")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[0] == "64 frames at 48000 Hz: a period lasts 1.33 ms")
        #expect(lines[1].split(separator: " ") == ["node", "median", "99.9", "%", "worst"])
        #expect(lines.count == 5)
        #expect(lines[2].hasPrefix("a ") && lines[3].hasPrefix("b "))
        #expect(lines[4].hasPrefix("total ") && lines[4].hasSuffix(" %"))
    }

    @Test(
        "with --cores, a chain is one task on its longest path, and more cores do not help",
        .enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1, "one core measures nothing"))
    func chainOnSeveralCores() throws {
        let judgement = "More cores do not help."
        var outcome = program("bench", "p.json", "--seconds", "0.1", "--cores", "2")
        // On a busy machine, the second measurement may seem to be a gain.
        for _ in 0..<20 where !outcome.output.contains(judgement) {
            outcome = program("bench", "p.json", "--seconds", "0.1", "--cores", "2")
        }
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.last == judgement, "\(outcome.output)")
        let path = try #require(lines.first { $0.contains("; longest path, ") })
        #expect(path.hasPrefix("1 tasks, planned in ") && path.hasSuffix(" of the period: a → b"))
        let cores = lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        #expect(cores.suffix(5) == [1, 2, 4, 8, 16])
    }

    @Test("an address that does not exist is wrong usage")
    func wrongAddress() {
        let outcome = program("bench", "p.json", "--set", "c.gain=1")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("\"c\""))
    }
}
