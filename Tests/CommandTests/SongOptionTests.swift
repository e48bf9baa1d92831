import Testing
import TestSignals

@Suite("The songs of a setlist on the command line")
struct SongOptionTests {
    private let program = Program()
    private let noise = whiteNoise(amplitude: 0.4, frames: 3000)

    init() throws {
        for (name, gain) in [("one", 0), ("two", -120)] {
            program.write(
                """
                "inputs": { "mic": {} }, "outputs": { "main": { "limiter": false } },
                "nodes": [ { "id": "\(name)", "type": "gain", "parameters": { "gain": \(gain) } } ],
                "scenes": { "quiet": { "\(name).gain": -120 }, "full": { "\(name).gain": 0 } }
                """, to: "\(name).json")
        }
        program.write(
            """
            "setlist": "Night", "songs": [
              { "pipeline": "one.json" }, { "name": "Ballad", "pipeline": "two.json" },
              { "name": "Encore", "pipeline": "two.json", "scene": "full" } ],
            "midi": [ { "cc": 80, "action": "next-song" } ]
            """, to: "night.json")
        try program.write([noise], to: "mic.wav")
    }

    private func render(_ options: String...) throws -> [Float] {
        let outcome = program(
            ["render", "night.json", "--input", "mic.wav", "--output", "o.wav"] + options)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        return try program.sound("o.wav")[0]
    }

    @Test("render plays the first song, or the chosen one with the setlist's scene")
    func render() throws {
        let silence = [Float](repeating: 0, count: noise.count)
        #expect(try render() == noise)
        #expect(try render("--scene", "quiet") == silence)
        for song in ["Ballad", "2"] {
            #expect(try render("--song", song) == silence)
            #expect(try render("--song", song, "--scene", "full") == noise)
        }
        #expect(try render("--song", "Encore") == noise)
        #expect(try render("--song", "3", "--set", "two.gain=-120") == silence)
    }

    @Test("graph draws the song at load, and names it")
    func graph() {
        let first = program("graph", "night.json")
        #expect(first.status == 0)
        #expect(first.output.hasPrefix("digraph \"one · song 1 of Night\" {"))
        #expect(first.output.contains("\"mic\" -> \"one\""))
        let ballad = program("graph", "night.json", "--song", "Ballad", "--svg")
        #expect(ballad.output.contains("<title>Ballad · song 2 of Night</title>"))
        #expect(ballad.output.contains(">−120 dB</text>"))
        let encore = program("graph", "night.json", "--song", "3", "--svg")
        #expect(encore.output.contains("<title>Encore · song 3 of Night</title>"))
        #expect(!encore.output.contains(">−120 dB</text>"))
    }

    @Test("bench measures the song")
    func bench() {
        for (options, id) in [([], "one"), (["--song", "Encore"], "two")] {
            let outcome = program(["bench", "night.json", "--seconds", "0.1"] + options)
            #expect(outcome.status == 0)
            #expect(outcome.output.split(separator: "\n")[2].hasPrefix("\(id) "))
        }
    }

    private static let commands = [
        ["graph"], ["bench", "--seconds", "0.1"],
        ["render", "--input", "mic.wav", "--output", "o.wav"],
        ["run", "--no-start-server", "--server", "no-such-server"],
    ]

    @Test(
        "a song that does not exist is wrong usage, with the nearest name or their number",
        arguments: commands)
    func unknown(command: [String]) {
        for (song, hint) in [
            ("Balad", "no song 'Balad' in night.json (did you mean Ballad?)"),
            ("4", "no song '4' in night.json, which has 3 songs"), ("0", "which has 3 songs"),
            ("-1", "which has 3 songs"),
        ] {
            let outcome = program(command + ["night.json", "--song=\(song)"])
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("stompline: --song: there is"))
            #expect(outcome.errors.contains(hint))
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("a single pipeline has no songs to choose from", arguments: commands)
    func single(command: [String]) {
        let outcome = program(command + ["one.json", "--song", "1"])
        #expect(outcome.status == 64)
        #expect(
            outcome.errors
                == "stompline: --song requires a setlist, and one.json is a single pipeline\n")
    }

    @Test("run begins with a scene of the chosen song only")
    func scenes() {
        let run = ["run", "--no-start-server", "--server", "no-such-server"]
        for (file, hint) in [
            ("night.json", "no scene 'ful' in 'one' (did you mean full?)"),
            ("two.json", "no scene 'ful' in 'two' (did you mean full?)"),
        ] {
            let outcome = program(run + [file, "--scene", "ful"])
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("stompline: --scene: there is \(hint)"))
        }
        let outcome = program(run + ["night.json", "--song", "Ballad", "--scene", "3"])
        #expect(outcome.errors.contains("no scene '3' in 'Ballad', which has 2 scenes"))
        // Valid names come as far as the server.
        let valid = program(run + ["night.json", "--song", "Ballad", "--scene", "quiet"])
        #expect(valid.status == 69)
    }

    @Test("the errors of a setlist and its songs are reported, whichever song is chosen")
    func invalid() {
        program.write("\"tempo\": -1", to: "two.json")
        let outcome = program("graph", "night.json")
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("two.json:1:"))
        #expect(outcome.errors.contains("[range]"))
    }
}
