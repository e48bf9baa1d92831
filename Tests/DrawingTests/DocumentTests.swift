import Drawing
import Testing

/// A name with characters that are special in XML or Graphviz or not allowed at all.
private let nasty = "<b>&\"quoted\"\\n'{|}\u{1}\u{FFFE}\r\nä€😀"

@Suite("A document")
struct DocumentTests {
    private static var nastyDiagram: Diagram {
        Diagram(
            title: nasty, summary: nasty,
            cards: [
                Card(.input, name: nasty, label: nasty, notes: [nasty]),
                Card(
                    .mixer, name: "node", label: nasty,
                    inlets: [.init(label: nasty, detail: nasty)],
                    rows: [.init(label: nasty, value: nasty, dial: .lamp(true))], latency: nasty),
                Card(.output, name: "main", inlets: [.init()]),
            ],
            wires: [
                Wire(from: 0, to: 1, selection: nasty, latency: nasty, alignment: nasty),
                Wire(from: 1, to: 2, channels: 2),
            ], scenes: [Listing(name: nasty, entries: [nasty])],
            bindings: [Listing(name: nasty, entries: [nasty])], latency: nasty)
    }

    @Test("in SVG is well-formed for all names")
    func svgIsWellFormed() {
        #expect(OtherProgram.xmlParser.accepts(Sheet(showing: Self.nastyDiagram).svg))
        #expect(!OtherProgram.xmlParser.accepts("<svg><g></svg>"))
        for nodes in [0, 7, 100] {
            let diagram = Diagram.random(nodes: nodes, seed: 21)
            #expect(OtherProgram.xmlParser.accepts(Sheet(showing: diagram).svg))
        }
    }

    @Test("in Graphviz is accepted by Graphviz for all names")
    func dotIsAccepted() {
        #expect(OtherProgram.dot.accepts(DOTGraph(showing: Self.nastyDiagram).text))
        #expect(!OtherProgram.dot.accepts("digraph { a -> }"))
        #expect(OtherProgram.dot.accepts(DOTGraph(showing: .random(nodes: 7, seed: 21)).text))
    }

    @Test("contains every node once, in SVG and Graphviz")
    func nodesAppearOnce() {
        let diagram = Diagram.random(nodes: 30, seed: 22)
        let svg = Sheet(showing: diagram).svg
        let dot = DOTGraph(showing: diagram).text
        for card in diagram.cards {
            #expect(svg.count(of: "data-name=\"\(card.name)\"") == 1)
            #expect(svg.count(of: ">\(card.name)</text>") == 1)
            #expect(dot.count(of: "\n    \"\(card.name)\" [label=") == 1)
        }
        #expect(dot.count(of: " -> ") == diagram.wires.count)
    }

    @Test("in SVG marks nodes, ports, wires, values and strips, each with a name")
    func marks() {
        let cards = [
            Card(.input, name: "mic", label: "mono"),
            Card(
                .mixer, name: "desk", label: "Mixer",
                inlets: [.init(label: "mic", detail: "0 dB", address: "desk.mic")],
                rows: [.init(label: "Gain", value: "1 dB", address: "desk.gain")],
                isBypassed: true, latency: "2 ms"),
            Card(.output, name: "main", label: "stereo", channels: 2, inlets: [.init()]),
        ]
        let svg = Sheet(
            showing: Diagram(
                title: "", cards: cards, wires: [Wire(from: 0, to: 1), Wire(from: 1, to: 2)])
        ).svg
        for mark in [
            "data-input=\"mic\"", "data-node=\"desk\"", "data-output=\"main\"",
            "data-from=\"mic\" data-to=\"desk\"", "data-from=\"desk\" data-to=\"main\"",
            "data-strip=\"desk.mic\"", "data-address=\"desk.gain\"", "class=\"latency\"",
            "aria-label=\"mic, input, mono\"", "aria-label=\"mic to desk\"",
            "aria-label=\"desk, Mixer, latency 2 ms, bypassed\"", "<g class=\"graph\" data-frame=",
        ] {
            #expect(svg.count(of: mark) == 1, "\(mark)")
        }
        #expect(svg.count(of: "class=\"value\"") == 2)
        // The graph, and each card, has its place.
        #expect(svg.count(of: "data-frame=\"") == 4)
        // A policy of a page may forbid styles, so all of them are attributes.
        #expect(svg.count(of: "style=") == 0)
    }

    @Test("in SVG contains no scripts and no references")
    func svgStandsAlone() {
        let svg = Sheet(showing: .random(nodes: 12, seed: 23)).svg
        for word in ["<script", "href", "<style", "@import", "url(", "<image", "<foreignObject"] {
            #expect(svg.count(of: word) == 0)
        }
        #expect(svg.count(of: "http") == 1, "only the name space")
    }

    @Test("marks a bypassed node and shows the wet share")
    func showsBypassAndMix() {
        let plain = Card(.effect, name: "a", inlets: [.init()])
        var bypassed = plain
        bypassed.isBypassed = true
        bypassed.mix = 0.35
        let before = Sheet(showing: Diagram(title: "", cards: [plain], wires: [])).svg
        let after = Sheet(showing: Diagram(title: "", cards: [bypassed], wires: [])).svg
        #expect(before.count(of: "BYPASSED") == 0 && after.count(of: "BYPASSED") == 1)
        #expect(before.count(of: "% wet") == 0 && after.count(of: "35 % wet") == 1)
    }

    @Test("draws stereo wires wider than mono, and those with more channels wider still")
    func weighsChannels() {
        let weights = [1, 2, 3].map { channels in
            let cards = [Card(.input, name: "a"), Card(.output, name: "b", inlets: [.init()])]
            let wire = Wire(from: 0, to: 1, channels: channels)
            return Sheet(showing: Diagram(title: "", cards: cards, wires: [wire])).widestStroke
        }
        #expect(weights[0] < weights[1] && weights[1] < weights[2])
    }

    @Test("keeps text inside its card in a wide font")
    func textFits() {
        let name = "a-rather-long-name-for-a-node-that-nobody-would-type"
        let sheet = Sheet(
            showing: Diagram(title: "", cards: [Card(.effect, name: name)], wires: []))
        // The width of the name in DejaVu Sans Bold, the widest of the usual fonts, from the font's
        // own tables.
        let nameEms = 31.42
        #expect(sheet.layout.boxes[0].width >= nameEms * 15 + 2 * 14)
    }
}

extension Sheet {
    /// The width of the widest line on the sheet.
    fileprivate var widestStroke: Double {
        svg.split(separator: "stroke-width=\"").dropFirst()
            .compactMap { Double($0.prefix { $0 != "\"" }) }.max() ?? 0
    }
}

extension String {
    /// Returns the number of occurrences of `word` in the text.
    func count(of word: String) -> Int {
        split(separator: word, omittingEmptySubsequences: false).count - 1
    }
}
