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

    @Test("draws the values at load: those of the initial scene")
    func initialScene() {
        program.write(
            """
            "inputs": { "mic": {} },
            "nodes": [
                { "id": "robot", "type": "frequency-shift", "parameters": { "shift": 90 } },
                { "id": "echo", "type": "delay" }
            ],
            "scenes": { "wild": { "robot.shift": -250, "robot.mix": 0.25, "echo.bypass": true } },
            "scene": "wild"
            """, to: "scene.json")
        let picture = program("graph", "scene.json", "--svg").output
        #expect(picture.contains(">−250 Hz</text>"))
        #expect(!picture.contains(">+90 Hz</text>"))
        let dot = program("graph", "scene.json").output
        #expect(dot.contains("mix 25 % wet"))
        #expect(dot.contains("bypassed"))
    }

    @Test("marks what belongs to the setlist of a song")
    func setlist() {
        program.write(
            """
            "setlist": "Night", "songs": [{ "name": "One", "pipeline": "p.json" }],
            "inputs": { "talk": {} },
            "after": [{ "id": "tone", "type": "filter", "from": "main" },
                { "id": "talk-level", "type": "gain", "from": "talk" }],
            "outputs": { "main": { "channels": 2, "from": "tone" },
                "stage": { "from": "talk-level" } }
            """, to: "night.json")
        let picture = program("graph", "night.json", "--song", "One", "--svg").output
        for name in ["tone", "talk-level"] {
            #expect(picture.contains("<g class=\"node setlist\" data-name=\"\(name)\" "))
        }
        for name in ["robot", "both"] {
            #expect(picture.contains("<g class=\"node\" data-name=\"\(name)\" "))
        }
        let dot = program("graph", "night.json", "--song", "One").output
        for (name, isOuter) in [
            ("tone", true), ("talk-level", true), ("talk", true), ("main", true), ("stage", true),
            ("robot", false), ("both", false), ("mic", false),
        ] {
            #expect(dot.contains("\"\(name)\" [label=\"\(name)\\nsetlist\\n") == isOuter, "\(name)")
        }
    }

    @Test("names the node that makes an output late, and the latency without it")
    func latency() {
        let dot = program("graph", "p.json").output
        #expect(dot.contains("late by robot 0.83 ms, without it 0 ms"))
        let svg = program("graph", "p.json", "--svg").output
        #expect(svg.contains(">late by robot</text>"))
        #expect(svg.contains(">0.83 ms, without it 0 ms</text>"))
    }

    @Test("shows a path that is always off, and one that is not aligned")
    func unaligned() {
        for (name, mixer, words) in [
            (
                "off.json", #""from": ["mic", "robot"], "parameters": { "robot.mute": true }"#,
                "off: 0.83 ms late if switched on"
            ),
            (
                "late.json", #""from": ["mic", { "signal": "robot", "align": false }]"#,
                "not aligned: 0.83 ms late"
            ),
            (
                "early.json", #""from": [{ "signal": "mic", "align": false }, "robot"]"#,
                "not aligned: 0.83 ms early"
            ),
        ] {
            program.write(
                """
                "inputs": { "mic": {} }, "outputs": { "main": {} }, "nodes": [
                    { "id": "robot", "type": "frequency-shift" },
                    { "id": "both", "type": "mixer", \(mixer) }
                ]
                """, to: name)
            #expect(program("graph", name).output.contains(words))
            #expect(program("graph", name, "--svg").output.contains(words))
        }
    }

    @Test("draws nothing for an invalid file, and ends with 65")
    func invalid() {
        program.write("\"tempo\": -1", to: "wrong.json")
        let outcome = program("graph", "wrong.json")
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("[range]"))
    }
}
