import Engine
import Glibc
import Pipelines
import Processing
import SessionCore
import SessionTexts
import Testing

struct EventTextTests {
    @Test(
        "each event is one plain line",
        arguments: [
            (
                SessionEvent.nonFinite(node: "verb"),
                "verb: produced NaN or infinity and was silenced"
            ),
            (
                .overrun(
                    node: "verb",
                    Overrun(periods: 1.256, nodePeriods: 1, playingPeriods: 1.1, ringingPeriods: 0)
                ),
                "a cycle took 1.26 periods, 1.00 in verb"
            ),
            (
                .overrun(
                    node: "verb",
                    Overrun(
                        periods: 1.5, nodePeriods: 0.25, playingPeriods: 0.5, ringingPeriods: 0.9)),
                "a cycle took 1.50 periods, 0.25 in verb, 0.90 in schedules that ring out"
            ),
            (
                .formatChanged(sampleRate: 48_000, blockFrames: 256, latencyFrames: 33),
                "now 48000 Hz, 256 frames per block, latency 33 frames (0.7 ms)"
            ),
            (
                .cue(
                    CueState(
                        current: Cue(scene: "rain", number: "12", text: "Rain"),
                        next: Cue(song: "Act 2", scene: "dawn"), follow: "thunder after 2 s")),
                "cue: 12 Rain; next cue: Act 2: dawn; then thunder after 2 s"
            ),
            (
                .incident(
                    node: "tape", plugin: "Recorder",
                    .takeStopped(path: "a.wav", reason: "gone", readableSeconds: 1.5)),
                "tape: stopped recording a.wav: gone; 1.5 s can be read"
            ),
            (
                .incident(
                    node: "tape", plugin: "Recorder",
                    .takeStopped(path: "a.wav", reason: "gone", readableSeconds: 0)),
                "tape: stopped recording a.wav: gone; nothing was written"
            ),
            (
                .incident(
                    node: "tape", plugin: "Recorder",
                    .takeClipped(path: "a.wav", samples: 312, firstSeconds: 62.257, peak: 3.24)),
                "tape: a.wav is clipped: 312 samples exceed full scale, the first at 62.26 s, "
                    + "peak 3.2 dB; lower the level before the recorder, or record WAV with "
                    + "\"bits\": 32"
            ),
            (
                .fileEdited(
                    FileEdit(
                        .saved(scene: nil), path: "a.json",
                        values: [.init("a.mix", .number(0.5)), .init("b.bypass", .toggle(true))])),
                "saved 2 values in a.json: a.mix 0.5, b.bypass true"
            ),
            (
                .fileEdited(
                    FileEdit(
                        .saved(scene: "soft"), path: "a.json",
                        values: (1...10).map { .init("a.\($0)", .number(Double($0))) })),
                "saved 10 values in the scene soft of a.json: a.1 1, a.2 2, a.3 3, a.4 4, a.5 5, a.6 6, a.7 7, a.8 8, and 2 more"
            ),
            (
                .fileEdited(FileEdit(.undone, path: "a.json", values: [])),
                "restored a.json as it was before the last edit"
            ),
            (.fileEditRefused(reason: "nothing to save"), "not done: nothing to save"),
            (
                .boxKept(path: "/b.stompbox", reason: "a panic"),
                "kept the last minutes (a panic): /b.stompbox"
            ),
            (.boxNotKept(reason: "x"), "the last minutes are not kept: x"),
            (.compared(.saved), "compare: the saved values sound"),
        ])
    func lines(event: SessionEvent, line: String) {
        #expect(EventText.line(for: event) == line)
    }

