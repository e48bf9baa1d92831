import FoundationEssentials
import Testing

@Suite("stompline plugins and plugin")
struct PluginCommandTests {
    private let program = Program()
    private let amplifier = "http://lv2plug.in/plugins/eg-amp"

    @Test("a list shows each plugin on a line with its channels")
    func list() {
        let outcome = program("plugins", "eg-amp")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\(amplifier)  Simple Amplifier  1→1"))
    }

    @Test("a list after --probe has each plugin's verdict and latency, and keeps them")
    func probe() throws {
        let tried = program("plugins", "lv2/comp_delay", "--probe")
        #expect(tried.status == 0)
        #expect(tried.output.contains("plays"))
        #expect(tried.errors.isEmpty)
        #expect(program("plugins", "lv2/comp_delay").output == tried.output)
    }

    @Test("a plugin that allocates in its run is reported by its page, and by check as a warning")
    func allocation() {
        let early = "urn:dragonfly:early"
        #expect(program("plugin", early).output.contains("Tried: plays; allocates in its run"))
        program.write("\"nodes\": [\n{ \"id\": \"e\", \"type\": \"lv2\", \"uri\": \"\(early)\" } ]")
        let outcome = program("check", "p.json")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("warning: the plugin of 'e' allocates in its run"))
        #expect(outcome.errors.contains("p.json:2:") || outcome.errors.contains("p.json:3:"))
        #expect(outcome.errors.contains("[plugin]"))
    }

    @Test("a text that no plugin matches gives an empty list with a notice")
    func nothingFound() {
        let outcome = program("plugins", "no such plugin")
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("'no such plugin'"))
        #expect(program("plugins", "no such plugin", "--json").output == "[]\n")
    }

    @Test("a list for scripts names the channels and the missing features of each plugin")
    func listAsJSON() throws {
        let outcome = program("plugins", "convoLV2#Mono", "--json")
        let plugins = try JSONDecoder().decode([Summary].self, from: Data(outcome.output.utf8))
        #expect(plugins.first?.missing_features == [])
        #expect(plugins.first?.inputs == 1)
    }

    @Test(
        "the node on a plugin's page is valid without changes",
        arguments: [
            "http://lv2plug.in/plugins/eg-amp", "http://calf.sourceforge.net/plugins/Reverb",
            "http://plugin.org.uk/swh-plugins/bandpass_iir",
            "http://gareus.org/oss/lv2/fil4#mono",
        ])
    func node(uri: String) throws {
        let page = program("plugin", uri).output
        let start = try #require(page.firstRange(of: "To paste into \"nodes\":\n\n"))
        program.write("\"nodes\": [ \(page[start.upperBound...]) ]")
        let outcome = program("check", "p.json")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("a plugin's page shows gains that are factors also in dB")
    func factors() {
        let page = program("plugin", "http://calf.sourceforge.net/plugins/Compressor").output
        #expect(page.contains("0.015625…64 (-36.1…36.1 dB); default 1 (0 dB)"))
    }

    @Test("a gain in dB for a plugin's factor gets the factor")
    func decibels() {
        program.write(
            """
            "nodes": [ { "id": "squeeze", "type": "lv2",
              "uri": "http://calf.sourceforge.net/plugins/MonoCompressor",
              "parameters": { "level_in": -6 } } ]
            """)
        let outcome = program("check", "p.json")
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains("(did you mean 0.5012, which is -6 dB?)"), "\(outcome.errors)")
    }

    @Test("a plugin's page for scripts has its ports, parameters, presets and node")
    func pageAsJSON() throws {
        let outcome = program("plugin", "http://calf.sourceforge.net/plugins/Filter", "--json")
        let page = try JSONDecoder().decode(Page.self, from: Data(outcome.output.utf8))
        #expect(page.inputs.map(\.symbol) == ["in_l", "in_r"])
        #expect(page.presets.map(\.label) == ["Disco", "Distant Headphones", "Totally muted"])
        #expect(page.parameters.contains { $0.name == "freq" && $0.unit == "Hz" })
        #expect(page.node.uri == "http://calf.sourceforge.net/plugins/Filter")
    }

    @Test(
        "a plugin is found by its name, or by a part that no other name contains",
        arguments: ["Calf Reverb", "calf REVERB", "alf reverb"])
    func byName(_ name: String) {
        let uri = "http://calf.sourceforge.net/plugins/Reverb"
        let outcome = program("plugin", name)
        #expect(outcome.status == 0)
        #expect(outcome.output == program("plugin", uri).output)
        #expect(outcome.output.contains("\n\(uri)\n"))
    }

    @Test("a name of several plugins gives their URIs and status 69")
    func candidates() {
        let outcome = program("plugin", "simple amplifier")
        #expect(outcome.status == 69)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("several plugins have 'simple amplifier' in their names"))
        #expect(outcome.errors.contains("\(amplifier)  Simple Amplifier\n"))
        #expect(outcome.errors.contains("http://plugin.org.uk/swh-plugins/amp  Simple amplifier\n"))
        #expect(program("plugin", "calf").errors.contains("more; 'stompline plugins' lists them"))
    }

    @Test("a plugin's name in a pipeline gets the URI to write")
    func nameInPipeline() {
        program.write(
            "\"nodes\": [ { \"id\": \"a\", \"type\": \"lv2\", \"uri\": \"calf reverb\" } ]")
        let outcome = program("check", "p.json")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("write http://calf.sourceforge.net/plugins/Reverb"))
        program.write("\"nodes\": [ { \"id\": \"a\", \"type\": \"reverb\" } ]")
        #expect(program("check", "p.json").errors.contains("stompline plugins reverb"))
    }

    @Test("a plugin that is not installed gives status 69")
    func missing() {
        let outcome = program("plugin", "urn:stompline-test:nowhere")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("urn:stompline-test:nowhere is not installed"))
    }

    private struct Summary: Decodable {
        let inputs: Int
        let missing_features: [String]
    }

    private struct Page: Decodable {
        struct Port: Decodable { let symbol: String }
        struct Preset: Decodable { let label: String }
        struct Parameter: Decodable {
            let name: String
            let unit: String
            let times_sample_rate: Bool
        }
        struct Node: Decodable { let uri: String }
        let inputs: [Port]
        let presets: [Preset]
        let parameters: [Parameter]
        let node: Node
    }
}
