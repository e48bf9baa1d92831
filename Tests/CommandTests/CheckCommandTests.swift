import FoundationEssentials
import Glibc
import Testing
import TestSignals

@Suite("stompline check")
struct CheckCommandTests {
    private let program = Program()

    /// The output of `--json` for a file.
    private struct Report: Decodable {
        struct Diagnostic: Decodable {
            let file: String, line: Int, column: Int, pointer: String, code: String, message: String
            let suggestion: String?
        }
        struct Node: Decodable { let id: String, latency_frames: Int, memory_bytes: Int }
        let file: String, valid: Bool, diagnostics: [Diagnostic], latency_frames: Int?,
            memory_bytes: Int?, nodes: [Node]
    }

    private func writeFiles() {
        program.write(
            "\"nodes\": [{ \"id\": \"s\", \"type\": \"frequency-shift\" }]", to: "good.json")
        program.write("\"nodes\": [{ \"id\": \"g\", \"type\": \"gian\" }]", to: "bad.json")
        program.write(
            "\"nodes\": [{ \"id\": \"p\", \"type\": \"lv2\", \"uri\": \"urn:none\" }]",
            to: "plugin.json")
    }

    @Test("a valid file gets one line on standard output, with channels, limiter and latency")
    func valid() {
        program.write("\"inputs\": { \"mic\": {} }, \"outputs\": { \"main\": { \"channels\": 2 } }")
        let outcome = program("check", "p.json")
        #expect(outcome.status == 0)
        #expect(
            outcome.output
                == "p.json: valid: mic (1) to main (2, limiter on); latency 0 frames, 0.0 ms at 48000 Hz; memory 38 kB\n"
        )
        #expect(outcome.errors == "")
    }

    @Test(
        "the most severe error of several files decides the status",
        arguments: [
            (["good.json"], 0), (["plugin.json"], 69), (["bad.json"], 65), (["none.json"], 66),
            (["plugin.json", "good.json"], 69), (["plugin.json", "bad.json"], 65),
            (["bad.json", "none.json", "plugin.json"], 66),
        ] as [([String], Int32)])
    func status(files: [String], status: Int32) {
        writeFiles()
        let outcome = program(["check"] + files)
        #expect(outcome.status == status)
        #expect(outcome.errors.isEmpty == (status == 0))
        for file in files where file != "good.json" {
            #expect(outcome.errors.contains("\(file):1:"))
            #expect(!outcome.output.contains(file))
        }
    }

    @Test("a MIDI input plays only plugins and the effects that receive MIDI")
    func events() {
        program.write(
            "\"inputs\": { \"mic\": {}, \"keys\": { \"kind\": \"midi\" } }, \"nodes\": [{ \"id\": \"t\", \"type\": \"tune\", \"from\": \"mic\", \"events\": \"keys\", \"settings\": { \"notes\": \"C E G\" } }]"
        )
        #expect(program("check", "p.json").status == 0)
        program.write(
            "\"inputs\": { \"keys\": { \"kind\": \"midi\" } }, \"nodes\": [{ \"id\": \"g\", \"type\": \"gain\", \"events\": \"keys\" }]"
        )
        let refused = program("check", "p.json").errors
        #expect(
            refused.contains(
                "\"events\" is only for nodes of the type \"lv2\" and the types \"harmony\" or \"tune\""
            ))
        program.write(
            "\"nodes\": [{ \"id\": \"t\", \"type\": \"tune\", \"settings\": { \"notes\": \"C E X\" } }]"
        )
        #expect(program("check", "p.json").errors.contains("\"X\" is not a note; use the letters"))
    }

    @Test("a pipe without a writer is refused at once", arguments: [false, true])
    func silentPipe(asSound: Bool) {
        #expect(mkfifo(program.folder.file("pipe"), 0o600) == 0)
        program.write("\"nodes\": []")
        let outcome =
            asSound
            ? program("render", "p.json", "--input", "pipe", "--output", "out.wav")
            : program("check", "pipe")
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("pipe"))
    }

    @Test("--json prints an object for each file")
    func json() throws {
        writeFiles()
        let outcome = program("check", "good.json", "bad.json", "none.json", "--json")
        #expect(outcome.status == 66)
        #expect(outcome.errors == "")
        let reports = try JSONDecoder().decode([Report].self, from: Data(outcome.output.utf8))
        #expect(reports.map(\.file) == ["good.json", "bad.json", "none.json"])
        #expect(reports.map(\.valid) == [true, false, false])
        let good = reports[0]
        #expect(good.nodes.map(\.id) == ["s"])
        #expect(good.latency_frames == good.nodes[0].latency_frames)
        #expect(good.nodes[0].memory_bytes > 10_000)
        #expect(try #require(good.memory_bytes) > good.nodes[0].memory_bytes)
        #expect(good.diagnostics.isEmpty)
        #expect(reports[1].latency_frames == nil)
        #expect(reports[1].memory_bytes == nil)
        let error = try #require(reports[1].diagnostics.first)
        #expect(error.code == "unknown-type")
        #expect(error.pointer == "/nodes/0/type")
        #expect(error.suggestion?.contains("gain") == true)
        #expect(reports[2].diagnostics.map(\.code) == ["file"])
    }

    // MARK: Reasons for latencies

    private struct LatencyReport: Decodable {
        struct Output: Decodable {
            struct Part: Decodable, Equatable {
                let node: String, latency_frames: Int, without_frames: Int
            }
            let name: String, latency_frames: Int, path: [Part]
        }
        struct Exception: Decodable, Equatable {
            let at: String, signal: String, reason: String, late_frames: Int
        }
        let latency_frames: Int, outputs: [Output], unaligned: [Exception]
    }

    /// Writes a dry voice and its harmony, and returns what `check` prints after the first line, and
    /// with `--json`.
    private func checkHarmony(
        from: String, parameters: String = "", more: String = ""
    ) throws -> (lines: [String], report: LatencyReport) {
        program.write(
            """
            "inputs": { "mic": {} }, "outputs": { "main": {} },
            "nodes": [
                { "id": "harmony", "type": "pitch-shift", "from": "mic" },
                { "id": "blend", "type": "mixer", "from": \(from), "parameters": { \(parameters) } }
            ]\(more)
            """)
        let outcome = program("check", "p.json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let json = program("check", "p.json", "--json").output
        let reports = try JSONDecoder().decode([LatencyReport].self, from: Data(json.utf8))
        return (
            outcome.output.split(separator: "\n").dropFirst().map(String.init),
            try #require(reports.first)
        )
    }

    @Test("names the node that makes an output late, and the latency without it")
    func reasons() throws {
        let (lines, report) = try checkHarmony(from: #"["mic", "harmony"]"#)
        #expect(lines == ["    main: 22.7 ms late, by harmony (22.7 ms); 0.0 ms without harmony"])
        #expect(report.latency_frames == 1088)
        #expect(report.outputs.map(\.name) == ["main"])
        #expect(
            report.outputs[0].path == [
                .init(node: "harmony", latency_frames: 1088, without_frames: 0)
            ])
        #expect(report.unaligned == [])
    }

    @Test("names the nodes of another path that makes an output equally late")
    func equallyLatePaths() {
        program.write(
            """
            "nodes": [
                { "id": "third", "type": "pitch-shift", "from": "in" },
                { "id": "fifth", "type": "pitch-shift", "from": "in" },
                { "id": "blend", "type": "mixer", "from": ["in", "third", "fifth"] }
            ]
            """)
        #expect(
            program("check", "p.json").output.contains(
                "\n    out: 22.7 ms late, by third (22.7 ms); "
                    + "still 22.7 ms without third, because fifth is as late\n"))
    }

    @Test("a muted harmony costs nothing, and check says how late it would be")
    func offStrip() throws {
        let (lines, report) = try checkHarmony(
            from: #"["mic", "harmony"]"#, parameters: #""harmony.mute": true"#)
        #expect(
            lines == [
                "    blend: harmony is off at load and in every scene and delays nothing; "
                    + "if you switch it on, it sounds 22.7 ms late"
            ])
        #expect(report.latency_frames == 0)
        #expect(report.outputs[0].path == [])
        #expect(
            report.unaligned == [
                .init(at: "blend", signal: "harmony", reason: "off", late_frames: 1088)
            ])
    }

    @Test("a muted harmony that a scene or a binding can switch on has its latency")
    func offButReachable() throws {
        for more in [
            #", "scenes": { "both": { "blend.harmony.mute": false } }"#,
            #", "midi": [{ "cc": 80, "to": "blend.harmony.mute", "mode": "toggle" }]"#,
        ] {
            let (_, report) = try checkHarmony(
                from: #"["mic", "harmony"]"#, parameters: #""harmony.mute": true"#, more: more)
            #expect(report.latency_frames == 1088)
            #expect(report.unaligned == [])
        }
    }

    @Test("says how late or early a path is that is not aligned")
    func unaligned() throws {
        let late = try checkHarmony(from: #"["mic", { "signal": "harmony", "align": false }]"#)
        #expect(late.lines == ["    blend: harmony is not aligned and sounds 22.7 ms late"])
        #expect(late.report.latency_frames == 0)
        let early = try checkHarmony(from: #"[{ "signal": "mic", "align": false }, "harmony"]"#)
        #expect(
            early.lines == [
                "    main: 22.7 ms late, by harmony (22.7 ms); 0.0 ms without harmony",
                "    blend: mic is not aligned and sounds 22.7 ms early",
            ])
        #expect(early.report.unaligned.map(\.late_frames) == [-1088])
    }

    @Test("a bypassed time stretch costs nothing, unless a scene ends its bypass")
    func bypassedStretch() {
        let node = #""nodes": [{ "id": "slow", "type": "time-stretch", "bypass": true }]"#
        program.write(node)
        let always = program("check", "p.json").output
        #expect(always.contains("latency 0 frames, 0.0 ms"))
        #expect(
            always.hasSuffix(
                "\n    slow: bypassed at load and in every scene, delays nothing; "
                    + "if you switch it on, it sounds 132.9 ms late\n"))
        program.write(node + #", "scenes": { "slow": { "slow.bypass": false } }"#)
        let sometimes = program("check", "p.json").output
        #expect(sometimes.contains("latency 6377 frames, 132.9 ms"))
        #expect(
            sometimes.hasSuffix(
                "\n    out: 132.9 ms late, by slow (132.9 ms); 0.0 ms without slow\n"))
    }

    @Test("a setlist's binding can switch a muted path on, so its song has the latency")
    func setlistBinding() throws {
        _ = try checkHarmony(
            from: #"["mic", "harmony"]"#, parameters: #""harmony.mute": true"#)
        let songs = #""setlist": "Night", "songs": [{ "pipeline": "p.json", "name": "Duet" }]"#
        program.write(songs, to: "night.json")
        let plain = program("check", "night.json").output
        #expect(plain.contains("latency at most 0 frames"))
        #expect(plain.contains("\n        blend: harmony is off at load and in every scene"))
        program.write(
            songs
                + #", "midi": [{ "cc": 80, "to": "blend.harmony.mute", "mode": "toggle" }]"#,
            to: "night.json")
        let bound = program("check", "night.json").output
        #expect(bound.contains("latency at most 1088 frames"))
        #expect(bound.contains("\n        main: 22.7 ms late, by harmony (22.7 ms)"))
    }

    @Test("the shipped pipelines have the latencies that their users know")
    func shippedLatencies() throws {
        let late = [
            "barber-pole": 40, "capo-guitar": 576, "drop-tuned-guitar": 576,
            "half-speed-freeze": 6377,
            "key-harmony": 288, "midi-harmony": 288, "octave-bass": 576, "robot-voice": 40,
            "speech-feedback": 40, "tuned-vocal": 288, "vocal-harmony": 288,
            "voice-doubler": 40, "voice-female-to-male": 288, "voice-in-5-ms": 288,
            "voice-male-to-female": 288, "whisper-to-robot": 328,
        ]
        let none = [
            "clean-vocal", "ducking", "feedback-guard", "four-sources", "held-chords", "keys-split",
            "looper",
            "mixer-mono", "mixer-stereo", "parallel-reverb", "sing-along", "talkback", "tape-echo",
            "telephone",
            "twin-guitar", "web-radio",
        ]
        let names = late.keys.sorted() + none
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let outcome = program(
            ["check", "--json"] + names.map { "\(root)/pipelines/\($0).json" })
        #expect(outcome.status == 0)
        let reports = try JSONDecoder().decode([Report].self, from: Data(outcome.output.utf8))
        #expect(reports.map(\.latency_frames) == names.map { late[$0] ?? 0 })
    }

    @Test("all shipped pipelines can be songs of one night, because no name has two kinds")
    func shippedNight() throws {
        let folder =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/pipelines"
        let songs = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".json") && $0 != "night.json" }
            .map { "{ \"pipeline\": \"\(folder)/\($0)\" }" }
        #expect(songs.count > 30)
        program.write(
            "\"setlist\": \"All\", \"songs\": [\(songs.joined(separator: ", "))]",
            to: "all.json")
        let outcome = program("check", "all.json")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(
        "a rate beyond that of any sound card is wrong usage",
        arguments: ["0", "-1", "999999999", "fast"])
    func rate(text: String) {
        writeFiles()
        #expect(program("check", "good.json", "--rate=\(text)").status == 64)
    }

    @Test("warns of a song whose connection rules have no effect, but not of one without rules")
    func ignoredConnections() throws {
        func song(_ connect: String) -> String {
            "\"inputs\": { \"mic\": {\(connect)} }, \"outputs\": { \"main\": {} }"
        }
        program.write(song(""), to: "none.json")
        program.write(song("\"connect\": [\"system:capture_1\"]"), to: "first.json")
        program.write(song("\"connect\": [\"system:capture_2\"]"), to: "second.json")
        func warnings(_ files: String...) -> [String] {
            let songs = files.map { "{ \"pipeline\": \"\($0).json\" }" }.joined(separator: ", ")
            program.write("\"setlist\": \"Night\", \"songs\": [\(songs)]", to: "night.json")
            let outcome = program("check", "night.json")
            #expect(outcome.status == 0)
            return outcome.errors.split(separator: "\n").map(String.init).filter {
                $0.contains("another \"connect\"")
            }
        }
        #expect(warnings("first", "none", "first").isEmpty)
        let found = warnings("first", "none", "second")
        #expect(found.count == 1)
        #expect(found.first?.contains("second.json:1:") == true)
        #expect(
            found.first?.contains(
                "the song \"second\" has another \"connect\" for the input \"mic\" than the song \"first\""
            )
                == true)
        #expect(warnings("none", "second").count == 1)
    }

    @Test("reports the memory of a setlist's songs, and of those that are ready at the same time")
    func setlistMemory() throws {
        for (name, seconds) in [("a", 10), ("b", 20), ("c", 30), ("d", 1)] {
            program.write(
                "\"nodes\": [{ \"id\": \"d\", \"type\": \"delay\", \"settings\": { \"maximum\": \(seconds) } }]",
                to: "\(name).json")
        }
        program.write(
            "\"setlist\": \"Night\", \"songs\": [{ \"pipeline\": \"a.json\" }, { \"pipeline\": \"b.json\" }, { \"pipeline\": \"c.json\" }, { \"pipeline\": \"d.json\" }]",
            to: "night.json")
        let outcome = program("check", "night.json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        // One second of stereo is 0.38 MB.
        #expect(outcome.output.contains("memory at most 23 MB for a song and its neighbours\n"))
        #expect(outcome.output.contains("    a: memory 3.9 MB\n"))
        #expect(outcome.output.contains("    c: memory 12 MB\n"))
    }

    @Test(
        "refuses a pipeline that exceeds the memory, with its size and the address of the largest node"
    )
    func tooMuchMemory() {
        let nodes = (0..<600).map {
            "{ \"id\": \"d\($0)\", \"type\": \"delay\", \"settings\": { \"maximum\": 60 } }"
        }
        program.write("\"nodes\": [\(nodes.joined(separator: ", "))]")
        var limited = program
        // The pipeline needs 13.8 GB.
        limited.starter = ["prlimit", "--as=4294967296"]
        for arguments in [
            ["check", "p.json"], ["bench", "p.json"],
            ["render", "p.json", "--output", "o.wav", "--length", "0.1"],
        ] {
            let outcome = limited(arguments)
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains("the pipeline needs 13.8 GB of memory, but only "))
            #expect(outcome.errors.contains("within the address space limit (ulimit -v)"))
            #expect(outcome.errors.contains("d0 (23 MB)"))
        }
    }
}
