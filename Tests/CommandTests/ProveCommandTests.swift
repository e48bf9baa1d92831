import FoundationEssentials
import Glibc
import TestSignals
import Testing

@Suite("stompline prove")
struct ProveCommandTests {
    private let program = Program()
    private static let brief = ["--frames", "128", "--rate", "48000", "--seconds", "0.1"]

    private struct Report: Decodable {
        struct Finding: Decodable {
            let id: String, state: String, finding: String, place: Place?, figure: Figure?
        }
        struct Place: Decodable { let node: String? }
        struct Figure: Decodable { let value: Double, unit: String }
        struct Load: Decodable { let blocks: Int, mean: Double, worst: Double }
        struct Output: Decodable { let lufs: Double? }
        struct Latency: Decodable { let song: String, output: String, latency_ms: Double }
        struct Step: Decodable { let kind: String, worst: Double, outputs: [Output]? }
        let bad: Int, frames: Int, rate: Int
        let findings: [Finding]
        let load: Load
        let steps: [Step]
        let latencies: [Latency]
    }

    private func write(gain: Int = 0, to name: String = "p.json", limiter: Bool = false) {
        program.write(
            "\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": { \"limiter\": \(limiter) } }, \"nodes\": [{ \"id\": \"a\", \"type\": \"gain\", \"parameters\": { \"gain\": \(gain) } }]",
            to: name)
    }

    @Test("--json prints the findings, the loads and all steps; nothing bad is status 0")
    func json() throws {
        write()
        let outcome = program(["prove", "p.json", "--passes", "2", "--json"] + Self.brief)
        #expect(outcome.status == 0)
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(report.bad == 0)
        #expect([report.frames, report.rate] == [128, 48_000])
        #expect(report.steps.map(\.kind) == ["song", "bypass", "bypass", "edit", "undo"])
        #expect(report.load.mean > 0 && report.load.worst >= report.load.mean)
        #expect(report.load.blocks >= 80)
        #expect(report.findings.contains { $0.id == "files" && $0.state == "good" })
        #expect(report.latencies.map(\.output) == ["out"])
        #expect(report.latencies.map(\.latency_ms) == [0])
        let memory = try #require(report.findings.first { $0.id == "memory" }?.figure)
        #expect(memory.unit == "MB")
        #expect(memory.value > 1 && memory.value < 4000)
        let start = try #require(report.findings.first { $0.id == "start" }?.figure)
        #expect(start.unit == "s")
        #expect(start.value > 0 && start.value < 30)
    }

    @Test("a plugin that allocates in its run is to notice, unless a process of its own runs it")
    func allocatingPlugin() throws {
        func findings(_ isolate: String) throws -> [Report.Finding] {
            program.write(
                "\"inputs\": { \"in\": { \"channels\": 2 } }, \"outputs\": { \"out\": { \"channels\": 2 } }, \"nodes\": [{ \"id\": \"early\", \"type\": \"lv2\", \"uri\": \"urn:dragonfly:early\"\(isolate) }]"
            )
            let outcome = program(["prove", "p.json", "--passes", "1", "--json"] + Self.brief)
            let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
            return report.findings.filter { $0.id == "plugins" }
        }
        let inside = try findings("")
        #expect(inside.map(\.state) == ["notice"])
        #expect(inside.first?.place?.node == "early")
        #expect(inside.first?.finding.contains("The plugin allocates in ") == true)
        let isolated = try findings(", \"isolate\": \"same-cycle\"")
        #expect(isolated.map(\.state) == ["good"])
    }

    @Test("an output beyond full scale is status 1, and the text says where")
    func bad() {
        write(gain: 24)
        let outcome = program(["prove", "p.json", "--passes", "1"] + Self.brief)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("BAD peaks"))
        #expect(outcome.output.contains("exceeds full scale"))
    }

