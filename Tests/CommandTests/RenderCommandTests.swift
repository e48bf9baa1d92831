import Testing
import TestSignals

@Suite("stompline render")
struct RenderCommandTests {
    private let program = Program()
    private let noise = whiteNoise(amplitude: 0.4, frames: 3000)

    init() throws {
        program.write(
            """
            "inputs": { "mic": {}, "gtr": { "channels": 2 }, "keys": { "kind": "midi" } },
            "outputs": { "main": { "channels": 1, "limiter": false }, "amp": { "channels": 2, "from": "gtr" } },
            "nodes": [{ "id": "lead", "type": "gain", "from": "mic" }],
            "scenes": { "off": { "lead.mute": true } }
            """)
        try program.write([noise], to: "mic.wav")
        try program.write([noise, noise], to: "gtr.wav")
    }

    @Test(
        "without names, the first input goes to the first output, bit for bit",
        arguments: [1, 64, 999])
    func unnamed(block: Int) throws {
        let outcome = program(
            "render", "p.json", "--input", "mic.wav", "--output", "out.wav", "--block", "\(block)")
        #expect(outcome.status == 0)
        #expect(outcome.output + outcome.errors == "")
        #expect(try program.sound("out.wav") == [noise])
    }

    @Test("with names, files go to the named ports")
    func named() throws {
        let outcome = program(
            "render", "p.json", "--output", "amp=amp.wav", "--input", "gtr=gtr.wav", "--output",
            "main=main.flac", "--tail", "0.001")
        #expect(outcome.status == 0)
        let tail = [Float](repeating: 0, count: 48)
        #expect(try program.sound("amp.wav") == [noise + tail, noise + tail])
        #expect(try program.sound("main.flac") == [Array(repeating: 0, count: 3048)])
    }

    @Test(
        "initial values and scenes apply from the first frame",
        arguments: [
            "--set=lead.mute=true", "--scene=off", "--set=lead.gain=-120@0",
        ])
    func atLoad(option: String) throws {
        #expect(
            program("render", "p.json", "--input", "mic.wav", "--output", "o.wav", option).status
                == 0)
        #expect(try program.sound("o.wav") == [Array(repeating: 0, count: 3000)])
    }

    @Test(
        "a timed change does not affect earlier frames",
        arguments: ["--set=lead.mute=true@0.03125", "--scene=off@0.03125"])
    func later(option: String) throws {
        #expect(
            program("render", "p.json", "--input", "mic.wav", "--output", "o.wav", option).status
                == 0)
        let sound = try program.sound("o.wav")[0]
        #expect(sound[..<1500] == noise[..<1500])
        #expect(sound[2990...].allSatisfy { $0 == 0 })
    }

    @Test("the first input file sets the default rate")
    func rate() throws {
        try program.write([noise], to: "slow.wav", sampleRate: 24_000)
        #expect(program("render", "p.json", "--input", "slow.wav", "--output", "o.wav").status == 0)
        #expect(try program.sound("o.wav") == [noise])
        #expect(
            program(
                "render", "p.json", "--input", "slow.wav", "--output", "o.wav", "--rate", "48000"
            ).status == 0)
        #expect(try program.sound("o.wav")[0].count == 6000)
    }

    @Test(
        "wrong usage is reported with a suggestion",
        arguments: [
            (["--input", "mic.wav"], "--output"),
            (["--output", "o.wav"], "length"),
            (["--input", "mick=mic.wav", "--output", "o.wav"], "'mick'"),
            (["--input", "gtr.wav", "--output", "o.wav"], "2 channels"),
            (["--input", "mic.wav", "--output", "mic.wav"], "both an input and an output"),
            (["--input", "mic.wav", "--output", "o.wav", "--set", "lead.gian=3"], "lead.gain"),
            (["--input", "mic.wav", "--output", "o.wav", "--set", "lead.gain=99"], "24"),
            (["--input", "mic.wav", "--output", "o.wav", "--set", "lead.gain"], "="),
            (["--input", "mic.wav", "--output", "o.wav", "--set", "lead.gain=3@soon"], "soon"),
            (["--input", "mic.wav", "--output", "o.wav", "--scene", "of"], "'off'"),
            (["--input", "mic.wav", "--output", "o.wav", "--block", "0"], "--block"),
            (["--input", "mic.wav", "--output", "o.wav", "--length", "nan"], "--length"),
            (
                ["--input", "mic.wav", "--output", "o.wav", "--length", "1", "--tail", "1"],
                "--tail"
            ),
        ] as [([String], String)])
    func wrongUsage(arguments: [String], hint: String) throws {
        let outcome = program(["render", "p.json"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(hint))
        #expect(outcome.output == "")
        #expect(try program.sound("mic.wav") == [noise])
    }

    @Test("errors of files have a separate status")
    func files() {
        let sound = program("render", "p.json", "--input", "keys=mic.wav", "--output", "o.wav")
        #expect(sound.status == 66)
        #expect(sound.errors.contains("mic.wav: byte 0: not a standard MIDI file"))
        let missing = program("render", "p.json", "--input", "none.wav", "--output", "o.wav")
        #expect(missing.status == 66)
        #expect(missing.errors == "stompline: cannot read 'none.wav': No such file or directory\n")
        #expect(program("render", "none.json", "--output", "o.wav").status == 66)
        let unwritable = program("render", "p.json", "--input", "mic.wav", "--output", "no/o.wav")
        #expect(unwritable.status == 74)
        #expect(
            unwritable.errors == "stompline: cannot write 'no/o.wav': No such file or directory\n")
        program.write("\"nodes\": 1", to: "bad.json")
        #expect(program("render", "bad.json", "--output", "o.wav").status == 65)
    }
}
