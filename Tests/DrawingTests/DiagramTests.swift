import Drawing
import Pipelines
import Testing

@Suite("A pipeline's diagram")
struct DiagramTests {
    private let diagram = Diagram(of: SamplePipeline.pipeline, latencies: SamplePipeline.latencies)

    private func card(_ name: String) throws -> Card {
        try #require(diagram.cards.first { $0.name == name })
    }

    private func wire(_ source: String, _ destination: String) throws -> Wire {
        try #require(
            diagram.wires.first {
                diagram.cards[$0.source].name == source
                    && diagram.cards[$0.destination].name == destination
            })
    }

    @Test("has a card for each input, node and output")
    func cards() {
        let names = ["mic", "band", "control", "cut", "squash", "verb", "sum", "main"]
        #expect(diagram.cards.map(\.name) == names)
    }

    @Test("shows the parameters that differ from their defaults, with units")
    func changedParameters() throws {
        let rows = try card("cut").rows
        #expect(rows.map(\.label) == ["frequency"])
        #expect(rows.map(\.value) == ["120 Hz"])
        #expect(rows.map(\.address) == ["cut.frequency"])
        #expect(try card("cut").label == "Filter · highpass")
        let squash = try card("squash").rows
        #expect(squash.map(\.value) == ["on", "250 ms"])
        #expect(squash.first?.dial == .lamp(true))
    }

    @Test("shows settings that differ from their defaults")
    func settings() throws {
        #expect(try card("sum").rows == [.init(label: "pan-law", value: "0 dB")])
    }

    @Test("turns a logarithmic knob by octaves")
    func logarithmicKnob() throws {
        // 120 Hz is 3.6 of the 11 octaves from 10 Hz to 20 kHz.
        guard case .knob(let turn) = try card("cut").rows[0].dial else {
            Issue.record("no knob")
            return
        }
        #expect(abs(turn - 3.585 / 10.966) < 0.01)
    }

    @Test("shows a mixer's strips as inlets with level, place and mute")
    func strips() throws {
        #expect(
            try card("sum").inlets == [
                .init(label: "cut", detail: "−3 dB · left 30 %", address: "sum.cut"),
                .init(label: "verb", detail: "0 dB · muted", address: "sum.verb"),
            ])
    }

    @Test("gives side chains and events separate inlets")
    func sideChains() throws {
        #expect(try card("squash").inlets.map(\.label) == ["Input", "Side chain", "events"])
        let sideChain = try wire("band", "squash")
        #expect(sideChain.inlet == 1 && sideChain.selection == "ch 2" && sideChain.channels == 1)
        let events = try wire("control", "squash")
        #expect(events.inlet == 2 && events.channels == 0)
    }

    @Test("leads a mono signal to both inputs of a stereo plugin by one mono wire")
    func monoToStereo() throws {
        let wires = diagram.wires.filter { diagram.cards[$0.destination].name == "verb" }
        #expect(wires.count == 1)
        #expect(wires[0].channels == 1 && wires[0].selection == "")
    }

    @Test("shows the latency of a signal and its delay compensation")
    func latency() throws {
        #expect(try card("verb").latency == "2 ms")
        let direct = try wire("cut", "sum")
        #expect(direct.latency == "" && direct.alignment == "3 ms")
        let wet = try wire("verb", "sum")
        #expect(wet.latency == "3 ms" && wet.alignment == "")
        #expect(diagram.latency == "latency 3 ms (144 frames at 48 kHz)")
    }

    @Test("shows bypass and mix")
    func bypassAndMix() throws {
        #expect(try card("squash").isBypassed && !card("cut").isBypassed)
        #expect(try abs(card("verb").mix - 0.35) < 1e-6)
    }

    @Test("shows port connections and a disabled limiter")
    func ports() throws {
        #expect(try card("mic").notes == ["system:capture_1"])
        #expect(try card("band").notes == ["/loop:.*/"])
        #expect(try card("main").notes == ["limiter off"])
    }

    @Test("lists scenes and bindings")
    func lists() {
        #expect(
            diagram.scenes == [
                .init(name: "verse (at load)", entries: ["verb.mix 10 %", "sum.gain −6 dB"])
            ])
        #expect(
            diagram.bindings == [
                .init(name: "CC 11 on channel 3", entries: ["cut.frequency 20 Hz … 2 kHz"]),
                .init(name: "program 2 from control", entries: ["scene verse"]),
                .init(name: "note 60", entries: ["tap-tempo"]),
            ])
    }

    @Test("names the nodes that make an output late, with its latency without each of them")
    func causes() throws {
        var latencies = SamplePipeline.latencies
        latencies.causes = [
            [
                .init(node: 1, ownFrames: 48, withoutFrames: 96),
                .init(node: 2, ownFrames: 96, withoutFrames: 48),
            ]
        ]
        let diagram = Diagram(of: SamplePipeline.pipeline, latencies: latencies)
        let main = try #require(diagram.cards.first { $0.name == "main" })
        #expect(
            main.rows == [
                .init(label: "late by squash", value: "1 ms, without it 2 ms"),
                .init(label: "late by verb", value: "2 ms, without it 1 ms"),
            ])
        let drawing = SignalDiagram(of: SamplePipeline.pipeline, latencies: latencies)
        #expect(drawing.dot.count(of: "late by verb 2 ms, without it 1 ms") == 1)
        #expect(drawing.svg.count(of: ">late by verb</text>") == 1)
        #expect(drawing.svg.count(of: ">2 ms, without it 1 ms</text>") == 1)
    }

    @Test("shows the difference of a signal that is not aligned, instead of a delay")
    func unaligned() {
        var pipeline = SamplePipeline.pipeline
        pipeline.nodes[3].unalignedInputs = [0]
        let early = Diagram(of: pipeline, latencies: SamplePipeline.latencies)
        let dry = early.wires.filter { $0.lag != "" }
        #expect(dry.map(\.lag) == ["not aligned: 3 ms early"])
        #expect(dry.map(\.alignment) == [""])
        pipeline.nodes[3].unalignedInputs = []
        pipeline.nodes[3].offInputs = [1, 2]
        var latencies = SamplePipeline.latencies
        latencies.nodes[3].inputFrames = 0
        latencies.outputFrames = [0]
        let off = Diagram(of: pipeline, latencies: latencies)
        #expect(off.wires.map(\.lag).filter { $0 != "" } == ["off: 3 ms late if switched on"])
        let drawing = SignalDiagram(of: pipeline, latencies: latencies)
        #expect(drawing.dot.count(of: "off: 3 ms late if switched on") == 1)
        #expect(drawing.svg.count(of: "off: 3 ms late if switched on") == 1)
    }

    @Test("a node that is always bypassed has its latency only if switched on")
    func skipped() throws {
        var latencies = SamplePipeline.latencies
        latencies.nodes[2].isSkipped = true
        let diagram = Diagram(of: SamplePipeline.pipeline, latencies: latencies)
        let verb = try #require(diagram.cards.first { $0.name == "verb" })
        #expect(verb.latency == "2 ms if switched on")
        #expect(latencies.nodes[2].outputFrames == 48)
    }

    @Test("marks the nodes, inputs and outputs of the setlist around a song")
    func outerLevel() {
        var pipeline = SamplePipeline.pipeline
        let plain = SignalDiagram(of: pipeline, latencies: SamplePipeline.latencies)
        for text in [plain.svg, plain.dot] { #expect(text.count(of: "setlist") == 0) }
        #expect(plain.dot.count(of: "peripheries") == 0)
        pipeline.outer = Pipeline.OuterLevel(
            firstNode: 2, beforeCount: 0, inputs: [1], outputs: [0], path: "night.json")
        let cards = Diagram(of: pipeline, latencies: SamplePipeline.latencies).cards
        #expect(cards.filter(\.isOuter).map(\.name) == ["band", "verb", "sum", "main"])
        let marked = SignalDiagram(of: pipeline, latencies: SamplePipeline.latencies)
        #expect(marked.svg.count(of: ">setlist</text>") == 4)
        #expect(marked.svg.count(of: "<g class=\"node setlist\"") == 2)
        #expect(marked.svg.count(of: "<g class=\"node\"") == 2)
        // One dashed frame for each node of the setlist, and the edge of the bypassed node.
        #expect(plain.svg.count(of: "stroke-dasharray=\"5 4\"") == 0)
        #expect(marked.svg.count(of: "stroke-dasharray=\"5 4\"") == 2)
        for name in ["band", "verb", "sum", "main"] {
            #expect(marked.dot.count(of: "\"\(name)\" [label=\"\(name)\\nsetlist\\n") == 1)
        }
        #expect(marked.dot.count(of: "peripheries=2") == 4)
        #expect(OtherProgram.dot.accepts(marked.dot))
        #expect(OtherProgram.xmlParser.accepts(marked.svg))
    }

    @Test("can be drawn as SVG and as Graphviz")
    func drawings() {
        let drawing = SignalDiagram(
            of: SamplePipeline.pipeline, latencies: SamplePipeline.latencies)
        #expect(OtherProgram.dot.accepts(drawing.dot))
        #expect(drawing.dot.count(of: "\"cut\" -> \"sum\"") == 1)
        // The title of the card, and its accessible name.
        #expect(drawing.svg.count(of: "Squash &amp; Co") == 2)
    }
}