    /// Returns the local time of day as the C library prints it.
    private func clock(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        localtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%H:%M:%S", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    @Test("xruns have a time and their longest delay")
    func xruns() {
        let noon = 1_800_000_007
        let first = Double(noon) + 0.9
        for (count, delay, last, line) in [
            (1, nil, first, "xrun at \(clock(noon))"),
            (1, 2.34, first, "xrun at \(clock(noon)), 2.3 ms"),
            (3, 2.34, first + 0.05, "3 xruns at \(clock(noon)), the longest 2.3 ms"),
            (
                1200, 7, first + 4,
                "1200 xruns from \(clock(noon)) to \(clock(noon + 4)), the longest 7.0 ms"
            ),
        ] as [(Int, Double?, Double, String)] {
            let report = XrunReport(
                count: count, longestMilliseconds: delay, firstSeconds: first, lastSeconds: last)
            #expect(EventText.line(for: .xruns(report)) == line)
        }
    }

    @Test("an order for the host is not reported")
    func order() {
        let order = SessionEvent.fileEditRequested(FileEditOrder(number: 1, task: .undo))
        #expect(EventText.line(for: order) == nil && EventJSON.line(for: order) == nil)
    }

    @Test("an event is one JSON object with its name")
    func json() {
        let xruns = XrunReport(
            count: 2, longestMilliseconds: nil, firstSeconds: 1.5, lastSeconds: 3)
        #expect(
            EventJSON.line(for: .xruns(xruns))
                == #"{"event": "xruns", "count": 2, "longest_ms": null, "first_time": 1.5, "#
                + #""last_time": 3}"#)
        let clipped = SessionEvent.incident(
            node: "tape", plugin: "Recorder",
            .takeClipped(path: "a.wav", samples: 2, firstSeconds: 0.5, peak: 6))
        #expect(
            EventJSON.line(for: clipped)
                == #"{"event": "take_clipped", "node": "tape", "plugin": "Recorder", "#
                + #""path": "a.wav", "samples": 2, "first_seconds": 0.5, "peak_db": 6}"#)
        let edit = FileEdit(
            .saved(scene: "soft"), path: "a.json", values: [.init("a.mix", .number(0.5))])
        #expect(
            EventJSON.line(for: .fileEdited(edit))
                == #"{"event": "saved", "file": "a.json", "scene": "soft", "values": {"a.mix": 0.5}}"#
        )
        #expect(
            EventJSON.line(for: .fileEdited(FileEdit(.undone, path: "a.json", values: [])))
                == #"{"event": "undone", "file": "a.json", "values": {}}"#)
        var added = FileEdit(.edited, path: "a.json", values: [])
        added.name = "add Reverb"
        #expect(
            EventJSON.line(for: .fileEdited(added))
                == #"{"event": "edited", "file": "a.json", "name": "add Reverb", "values": {}}"#)
        #expect(EventText.line(for: .fileEdited(added)) == "edited a.json: add Reverb")
        #expect(
            EventJSON.line(for: .historyChanged(.init(undo: "add Reverb")))
                == #"{"event": "history", "undo": "add Reverb", "redo": null}"#)
        #expect(EventJSON.line(for: .filesChanged([])) == nil)
        #expect(
            EventJSON.line(for: .boxKept(path: "/b", reason: "a panic"))
                == #"{"event": "box_kept", "box": "/b", "reason": "a panic"}"#)
        #expect(EventJSON.line(for: .boxRequested(number: 1)) == nil)
        #expect(
            EventJSON.line(for: .fileEditRefused(reason: "x"))
                == #"{"event": "save_refused", "reason": "x"}"#)
        #expect(
            EventJSON.line(for: .compared(.live)) == #"{"event": "compared", "values": "live"}"#)
        #expect(
            EventJSON.line(for: .connectionRefused(own: "a:b", other: "c\"d:e"))
                == #"{"event": "connection_refused", "port": "a:b", "other": "c\"d:e"}"#)
    }

    private static let connections = SessionConnections(
        ports: [
            .init(name: "mic", isInput: true, others: ["system:capture_1"]),
            .init(name: "control", isInput: true),
            .init(
                name: "main", isInput: false,
                unmatchedRules: [.init(text: "sytem:out", nearest: "system:out")]),
        ], changed: [0, 1, 2])

