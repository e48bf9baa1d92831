import FoundationEssentials
import Glibc
import Testing
import TestSignals

@Suite("stompline new")
struct NewCommandTests {
    private static let templates = [
        "voice", "guitar", "bass", "keys", "dj", "theatre", "monitor", "streaming", "podcast",
    ]
    private static let rate = 48_000.0
    /// What a limiter lets through unchanged, in dBFS.
    private static let ceiling = -0.3

    /// A program that finds no JACK server.
    private let program: Program = {
        var program = Program()
        program.environment = ["JACK_DEFAULT_SERVER=stompline-nowhere", "JACK_NO_START_SERVER=1"]
        return program
    }()

    private struct Pipeline: Decodable {
        struct Signal: Decodable {
            let kind: String?
            let channels: Int?
            let connect: [String]?
        }
        let name: String
        let description: String
        let inputs: [String: Signal]
        let outputs: [String: Signal]
        let scenes: [String: Ignored]
    }

    /// The content of a scene.
    private struct Ignored: Decodable {}

    /// Writes a template, and returns its content.
    private func write(_ template: String, _ more: String...) throws -> Pipeline {
        let outcome = program(["new", "p.json", "--template", template, "--defaults"] + more)
        #expect(outcome.status == 0 && outcome.output == "p.json\n" && outcome.errors == "")
        return try pipeline("p.json")
    }

    private func pipeline(_ file: String) throws -> Pipeline {
        try JSONDecoder().decode(Pipeline.self, from: Data(program.text(file).utf8))
    }

    /// Renders a scene with a tone of -12 dBFS in some inputs, and returns the outputs by name.
    private func render(
        _ pipeline: Pipeline, _ scene: String, inputs: [String]
    ) throws -> [String: [[Float]]] {
        var arguments = ["render", "p.json", "--scene", scene, "--takes", program.folder.path]
        for (index, name) in inputs.sorted().enumerated() {
            let tone = sineWave(
                220 * pow(1.3, Double(index)), amplitude: 0.25, frames: 60_000,
                sampleRate: Self.rate)
            let channels = pipeline.inputs[name]?.channels ?? 1
            try program.write(Array(repeating: tone, count: channels), to: "\(name).wav")
            arguments += ["--input", "\(name)=\(name).wav"]
        }
        for name in pipeline.outputs.keys { arguments += ["--output", "\(name)=out-\(name).wav"] }
        let outcome = program(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try pipeline.outputs.reduce(into: [:]) { sounds, output in
            sounds[output.key] = try program.sound("out-\(output.key).wav")
        }
    }

    @Test("each template passes check, without a plugin", arguments: templates)
    func check(template: String) throws {
        let pipeline = try write(template)
        #expect(pipeline.description.contains("Needs no plugin."))
        let outcome = program("check", "p.json", "--rate", "44100")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output.hasPrefix("p.json: valid: "))
        #expect(!outcome.output.contains("plugins"))
    }

    @Test("each template is audible at all outputs, and no scene clips", arguments: templates)
    func sound(template: String) throws {
        let pipeline = try write(template)
        let inputs = pipeline.inputs.filter { $0.value.kind != "midi" }.map(\.key)
        var loudest: [String: Double] = [:]
        for scene in pipeline.scenes.keys {
            let sounds = try render(pipeline, scene, inputs: inputs)
            for (output, channels) in sounds {
                let peak = channels.joined().reduce(Float(0)) { max($0, abs($1)) }
                #expect(levelDecibels(Double(peak)) < Self.ceiling, "\(scene), \(output)")
                for channel in channels {
                    let level = levelDecibels(rms(channel))
                    loudest[output] = max(loudest[output] ?? -300, level)
                }
            }
            #expect(
                sounds.values.contains { levelDecibels(rms($0.joined())) > -60 },
                "\(scene) is silent")
        }
        for output in pipeline.outputs.keys { #expect(loudest[output] ?? -300 > -60, "\(output)") }
    }

    @Test("each input of each template is heard in some scene", arguments: templates)
    func inputs(template: String) throws {
        let pipeline = try write(template)
        for (name, input) in pipeline.inputs where input.kind != "midi" {
            let isHeard = try pipeline.scenes.keys.contains { scene in
                try render(pipeline, scene, inputs: [name]).values.contains {
                    levelDecibels(rms($0.joined())) > -60
                }
            }
            #expect(isHeard, "\(name)")
        }
    }

    @Test("the list names all templates")
    func list() {
        let outcome = program("new", "--list")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        for template in Self.templates {
            #expect(lines.contains { $0.hasPrefix(template + " ") }, "\(template)")
        }
        #expect(lines.allSatisfy { $0.count < 80 })
    }

    @Test("without a terminal, the error names all options that are missing")
    func missing() {
        let nothing = program("new")
        #expect(nothing.status == 64)
        #expect(nothing.errors.contains("--template NAME (voice, guitar"))
        #expect(nothing.errors.contains("FILE"))
        let ports = program("new", "p.json", "--template", "voice", "--input", "mic=a:b")
        #expect(ports.status == 64)
        #expect(ports.errors.contains("missing: --input pedals=PORT, --output main=PORT;"))
        #expect(program.text("p.json").isEmpty)
        let all = program(
            "new", "p.json", "--template", "voice", "--input", "mic=a:b", "--input",
            "pedals=none", "--output", "main=c:l", "--output", "main=c:r")
        #expect(all.status == 0 && all.errors == "")
    }

