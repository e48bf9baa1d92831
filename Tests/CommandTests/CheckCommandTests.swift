import FoundationEssentials
import Glibc
import TestSignals
import Testing

@Suite("stompline check")
struct CheckCommandTests {
    private let program = Program()

    /// What `--json` prints for a file.
    private struct Report: Decodable {
        struct Diagnostic: Decodable {
            let file: String, line: Int, column: Int, pointer: String, code: String, message: String
            let suggestion: String?
        }
        struct Node: Decodable { let id: String, latency_frames: Int }
        let file: String, valid: Bool, diagnostics: [Diagnostic], latency_frames: Int?,
            nodes: [Node]
    }

    private func writeFiles() {
        program.write(
            "\"nodes\": [{ \"id\": \"s\", \"type\": \"frequency-shift\" }]", to: "good.json")
        program.write("\"nodes\": [{ \"id\": \"g\", \"type\": \"gian\" }]", to: "bad.json")
        program.write(
            "\"nodes\": [{ \"id\": \"p\", \"type\": \"lv2\", \"uri\": \"urn:none\" }]",
            to: "plugin.json")
    }

    @Test("a valid file gets one line on standard output, with channels, limiter and latency")
    func valid() {
        program.write("\"inputs\": { \"mic\": {} }, \"outputs\": { \"main\": { \"channels\": 2 } }")
        let outcome = program("check", "p.json")
        #expect(outcome.status == 0)
        #expect(
            outcome.output
                == "p.json: valid: mic (1) to main (2, limiter on); latency 0 frames, 0.0 ms at 48000 Hz\n"
        )
        #expect(outcome.errors == "")
    }

    @Test(
        "the gravest fault of several files decides the status",
        arguments: [
            (["good.json"], 0), (["plugin.json"], 69), (["bad.json"], 65), (["none.json"], 66),
            (["plugin.json", "good.json"], 69), (["plugin.json", "bad.json"], 65),
            (["bad.json", "none.json", "plugin.json"], 66),
        ] as [([String], Int32)])
    func status(files: [String], status: Int32) {
        writeFiles()
        let outcome = program(["check"] + files)
        #expect(outcome.status == status)
        #expect(outcome.errors.isEmpty == (status == 0))
        for file in files where file != "good.json" {
            #expect(outcome.errors.contains("\(file):1:"))
            #expect(!outcome.output.contains(file))
        }
    }

    @Test("a pipe that nobody writes to is refused, not waited for", arguments: [false, true])
    func silentPipe(asSound: Bool) {
        #expect(mkfifo(program.folder.file("pipe"), 0o600) == 0)
        program.write("\"nodes\": []")
        let outcome =
            asSound
            ? program("render", "p.json", "--input", "pipe", "--output", "out.wav")
            : program("check", "pipe")
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("pipe"))
    }

    @Test("--json prints an object for each file")
    func json() throws {
        writeFiles()
        let outcome = program("check", "good.json", "bad.json", "none.json", "--json")
        #expect(outcome.status == 66)
        #expect(outcome.errors == "")
        let reports = try JSONDecoder().decode([Report].self, from: Data(outcome.output.utf8))
        #expect(reports.map(\.file) == ["good.json", "bad.json", "none.json"])
        #expect(reports.map(\.valid) == [true, false, false])
        let good = reports[0]
        #expect(good.nodes.map(\.id) == ["s"])
        #expect(good.latency_frames == good.nodes[0].latency_frames)
        #expect(good.diagnostics.isEmpty)
        #expect(reports[1].latency_frames == nil)
        let fault = try #require(reports[1].diagnostics.first)
        #expect(fault.code == "unknown-type")
        #expect(fault.pointer == "/nodes/0/type")
        #expect(fault.suggestion?.contains("gain") == true)
        #expect(reports[2].diagnostics.map(\.code) == ["file"])
    }

    @Test(
        "a rate beyond any sound card's is wrong usage",
        arguments: ["0", "-1", "999999999", "fast"])
    func rate(text: String) {
        writeFiles()
        #expect(program("check", "good.json", "--rate=\(text)").status == 64)
    }
}
