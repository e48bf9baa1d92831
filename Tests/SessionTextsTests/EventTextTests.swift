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
        ])
    func lines(event: SessionEvent, line: String) {
        #expect(EventText.line(for: event) == line)
    }

    @Test("an event is one JSON object with its name")
    func json() {
        #expect(EventJSON.line(for: .xruns(2)) == #"{"event": "xruns", "count": 2}"#)
        #expect(
            EventJSON.line(for: .connectionRefused(own: "a:b", other: "c\"d:e"))
                == #"{"event": "connection_refused", "port": "a:b", "other": "c\"d:e"}"#)
    }
}