    @Test("ports and the name are written into the file, the others are those of the card")
    func ports() throws {
        let pipeline = try write(
            "podcast", "--input", "guest=none", "--input", "jingle=/player:out_[12]/", "--input",
            "host=system:capture_2", "--output", "phones=a \"b\":l", "--output", "phones=a=b:r",
            "--name", "Talk")
        #expect(pipeline.name == "Talk")
        #expect(pipeline.inputs["host"]?.connect == ["system:capture_2"])
        #expect(pipeline.inputs["guest"]?.connect == [])
        #expect(pipeline.inputs["jingle"]?.connect == ["/player:out_[12]/"])
        #expect(pipeline.outputs["phones"]?.connect == ["a \"b\":l", "a=b:r"])
        #expect(program("check", "p.json").status == 0)
        #expect(program("new", "q.json", "--template", "dj", "--defaults").status == 0)
        let decks = try self.pipeline("q.json")
        #expect(decks.inputs["deck-b"]?.connect == ["system:capture_3", "system:capture_4"])
        #expect(decks.inputs["mic"]?.connect == ["system:capture_5"])
        #expect(decks.outputs["phones"]?.connect == ["system:playback_3", "system:playback_4"])
    }

    @Test("a file is replaced only with --force")
    func force() throws {
        program.folder.write("mine", to: "voice.json")
        let refused = program("new", "--template", "voice", "--defaults")
        #expect(refused.status == 74 && refused.errors.contains("--force"))
        #expect(program.text("voice.json") == "mine")
        let wrong = program(
            "new", "--template", "voice", "--defaults", "--force", "--input", "mic=/(/")
        #expect(wrong.status == 64 && program.text("voice.json") == "mine")
        #expect(program("new", "--template", "voice", "--defaults", "--force").status == 0)
        #expect(try pipeline("voice.json").name == "Voice")
        #expect(
            ScratchFolder.names(in: program.folder.path).filter { $0.hasPrefix("v") }.count == 1)
        #expect(program("new", "no/p.json", "--template", "dj", "--defaults").status == 74)
        #expect(symlink("voice.json", program.folder.file("link.json")) == 0)
        let special = program("new", "link.json", "--template", "dj", "--defaults", "--force")
        #expect(special.status == 74 && special.errors.contains("not a regular file"))
        #expect(try pipeline("voice.json").name == "Voice")
    }

    @Test(
        "wrong options give status 64",
        arguments: [
            ["--template", "tuba"], ["--input", "drum=a:b"], ["--input", "mic"],
            ["--input", "mic=a:b", "--input", "mic=c:d"], ["--output", "main="],
            ["--output", "phones=a:b"],
        ])
    func wrong(options: [String]) {
        let template = options.contains("--template") ? [] : ["--template", "voice"]
        let outcome = program(["new", "p.json", "--defaults"] + template + options)
        #expect(outcome.status == 64 && !outcome.errors.isEmpty)
        #expect(program.text("p.json").isEmpty)
    }

    /// Runs the command in a terminal in which a text is typed.
    private func dialogue(
        _ typed: String, _ arguments: String...
    ) -> (outcome: Program.Outcome, screen: String) {
        let terminal = Pseudoterminal()
        terminal.type(typed)
        var program = program
        program.starter = [
            "sh", "-c", "exec \"$0\" \"$@\" < \(terminal.path) 2> \(terminal.path)",
        ]
        let outcome = program(["new"] + arguments)
        _ = Glibc.write(terminal.slave, "THE END", 7)
        return (outcome, terminal.read(until: "THE END"))
    }

    @Test("in a terminal it asks for instrument, ports and file, and asks again after mistakes")
    func questions() throws {
        let (outcome, screen) = dialogue("harp\nbass\n9\n2\n3 4\nbass.json\n")
        #expect(outcome.status == 0 && outcome.output == "bass.json\n")
        let bass = try pipeline("bass.json")
        #expect(bass.inputs["bass"]?.connect == ["system:capture_2"])
        #expect(bass.outputs["main"]?.connect == ["system:playback_3", "system:playback_4"])
        for text in [
            "What do you want to play?", "number or a name of the list", "ound card",
            "No JACK server is running", "no number 9", "stompline run bass.json",
        ] {
            #expect(screen.contains(text), "\(text)")
        }
    }

    @Test("an existing file is never the answer, and the end of the input writes nothing")
    func refusals() {
        program.folder.write("mine", to: "keys.json")
        let (outcome, screen) = dialogue("4\n\n\n\n\u{4}")
        #expect(outcome.status == 64 && screen.contains("'keys.json' exists and is not changed"))
        #expect(program.text("keys.json") == "mine")
        #expect(
            ScratchFolder.names(in: program.folder.path).filter { $0.hasPrefix("k") }.count == 1)
    }

    @Test("options answer questions in a terminal too")
    func answered() throws {
        let (outcome, screen) = dialogue(
            "-\n", "k.json", "--template", "keys", "--input", "keys=a:b")
        #expect(outcome.status == 0 && !screen.contains("What do you want"))
        #expect(try pipeline("k.json").inputs["keys"]?.connect == ["a:b"])
        #expect(try pipeline("k.json").outputs["main"]?.connect == [])
    }
}
