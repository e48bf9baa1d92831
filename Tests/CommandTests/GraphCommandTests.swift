import Testing

@Suite("stompline graph")
struct GraphCommandTests {
    private let program = Program()

    init() {
        program.write(
            """
            "name": "Robot", "inputs": { "mic": {} }, "outputs": { "main": { "channels": 2 } },
            "nodes": [
                { "id": "robot", "type": "frequency-shift", "parameters": { "shift": 90 } },
                { "id": "both", "type": "mixer", "from": ["mic", "robot"] }
            ]
            """)
    }

    @Test("prints DOT with every signal")
    func dot() {
        let outcome = program("graph", "p.json")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix("digraph \"Robot\" {"))
        let signals = [("mic", "robot"), ("mic", "both"), ("robot", "both"), ("both", "main")]
        for (source, destination) in signals {
            #expect(outcome.output.contains("\"\(source)\" -> \"\(destination)\""))
        }
    }

    @Test("prints an SVG with values, and with latencies at the rate")
    func svg() {
        let usual = program("graph", "p.json", "--svg")
        #expect(usual.status == 0 && usual.output.hasPrefix("<?xml"))
        #expect(usual.output.contains(">+90 Hz</text>"))
        #expect(usual.output.contains(" frames at 48 kHz)"))
        let fast = program("graph", "--svg", "p.json", "--rate", "96000")
        #expect(fast.status == 0 && fast.output.contains(" frames at 96 kHz)"))
    }

    @Test("draws nothing for an invalid file, and ends with 65")
    func invalid() {
        program.write("\"tempo\": -1", to: "wrong.json")
        let outcome = program("graph", "wrong.json")
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("[range]"))
    }
}
