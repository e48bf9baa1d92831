import Testing
import TestSignals

@Suite("Recorders in commands")
struct RecorderCommandTests {
    private let program = Program()
    private let noise = whiteNoise(amplitude: 0.4, frames: 10_000)

    init() throws {
        program.write(
            """
            "inputs": { "mic": { "channels": 1 } },
            "outputs": { "main": { "channels": 1, "limiter": false } },
            "nodes": [
              { "id": "level", "type": "gain", "parameters": { "gain": -6 } },
              { "id": "tape", "type": "recorder", "settings": { "file": "takes/%S.wav", "bits": 32 } }
            ]
            """)
        try program.write([noise], to: "mic.wav")
    }

    private func render(_ options: String...) -> Program.Outcome {
        program(["render", "p.json", "--input", "mic.wav", "--output", "out.wav"] + options)
    }

    @Test("render records the output's signal, and never overwrites a take")
    func take() throws {
        for name in ["takes/00.wav", "takes/00-2.wav"] {
            #expect(render("--set", "tape.recording=true").status == 0)
            #expect(try program.sound(name) == program.sound("out.wav"))
        }
    }

    @Test("a timed change starts a take at its exact frame")
    func timed() throws {
        #expect(render("--set", "tape.recording=true@0.1").status == 0)
        let sound = try program.sound("out.wav")[0]
        #expect(try program.sound("takes/00.wav") == [Array(sound[4800...])])
    }

    @Test("the command line sets the folder of takes")
    func folder() throws {
        #expect(render("--set", "tape.recording=true", "--takes", "else where").status == 0)
        #expect(try program.sound("else where/takes/00.wav") == program.sound("out.wav"))
    }
}