    @Test("a song whose file is missing is bad, and the others are played")
    func missingSong() {
        write(to: "there.json")
        program.write(
            "\"setlist\": \"s\", \"songs\": [{ \"name\": \"Here\", \"pipeline\": \"there.json\" }, { \"name\": \"Gone\", \"pipeline\": \"gone.json\" }]",
            to: "night.json")
        let outcome = program(["prove", "night.json", "--passes", "1"] + Self.brief)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("BAD files"))
        #expect(outcome.output.contains("The song is not played."))
        #expect(outcome.output.contains("Here"))
    }

    @Test("a sound file feeds the input that it names")
    func input() throws {
        write()
        try program.write([[Float](repeating: 0.25, count: 4800)], to: "quiet.wav")
        let outcome = program(
            ["prove", "p.json", "--passes", "1", "--input", "in=quiet.wav"] + Self.brief)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("With the given sound"))
        #expect(outcome.output.contains("-12.0 dBFS"))
    }

    private func count(of part: String, in text: String) -> Int {
        text.ranges(of: part).count
    }

    @Test("--html writes a page in which no name has a meaning")
    func page() {
        program.write(
            "\"name\": \"<b>&\", \"inputs\": { \"in\": {} }, \"outputs\": { \"out\": {} }, \"nodes\": [{ \"id\": \"a\", \"type\": \"gain\" }]"
        )
        let outcome = program(
            ["prove", "p.json", "--passes", "1", "--html", "proof.html"] + Self.brief)
        #expect(outcome.status == 0)
        let page = program.text("proof.html")
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains("<h1>&lt;b&gt;&amp;</h1>"))
        #expect(!page.contains("<b>&"))
        #expect(page.contains("<h2>Latencies</h2>") && page.contains("<td>0.0 ms</td>"))
        // A bar for each of the five steps, and one for each of 50 intervals.
        #expect(count(of: "<rect ", in: page) == 55)
    }

    @Test("--html does not replace what is not a regular file")
    func pageOverPipe() {
        write()
        let pipe = program.folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let outcome = program(["prove", "p.json", "--passes", "1", "--html", pipe] + Self.brief)
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("is not a regular file"))
    }

    @Test("--html into a folder that does not exist is refused before anything is played")
    func pageNowhere() {
        write(gain: 24)
        let outcome = program(
            ["prove", "p.json", "--passes", "1", "--html", "none/proof.html"] + Self.brief)
        #expect(outcome.status == 74)
        #expect(outcome.output == "")
        #expect(
            outcome.errors.contains("cannot write 'none/proof.html': No such file or directory"))
    }

    @Test("--html does not replace a file that is played")
    func pageOverPipeline() throws {
        write()
        try program.write([[0.1]], to: "in.wav")
        let before = program.text("p.json")
        for arguments in [["--html", "p.json"], ["--html", "in.wav", "--input", "in=in.wav"]] {
            let outcome = program(["prove", "p.json", "--passes", "1"] + arguments + Self.brief)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("which is played"))
        }
        #expect(program.text("p.json") == before)
    }

    @Test("--fix-levels writes the gains, and leaves all other bytes of the setlist")
    func fixLevels() throws {
        write(gain: -10, to: "a.json")
        write(gain: -4, to: "b.json")
        let before =
            "{ \"version\": 1,  \"setlist\": \"s\", \"songs\": [{ \"name\": \"A\", \"pipeline\": \"a.json\" },\n{ \"name\": \"B\", \"pipeline\": \"b.json\" }] }"
        program.folder.write(before, to: "night.json")
        let sound = (0..<96_000).map { Float($0 % 100 < 50 ? 0.1 : -0.1) }
        try program.write([sound], to: "in.wav")
        let arguments = [
            "prove", "night.json", "--passes", "1", "--frames", "128", "--rate", "48000",
            "--fix-levels",
        ]
        #expect(program(arguments).status == 64)
        #expect(program.text("night.json") == before)
        let outcome = program(arguments + ["--input", "in=in.wav"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("B: gain -6.0 dB, was 0.0 dB"))
        let after = program.text("night.json")
        #expect(after.contains("\"gain\": -6"))
        let gain = ", \"gain\": -6"
        #expect(after.replacing(gain, with: "") == before)
        let again = program(arguments + ["--input", "in=in.wav"])
        #expect(again.errors.contains("nothing is changed"))
        #expect(program.text("night.json") == after)
    }

    @Test("--fix-levels leaves a setlist that was edited while the night played")
    func editedMeanwhile() throws {
        write(gain: -10, to: "a.json")
        write(gain: -4, to: "b.json")
        let songs =
            "\"songs\": [{ \"name\": \"A\", \"pipeline\": \"a.json\" }, { \"name\": \"B\", \"pipeline\": \"b.json\" }]"
        program.write("\"setlist\": \"s\", \(songs)", to: "night.json")
        program.write("\"setlist\": \"edited\", \(songs)", to: "edited.json")
        let sound = (0..<96_000).map { Float($0 % 100 < 50 ? 0.1 : -0.1) }
        try program.write([sound], to: "in.wav")
        // The program prints its report before it writes a file, and the report does not fit into
        // the pipe. So the program still prints when the first byte has arrived.
        let pipe = SmallPipe(at: program.folder.file("pipe"))
        var piped = program
        piped.starter = [
            "sh", "-c",
            """
            "$0" "$@" >pipe & exec 3<pipe
            dd bs=1 count=1 <&3 >/dev/null 2>&1
            cp edited.json night.json
            cat <&3 >rest
            wait $!
            """,
        ]
        let outcome = piped([
            "prove", "night.json", "--passes", "1", "--frames", "128", "--rate", "48000",
            "--input", "in=in.wav", "--fix-levels", "--json",
        ])
        withExtendedLifetime(pipe) {}
        #expect(outcome.status == 74)
        #expect(
            outcome.errors.contains("night.json is not changed: another program has changed"),
            "\(outcome.errors)")
        #expect(program.text("night.json") == program.text("edited.json"))
        #expect(program.text("rest").utf8.count > 4096)
    }

    @Test("--fix-levels writes gains into scenes, and a second night finds them equally loud")
    func fixScenes() throws {
        let before =
            "{ \"version\": 1, \"inputs\": { \"in\": {} }, \"outputs\": { \"out\": {} },\n"
            + " \"nodes\": [{ \"id\": \"a\", \"type\": \"gain\" }],\n"
            + " \"scenes\": { \"soft\": { \"a.gain\": -9 },  \"loud\": { \"a.gain\":  -1 } }, \"scene\": \"soft\" }"
        program.folder.write(before, to: "song.json")
        let sound = (0..<96_000).map { Float($0 % 100 < 50 ? 0.1 : -0.1) }
        try program.write([sound], to: "in.wav")
        let arguments = [
            "prove", "song.json", "--passes", "1", "--frames", "128", "--rate", "48000",
            "--input", "in=in.wav",
        ]
        #expect(program(arguments + ["--fix", "scenes"]).status == 64)
        #expect(program(arguments + ["--fix-levels", "--fix", "songs"]).status == 64)
        #expect(program.text("song.json") == before)
        let outcome = program(arguments + ["--fix-levels"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("scene loud: gain -8.0 dB, was 0.0 dB"))
        let after = program.text("song.json")
        #expect(after.replacing(", \"gain\": -8", with: "") == before)
        let again = program(arguments + ["--fix-levels", "--json"])
        #expect(again.errors.contains("nothing is changed"))
        #expect(program.text("song.json") == after)
        let report = try JSONDecoder().decode(Report.self, from: Data(again.output.utf8))
        let loudness = report.steps.filter { $0.kind == "scene" || $0.kind == "song" }
            .compactMap { $0.outputs?.first?.lufs }
        #expect(loudness.count == 4)
        let (low, high) = (loudness.min() ?? 0, loudness.max() ?? 9)
        #expect(high - low < 0.5)
    }

    @Test("a file that cannot be read is 66, one that is not valid 65, a wrong option 64")
    func statuses() {
        #expect(program("prove", "nothing.json").status == 66)
        program.write("\"nodes\": 3", to: "wrong.json")
        #expect(program("prove", "wrong.json").status == 65)
        write()
        #expect(program("prove", "p.json", "--frames", "7").status == 64)
        #expect(program("prove", "p.json", "--input", "no=x.wav").status == 64)
        #expect(program("prove", "p.json", "--output", "no").status == 64)
    }
}
