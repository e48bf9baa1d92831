internal import Pipelines
internal import Processing
internal import Testing

/// The assignment of channels to inputs.
///
///         in (4) ─┬─ each ×4 ─┬─ sum (2 → 1)
///                 │           └─ ports
///                 ├─ chain (2 + side chain 2)
///                 └─ desk (4)
///         mono ───┬─ both (2) ─── duck (2, side chain silent)
///                 └─ wide (mono strip, stereo strip)
@Suite("Channels")
struct ChannelTests {
    private let whole: Pipeline

    init() throws {
        whole = try Pipeline(
            contentsOf: TestFiles.path("Valid/channels.json"), catalogue: FakeCatalogue.catalogue)
    }

    private func node(_ id: String) throws -> Pipeline.Node {
        try #require(whole.nodes.first { $0.id == id })
    }

    private func taps(_ source: Pipeline.Source, _ channels: Int...) -> [Pipeline.Tap?] {
        channels.map { Pipeline.Tap(source, channel: $0) }
    }

    @Test("a mono plugin runs once per channel")
    func replicated() throws {
        let each = try node("each")
        #expect(each.instances == (0..<4).map { taps(.input(0), $0) })
        #expect(each.outputChannels == 4)
        #expect(try node("ports").instances == [taps(.node(0), 0, 1, 2, 3)])
    }

    @Test("a plugin with two inputs gets a mono signal on both")
    func doubled() throws {
        #expect(try node("both").instances == [taps(.input(1), 0, 0)])
    }

    @Test("several signals keep their order")
    func sideBySide() throws {
        #expect(try node("sum").instances == [taps(.node(0), 3, 0)])
        #expect(try node("sum").outputChannels == 1)
        let all = try #require(whole.outputs.last).taps
        #expect(all == (taps(.node(1), 0, 1) + taps(.node(2), 0)).compactMap { $0 })
    }

    @Test("optional inputs are silent unless channels are assigned to them")
    func sideChains() throws {
        #expect(try node("duck").instances == [taps(.node(1), 0, 1) + [nil, nil]])
        #expect(try node("chain").instances == [taps(.input(0), 0, 1, 2, 3)])
    }

    @Test("ports feed a side chain by name")
    func ports() throws {
        let file = TestFiles.path("Valid/everything.json")
        let pipeline = try Pipeline(contentsOf: file, catalogue: FakeCatalogue.catalogue)
        let duck = try #require(pipeline.nodes.first { $0.id == "duck" })
        #expect(duck.instances == [taps(.node(1), 0, 1) + taps(.input(0), 0) + [nil]])
    }

    @Test("a mixer is as wide as its widest strip; the strips' channels follow one another")
    func mixers() throws {
        #expect(try node("desk").outputChannels == 4)
        let wide = try node("wide")
        #expect(wide.outputChannels == 2)
        #expect(wide.instances == [taps(.input(1), 0) + taps(.node(1), 0, 1)])
        #expect(wide.strips.map(\.name) == ["mono", "both"])
        #expect(wide.strips.map(\.channels) == [1, 2])
        #expect(wide.parameters.count == 1 + 2 * 5)
        #expect(wide.parameters.last?.name == "both.invert")
    }

    @Test("a mono signal reaches both channels of an output")
    func monoOutput() {
        #expect(whole.outputs.first?.taps == taps(.input(1), 0, 0).compactMap { $0 })
    }

    @Test(
        "the suggestion for a channel error names channels that exist, and all of them",
        arguments: [
            (#"["in", "mono"]"#, 2, #""from": ["in:1", "in:2"]"#),
            (#"["in", "mono"]"#, 4, #""from": ["in:1", "in:2", "mono", "in:1"]"#),
            (#"["mono", "in:2"]"#, 3, #""from": ["mono", "in:2", "mono"]"#),
            (#""in""#, 12, #""from": ["in", "in", "in", "in", "in", "in"]"#),
            (
                #""mono""#, 12,
                "\"from\": [" + Array(repeating: "\"mono\"", count: 12).joined(separator: ", ")
                    + "]"
            ),
        ])
    func suggestionOfSeveral(from: String, channels: Int, suggestion: String) throws {
        let reported = errors(
            """
            {"version": 1, "inputs": {"in": {"channels": 2}, "mono": {}}, \
            "outputs": {"out": {"channels": \(channels), "from": \(from)}}}
            """)
        #expect(reported.map(\.suggestion) == [suggestion])
    }

    @Test("a channel has only one spelling", arguments: ["in:01", "in:0", "in:00"])
    func leadingZero(reference: String) {
        let node = #"{"id": "m", "type": "mixer", "from": ["in:1", "\#(reference)"]}"#
        #expect(errors(pipeline(nodes: node)).map(\.code) == [.reference])
    }

    @Test("the suggestion for a channel error fits", arguments: [1, 2, 3, 4, 6])
    func suggestionFits(channels: Int) throws {
        let plugins = ["amp", "reverb", "sum", "duck", "compressor"]
        for plugin in plugins {
            let node = #"{"id": "p", "type": "lv2", "uri": "urn:fake:\#(plugin)", "from": "in"}"#
            let text = """
                {"version": 1, "inputs": {"in": {"channels": \(channels)}}, "nodes": [\(node)], \
                "outputs": {}}
                """
            guard let reported = errors(text).first else { continue }
            let suggestion = try #require(reported.suggestion)
            #expect(reported.code == .channels)
            #expect(errors(text.replacing(#""from": "in""#, with: suggestion)) == [])
        }
    }
}
