import FoundationEssentials
import Glibc
import Testing

@Suite("stompline")
struct ProgramTests {
    private let program = Program()

    @Test(
        "every command's help shows an example of it",
        arguments: [
            "run", "ctl", "check", "render", "bench", "effects", "plugins", "plugin", "graph",
            "ports", "schema", "doctor", "new", "reference",
        ])
    func help(command: String) {
        let outcome = program(command, "--help")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("  stompline \(command)"))
    }

    @Test(
        "help fits a terminal of 80 columns",
        arguments: [
            [], ["run"], ["ctl"], ["check"], ["render"], ["bench"], ["effects"], ["plugins"],
            ["plugin"], ["graph"], ["ports"], ["schema"], ["doctor"], ["new"],
            ["reference"],
        ])
    func width(command: [String]) {
        let lines = program(command + ["--help"]).output.split(separator: "\n")
        #expect(lines.filter { $0.count >= 80 && !$0.hasPrefix("USAGE") } == [])
    }

    @Test(
        "the pipelines in the help are among the shipped ones",
        arguments: [[], ["run"], ["check"], ["render"], ["bench"], ["graph"]])
    func examples(command: [String]) {
        let words = program(command + ["--help"]).output.split(whereSeparator: \.isWhitespace)
        let named = words.filter { $0.hasPrefix("pipelines/") && !$0.contains("*") }
        #expect(!named.isEmpty)
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        #expect(named.filter { access("/\(root)/\($0)", R_OK) != 0 } == [])
    }

    @Test(
        "wrong usage gives status 64 and a message on standard error",
        arguments: [
            ["fly"], ["check"], ["check", "--fast"], ["bench"], ["effects", "flanger9"], ["render"],
            ["run", "a.json", "--period", "15"], ["run", "a.json", "--period", "8193"],
            ["run", "a.json", "--period", "fast"], ["new"],
            ["new", "a.json", "--template", "tuba"], ["reference"],
        ])
    func wrongUsage(arguments: [String]) {
        let outcome = program(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(!outcome.errors.isEmpty)
    }

    @Test("the verbose version names the JACK library in use and the other libraries")
    func versions() throws {
        let short = program("--version").output.split(separator: "\n").map(String.init)
        let outcome = program("--version", "--verbose")
        #expect(outcome.status == 0 && outcome.errors == "")
        let lines = outcome.output.split(separator: "\n")
        #expect(short.count == 1 && lines.first?.hasSuffix("  " + (short.first ?? "")) == true)
        for name in ["Swift", "Linux", "JACK library", "lilv", "libsndfile", "GnuTLS"] {
            #expect(lines.contains { $0.hasPrefix(name + "  ") }, "\(name) is missing")
        }
        #expect(!outcome.output.contains("PipeWire") && !outcome.output.contains("not loaded"))
        #expect(program("--verbose", "--version").output == outcome.output)
    }

    @Test("the verbose version names PipeWire if it provides the JACK library")
    func pipeWireVersion() {
        var program = program
        program.starter = ["pw-jack"]
        let lines = program("--version", "--verbose").output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("PipeWire  ") && $0.last?.isNumber == true })
        #expect(lines.contains { $0.hasPrefix("JACK library  3.") })
    }

    @Test("the list of effects and their pages match the catalogue")
    func effects() throws {
        struct Parameter: Decodable {
            let name: String, unit: String, minimum: Double, maximum: Double
        }
        struct Setting: Decodable { let name: String }
        struct Effect: Decodable {
            let type: String, summary: String
            let parameters: [Parameter], strip_parameters: [Parameter], settings: [Setting]
        }
        let json = program("effects", "--json")
        let effects = try JSONDecoder().decode([Effect].self, from: Data(json.output.utf8))
        #expect(effects.contains { $0.type == "frequency-shift" })
        let list = program("effects").output
        for effect in effects {
            #expect(list.contains("\n\(effect.type) ") || list.hasPrefix("\(effect.type) "))
            let page = program("effects", effect.type).output
            for name in (effect.parameters + effect.strip_parameters).map(\.name)
                + effect.settings.map(\.name)
            {
                #expect(page.contains("\n  \(name)"))
            }
            let one = program("effects", effect.type, "--json").output
            #expect(try JSONDecoder().decode(Effect.self, from: Data(one.utf8)).type == effect.type)
        }
    }

    @Test(
        "a node pasted from an effect's page is valid",
        arguments: ["gain", "filter", "frequency-shift", "meter"])
    func paste(type: String) throws {
        let page = program("effects", type).output
        let node = try #require(page.split(separator: "\"nodes\":").last)
        program.write("\"nodes\": [\(node)]")
        let outcome = program("check", "p.json")
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Test("the schema is JSON of draft-07")
    func schema() throws {
        struct Schema: Decodable {
            enum CodingKeys: String, CodingKey { case version = "$schema" }
            let version: String
        }
        let outcome = program("schema")
        #expect(outcome.status == 0)
        let schema = try JSONDecoder().decode(Schema.self, from: Data(outcome.output.utf8))
        #expect(schema.version == "http://json-schema.org/draft-07/schema#")
    }

    @Test("if its output's reader closes, the program ends without a message")
    func brokenPipe() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        close(ends[0])
        let outcome = program("effects", "--json", output: ends[1])
        close(ends[1])
        #expect(outcome.errors == "")
        #expect(outcome.status == -SIGPIPE || outcome.status == 0)
    }

    @Test("a full disk under standard output is a failed write")
    func fullDisk() {
        let full = open("/dev/full", O_WRONLY)
        let outcome = program("effects", output: full)
        close(full)
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("No space left"))
    }
}
