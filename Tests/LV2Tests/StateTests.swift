import LV2
import Pipelines
import PluginComparison
import Processing
import Testing

@Suite("Presets and default states")
struct StateTests {
    private let world = HostileBundle.world
    private let uri = "urn:stompline-test:stateful"

    /// Returns the values of the pipeline's node.
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
        "control values of a default state override the ports' defaults, and support is announced"
    )
    func defaultState() throws {
        #expect(try values(uri, "") == [2.5, 1])
        #expect(try world.makeProcessor(uri).render([], frames: 64)[0] == 1102.5)
    }

    @Test("a plugin whose default state has more than control values loads, with support announced")
    func wordyState() throws {
        let wordy = "urn:stompline-test:wordy"
        #expect(try world.description(ofPlugin: wordy).missingFeatures == [])
        #expect(try world.makeProcessor(wordy).render([], frames: 64)[0] == 1102.5)
    }

    @Test(
        "a preset's values apply at load, by its label or its URI",
        arguments: ["Loud", "urn:stompline-test:preset-loud"])
    func preset(_ name: String) throws {
        #expect(try values(uri, ", \"settings\": { \"preset\": \"\(name)\" }") == [9, 3])
    }

    @Test("the file's own values override a preset's")
    func override() throws {
        let rest = """
            , "settings": { "preset": "Loud" }, "parameters": { "level": 4 }
            """
        #expect(try values(uri, rest) == [4, 3])
    }

    @Test("a preset's value out of range is refused, unless the file sets another")
    func outside() throws {
        let preset = ", \"settings\": { \"preset\": \"Outside\" }"
        let error = #expect(throws: InvalidPipeline.self) { try values(uri, preset) }
        #expect(
            error?.diagnostics.map(\.message) == [
                "the preset \"Outside\" sets \"level\" to 50, but it must be 0…10; "
                    + "set another value in the node's \"parameters\""
            ])
        #expect(try values(uri, preset + ", \"parameters\": { \"level\": 4 }") == [4, 3])
    }

    @Test("a preset with more than control values provides its control values as well")
    func wordyPreset() throws {
        #expect(try values(uri, ", \"settings\": { \"preset\": \"Wordy\" }") == [9, 1])
    }
}
