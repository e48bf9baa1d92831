import Engine
import Processing
import SessionCore
import SessionTexts
import Testing

struct EventTextTests {
    @Test(
        "what happens is one plain line",
        arguments: [
            (SessionEvent.xruns(1), "xrun"), (.xruns(3), "3 xruns"),
            (.nonFinite(node: "verb"), "verb: produced NaN or infinity and was silenced"),
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
            (.compared(.saved), "compare: the saved values sound"),
        ])
    func lines(event: SessionEvent, line: String) {
        #expect(EventText.line(for: event) == line)
    }

    @Test("an order for the host is not reported")
    func order() {
        let order = SessionEvent.fileEditRequested(FileEditOrder(number: 1, task: .undo))
        #expect(EventText.line(for: order) == nil && EventJSON.line(for: order) == nil)
    }

    @Test("an event is one JSON object with its name")
    func json() {
        let edit = FileEdit(
            .saved(scene: "soft"), path: "a.json", values: [.init("a.mix", .number(0.5))])
        #expect(
            EventJSON.line(for: .fileEdited(edit))
                == #"{"event": "saved", "file": "a.json", "scene": "soft", "values": {"a.mix": 0.5}}"#
        )
        #expect(
            EventJSON.line(for: .fileEdited(FileEdit(.undone, path: "a.json", values: [])))
                == #"{"event": "undone", "file": "a.json", "values": {}}"#)
        #expect(
            EventJSON.line(for: .fileEditRefused(reason: "x"))
                == #"{"event": "save_refused", "reason": "x"}"#)
        #expect(
            EventJSON.line(for: .compared(.live)) == #"{"event": "compared", "values": "live"}"#)
        #expect(EventJSON.line(for: .xruns(2)) == #"{"event": "xruns", "count": 2}"#)
        #expect(
            EventJSON.line(for: .connectionRefused(own: "a:b", other: "c\"d:e"))
                == #"{"event": "connection_refused", "port": "a:b", "other": "c\"d:e"}"#)
    }
}