    @Test("connections are one line, those that are missing first")
    func connectionLine() {
        #expect(
            EventText.line(for: .connections(Self.connections))
                == "connections: main NOT CONNECTED: no port \"sytem:out\" "
                + "(did you mean system:out?); mic from system:capture_1; control not connected")
    }

    @Test("the line of connections contains only the ports that have changed")
    func changedConnections() {
        var connections = Self.connections
        connections.changed = [0]
        #expect(
            EventText.line(for: .connections(connections))
                == "connections: mic from system:capture_1")
        connections.changed = []
        #expect(EventText.line(for: .connections(connections)) == nil)
    }

    @Test("a port with one of two rules matched is connected, and the other rule is named")
    func partlyConnected() {
        let port = SessionConnections.Port(
            name: "main", isInput: false, others: ["a:b"], unmatchedRules: [.init(text: "/c:.*/")])
        #expect(!port.lacksConnection)
        #expect(
            EventText.line(for: .connections(SessionConnections(ports: [port], changed: [0])))
                == "connections: main to a:b, but no port \"/c:.*/\"")
    }

    @Test("the line of very many ports is short")
    func manyConnections() throws {
        let ports = (1...100).map { SessionConnections.Port(name: "in_\($0)", isInput: true) }
        let event = SessionEvent.connections(
            SessionConnections(ports: ports, changed: Array(ports.indices)))
        let line = try #require(EventText.line(for: event))
        #expect(line.hasPrefix("connections: in_1 not connected; "))
        #expect(line.hasSuffix("; in_12 not connected; and 88 more"))
    }

    @Test("connections as JSON contain every port")
    func connectionJSON() {
        var connections = Self.connections
        connections.ports.remove(at: 1)
        connections.changed = [1]
        #expect(
            EventJSON.line(for: .connections(connections))
                == """
                {"event": "connections", "ports": [\
                {"port": "mic", "direction": "input", "kind": "audio", "connected": true, \
                "to": ["system:capture_1"], "unmatched": [], "ruled": []}, \
                {"port": "main", "direction": "output", "kind": "audio", "connected": false, \
                "to": [], "unmatched": [{"rule": "sytem:out", "nearest": "system:out"}], "ruled": []}], \
                "changed": ["main"]}
                """)
    }

    private static let problems = [
        Problem(
            song: "Party", node: "amp",
            diagnostic: Diagnostic(
                file: "party.json", line: 3, column: 9, pointer: "/nodes/0/uri", code: .plugin,
                message: "there is no plugin \"urn:none\""),
            consequence: .dry),
        Problem(
            song: "Brace",
            diagnostic: Diagnostic(
                file: "brace.json", line: 2, column: 1, pointer: "", code: .syntax,
                message: "a brace is missing"),
            consequence: .skipped),
    ]

    @Test("problems are one line each below their number, and one JSON object together")
    func problemList() {
        let event = SessionEvent.problems(Self.problems)
        #expect(EventText.line(for: event) == "2 problems; everything else plays:")
        #expect(
            EventText.details(of: event) == [
                "  song \"Party\", node \"amp\" passes its input: "
                    + "party.json:3: there is no plugin \"urn:none\"",
                "  song \"Brace\" is skipped: brace.json:2: a brace is missing",
            ])
        #expect(EventText.line(for: .problems([])) == "no problems any more")
        #expect(EventText.details(of: .problems([])) == [])
        let json = EventJSON.line(for: .problems([Self.problems[1]]))
        #expect(
            json == """
                {"event": "problems", "problems": [{"song": "Brace", "node": null, \
                "consequence": "skipped", "file": "brace.json", "line": 2, "column": 1, \
                "pointer": "", "code": "syntax", "message": "a brace is missing", \
                "suggestion": null}]}
                """)
        #expect(
            EventJSON.line(for: .songSkipped(name: "Brace", reason: "broken"))
                == #"{"event": "song_skipped", "name": "Brace", "reason": "broken"}"#)
    }

    @Test("a refused file is named with the ways to allow it")
    func refusedFile() {
        func line(_ access: FileAccess, _ path: String) -> String? {
            EventText.line(
                for: .incident(
                    node: "synth", plugin: "Synth", .fileRefused(access: access, path: path)))
        }
        #expect(
            line(.read, "/srv/kick.wav")
                == "synth: the sandbox did not let Synth read /srv/kick.wav; name the file in the "
                + "node's settings, move it into the folder of the pipeline, or set "
                + "\"sandbox\": false on the node")
        #expect(
            line(.move, "/srv/kept")
                == "synth: the sandbox did not let Synth move a file to /srv/kept; it may only change "
                + "its temporary folder; if the plugin needs it, set \"sandbox\": false on the "
                + "node")
    }

    @Test("a refused file is an object with its access and its path")
    func refusedFileJSON() {
        let event = SessionEvent.incident(
            node: "synth", plugin: "Synth", .fileRefused(access: .write, path: "/srv/\u{1b}[31m"))
        #expect(
            EventJSON.line(for: event)
                == #"{"event": "plugin_file_refused", "node": "synth", "plugin": "Synth", "#
                + #""access": "write", "path": "/srv/\u001b[31m"}"#)
    }
}
