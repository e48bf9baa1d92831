import SessionCore
import SessionTexts
import Testing

struct StatusJSONTests {
    @Test("a status contains what nodes report, by address")
    func reports() {
        var status = SessionStatus(
            outputs: [], meanLoad: 0, worstLoad: 0, xruns: 0, latencyFrames: 0, roundTripFrames: 0,
            sampleRate: 48_000, limiterGain: 1)
        status.reports = [
            NodeReport("tape.recorded", .number(3.5), unit: "s"),
            NodeReport("tape.file", .text("one.wav")), NodeReport("tape.state", nil),
            NodeReport("band.reports.playing", .toggle(true)),
        ]
        let line = EventJSON.line(for: .status(status)) ?? ""
        #expect(
            line.contains(
                "\"reports\": {\"tape.recorded\": 3.5, \"tape.file\": \"one.wav\", "
                    + "\"band.reports.playing\": true}"))
        #expect(EventJSON.line(for: .reportChanged(NodeReport("tape.recorded", .number(1)))) == nil)
    }

    @Test("a status contains the load of each core, the callback's first")
    func cores() {
        var status = SessionStatus(
            outputs: [], meanLoad: 0, worstLoad: 0, xruns: 0, latencyFrames: 0, roundTripFrames: 0,
            sampleRate: 48_000, limiterGain: 1)
        let alone = EventJSON.line(for: .status(status)) ?? ""
        #expect(alone.contains("\"core_loads\": [], "), "\(alone)")
        status.coreLoads = [0.375, 0.25]
        let line = EventJSON.line(for: .status(status)) ?? ""
        #expect(line.contains("\"core_loads\": [0.375, 0.25], "), "\(line)")
    }

    @Test("the event of a cue contains the cue in effect, the next one, and the scene that follows")
    func cue() {
        let state = CueState(
            current: Cue(scene: "rain", number: "12", text: "Rain"), follow: "thunder after 2 s")
        #expect(
            EventJSON.line(for: .cue(state))
                == "{\"event\": \"cue\", \"cue\": {\"line\": \"12 Rain\", \"song\": null, "
                + "\"scene\": \"rain\", \"number\": \"12\", \"text\": \"Rain\"}, \"next\": null, "
                + "\"follow\": \"thunder after 2 s\"}")
    }
}
