import FoundationEssentials
import Glibc
import Testing
import TestSignals

@Suite("stompline preset")
struct PresetCommandTests {
    private let program: Program
    private let convolver = "http://gareus.org/oss/lv2/convoLV2#Mono"

    init() throws {
        var program = Program()
        program.environment = ["HOME=\(program.folder.path)"]
        self.program = program
        var response = [Float](repeating: 0, count: 480)
        response[0] = 0.5
        response[240] = 0.25
        mkdir(program.folder.file("rooms"), 0o700)
        try program.write([response], to: "rooms/small.wav")
        var impulse = [Float](repeating: 0, count: 960)
        impulse[100] = 1
        try program.write([impulse], to: "impulse.wav")
    }

    /// Writes a pipeline of one convolver.
    private func write(_ node: String, to file: String = "p.json") {
        program.write(
            """
            "inputs": { "in": {} }, "outputs": { "out": { "channels": 1, "limiter": false } },
            "nodes": [{ "id": "room", "type": "lv2", "uri": "\(convolver)", \(node) },
              { "id": "level", "type": "gain" }]
            """, to: file)
    }

    private func render(_ file: String) throws -> [Float] {
        let outcome = program("render", file, "--input", "impulse.wav", "--output", "out.wav")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try program.sound("out.wav")[0]
    }

    @Test("a plugin's file is in the pipeline's folder, and sounds from the first frame on")
    func file() throws {
        mkdir(program.folder.file("songs"), 0o700)
        write("\"settings\": { \"impulse\": \"../rooms/small.wav\" }", to: "songs/p.json")
        let sound = try render("songs/p.json")
        #expect(abs(sound[100] - 0.25) < 1e-6)
        #expect(abs(sound[340] - 0.125) < 1e-6)
        #expect(abs(sound[0]) < 1e-6)
        #expect(try render("songs/p.json") == sound)
    }

    @Test("check reports a missing file")
    func missingFile() {
        write("\"settings\": { \"impulse\": \"rooms/large.wav\" }")
        let outcome = program("check", "p.json")
        #expect(outcome.status == 65)
        let message = "\"impulse\" names a file that cannot be read: rooms/large.wav [file]"
        #expect(outcome.errors.contains(message))
        #expect(outcome.errors.contains("at /nodes/0/settings/impulse"))
    }

    @Test("a preset saved from a node sounds the same, and its files stay in their folder")
    func saved() throws {
        write(
            "\"settings\": { \"impulse\": \"rooms/small.wav\" }, \"parameters\": { \"gain\": -6 }")
        let own = try render("p.json")
        let saved = program("preset", "save", "p.json", "room", "Small (1)")
        let folder = program.folder.file(".lv2/LV2_Convolution_Mono_Small__1_.preset.lv2")
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(saved.output == folder + "\n")
        #expect(access(program.folder.file("rooms/small.wav"), R_OK) == 0)
        #expect(program("plugin", convolver).output.contains("Small (1)"))
        write("\"settings\": { \"preset\": \"Small (1)\" }")
        let preset = try render("p.json")
        #expect(zip(own, preset).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("an existing preset is only replaced on request")
    func replaced() {
        write("\"parameters\": { \"gain\": -6 }")
        #expect(program("preset", "save", "p.json", "room", "Soft").status == 0)
        write("\"parameters\": { \"gain\": -9 }")
        let refused = program("preset", "save", "p.json", "room", "Soft")
        #expect(refused.status == 74)
        #expect(refused.errors.contains("already exists"))
        #expect(program("preset", "save", "--replace", "p.json", "room", "Soft").status == 0)
        write("\"settings\": { \"preset\": \"Soft\" }")
        #expect(program("preset", "save", "p.json", "room", "Copy").status == 0)
        let copy = program.folder.file(".lv2/LV2_Convolution_Mono_Copy.preset.lv2/Copy.ttl")
        let text = (try? String(contentsOfFile: copy, encoding: .utf8)) ?? ""
        #expect(text.contains("-9.0"))
    }

    @Test("a missing node, or one that is not a plugin, is wrong usage")
    func wrongNode() {
        write("\"parameters\": { \"gain\": -6 }")
        let missing = program("preset", "save", "p.json", "verb", "Soft")
        #expect(missing.status == 64)
        #expect(missing.errors.contains("has no node 'verb'; it has 'room', 'level'"))
        #expect(program("preset", "save", "p.json", "level", "Soft").status == 64)
    }

    @Test("the output of plugins does not mix with the results")
    func output() throws {
        program.write(
            """
            "nodes": [{ "id": "n", "type": "lv2", "from": "in:1",
              "uri": "http://gareus.org/oss/lv2/zeroconvolv#Mono",
              "settings": { "preset": "No-OP Mono" } }]
            """)
        let outcome = program("check", "--json", "p.json")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasSuffix("}\n]\n"))
        #expect(outcome.errors.contains("Convolver"))
    }
}
