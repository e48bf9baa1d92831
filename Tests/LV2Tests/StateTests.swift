import LV2
import Pipelines
import PluginComparison
import Processing
import Testing

@Suite("Presets and default states")
struct StateTests {
    private let world = HostileBundle.world
    private let uri = "urn:stompline-test:stateful"

    /// The values of the node of a pipeline.
    private func values(_ uri: String, _ rest: String) throws -> [Float] {
        let text = """
            { "version": 1, "nodes": [{ "id": "n", "type": "lv2", "uri": "\(uri)"\(rest) }] }
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "p.json",
            catalogue: Catalogue(effects: [], plugins: world))
        return pipeline.nodes[0].values
    }

    @Test(
        "control values of a default state go before the ports' defaults, and the plugin is told so"
    )
    func defaultState() throws {
        #expect(try values(uri, "") == [2.5, 1])
        #expect(try world.makeProcessor(uri).render([], frames: 64)[0] == 1102.5)
    }

    @Test("a plugin whose default state is more than control values loads, and is told so")
    func wordyState() throws {
        let wordy = "urn:stompline-test:wordy"
        #expect(try world.description(ofPlugin: wordy).missingFeatures == [])
        #expect(try world.makeProcessor(wordy).render([], frames: 64)[0] == 1102.5)
    }

    @Test(
        "a preset's values hold at load, by its label or its URI",
        arguments: ["Loud", "urn:stompline-test:preset-loud"])
    func preset(_ name: String) throws {
        #expect(try values(uri, ", \"settings\": { \"preset\": \"\(name)\" }") == [9, 3])
    }

    @Test("the file's own values go over a preset's")
    func override() throws {
        let rest = """
            , "settings": { "preset": "Loud" }, "parameters": { "level": 4 }
            """
        #expect(try values(uri, rest) == [4, 3])
    }

    @Test("a preset's value out of range is refused, unless the file sets another")
    func outside() throws {
        let preset = ", \"settings\": { \"preset\": \"Outside\" }"
        let fault = #expect(throws: InvalidPipeline.self) { try values(uri, preset) }
        #expect(
            fault?.diagnostics.map(\.message) == [
                "the preset \"Outside\" sets \"level\" to 50, which must be 0…10; "
                    + "the node's \"parameters\" may set another value"
            ])
        #expect(try values(uri, preset + ", \"parameters\": { \"level\": 4 }") == [4, 3])
    }

    @Test("a preset that holds more than control values gives those as well")
    func wordyPreset() throws {
        #expect(try values(uri, ", \"settings\": { \"preset\": \"Wordy\" }") == [9, 1])
    }
}
