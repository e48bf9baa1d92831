import BlackBox
import Pipelines
import Testing

@Suite("Reports of replays")
struct ReplayReportTests {
    /// A box at 48 kHz, kept for a reason.
    private func box(_ kind: BoxReason.Kind = .keep, isPrivate: Bool = false) -> Box {
        var facts = BoxFacts(
            program: "1.0", name: "Night", keptSeconds: 0, reason: BoxReason(kind),
            sampleRate: 48_000)
        facts.isPrivate = isPrivate
        return Box(facts: facts, schedules: [:], log: BoxLog())
    }

    /// The result of a replay of two seconds, in which all 750 calls were equal.
    private var equal: Replay.Result {
        var result = Replay.Result()
        (result.comparedCalls, result.endFrame) = (750, 96_000)
        return result
    }

    private func report(
        _ box: Box, _ result: Replay.Result, _ causes: [Replay.Unrepeatable] = [],
        program: String = "1.0"
    ) -> ReplayReport { ReplayReport(box, result, causes, program: program) }

    @Test("an equal replay is confirmed, and names only nodes that lack something")
    func equality() {
        let causes = [
            Replay.Unrepeatable(node: "amp", cause: .plugin("urn:amp")),
            Replay.Unrepeatable(node: "cab", cause: .missingPlugin("urn:cab")),
        ]
        let report = report(box(), equal, causes)
        #expect(report.isConfirmed)
        #expect(
            report.lines == [
                #""Night", 2.0 s at 48000 Hz, played by Stompline 1.0"#, "kept because of: keep",
                "all 750 cycles are equal to the bit",
                "cab: the plugin urn:cab is not installed here, so its input passes through",
            ])
    }

    @Test("a replay that differs is not confirmed, and names all nodes that may be the reason")
    func difference() {
        var result = equal
        (result.differentCalls, result.firstDifference, result.equalFromFrame) = (2, 0, 24_000)
        let causes = [Replay.Unrepeatable(node: "amp", cause: .plugin("urn:amp"))]
        let report = report(box(), result, causes, program: "2.0")
        #expect(!report.isConfirmed)
        #expect(
            Array(report.lines.dropFirst(2)) == [
                "this is Stompline 2.0: another version can have another sound",
                "2 of 750 cycles differ; equal to the bit from 0.500 s (frame 24000) on",
                "amp: the plugin urn:amp may depend on the clock, on random numbers or on files",
            ])
        result.equalFromFrame = result.endFrame
        let other = self.report(box(), result)
        #expect(other.lines.contains("2 of 750 cycles differ, to the end"))
    }

    @Test("a box without its beginning is confirmed if it ends equal")
    func partial() {
        var part = box()
        part.facts.isWhole = false
        var result = equal
        (result.differentCalls, result.equalFromFrame) = (2, 24_000)
        #expect(report(part, result).isConfirmed)
        result.equalFromFrame = result.endFrame
        #expect(!report(part, result).isConfirmed)
    }

    @Test("NaN is not confirmed, and a NaN that does not arise again is reported")
    func notFinite() {
        var result = equal
        result.notFinite = [Replay.NodeAt(node: "verb", frame: 48_000)]
        let found = report(box(.notFinite), result)
        #expect(!found.isConfirmed)
        #expect(
            found.lines.last == "NaN or infinity is born in verb at 1.000 s (frame 48000)")
        let absent = report(box(.notFinite), equal)
        #expect(absent.isConfirmed)
        #expect(absent.lines.last == "the NaN or infinity did not arise again")
    }

    @Test("a plugin that fails is not confirmed, and is named with its node and its time")
    func failure() {
        var result = equal
        result.failures = [
            Replay.PluginFailure(
                node: "amp", plugin: "urn:amp", frame: 95_936, reason: "its process ended")
        ]
        let cases: [(BoxReason.Kind, String)] = [
            (.crash, "again "), (.plugin, "again "), (.late, ""),
        ]
        for (kind, again) in cases {
            let found = report(box(kind), result)
            #expect(!found.isConfirmed)
            #expect(
                found.lines.contains(
                    "the plugin urn:amp failed \(again)at 1.999 s (frame 95936) in node amp: "
                        + "its process ended"))
        }
        #expect(report(box(.crash), equal).isConfirmed)
        #expect(
            report(box(.crash), equal).lines.last
                == "no plugin failed in the replay, so it does not show why the program died")
        #expect(report(box(.plugin), equal).lines.last == "the plugin did not fail again")
    }

    @Test("a late cycle is reported with its node, or the server was late")
    func lateness() {
        var result = equal
        result.late = (0..<UInt64(22)).map {
            Replay.Late(
                frame: 48_000 + $0, periods: 1.5, node: $0 == 0 ? "verb" : nil, nodePeriods: 1.25,
                replayedPeriods: 0.5)
        }
        let found = report(box(.late), result)
        #expect(found.isConfirmed)
        #expect(
            found.lines.contains(
                "late cycle at 1.000 s (frame 48000): 1.50 periods, 1.25 of them in verb, which "
                    + "takes 0.500 in the replay"))
        #expect(found.lines.contains("late cycle at 1.000 s (frame 48001): 1.50 periods"))
        #expect(found.lines.last == "and 2 more late cycles")
        #expect(
            report(box(.late), equal).lines.last
                == "no cycle of Stompline took longer than its period: the server or another "
                + "program was late")
    }

    @Test("without a cycle to compare, only a private box is confirmed")
    func uncompared() {
        var result = equal
        result.comparedCalls = 0
        let empty = report(box(), result)
        #expect(!empty.isConfirmed)
        #expect(empty.lines.last == "no cycle has a checksum to compare with")
        let secret = report(box(isPrivate: true), result)
        #expect(secret.isConfirmed)
        #expect(secret.lines.last == "the sound was left out, so it cannot be compared")
    }

    @Test("a replay that ended before an edit is not confirmed, and names the time of the edit")
    func missingPipeline() {
        #expect(report(box(), equal).json.text.contains(#""missing_pipeline_seconds": null"#))
        var result = equal
        result.missingPipelineFrame = 96_000
        let report = report(box(.crash), result)
        #expect(!report.isConfirmed)
        #expect(
            report.lines[3]
                == "the replay ends at 2.000 s (frame 96000): the box lacks the pipeline that "
                + "played from then on")
        #expect(report.json.text.contains(#""missing_pipeline_seconds": 2"#))
    }

    @Test("the JSON has the same facts, and no name adds a line")
    func json() {
        var result = equal
        (result.differentCalls, result.equalFromFrame) = (1, 96_000)
        result.notFinite = [Replay.NodeAt(node: "a\nb", frame: 24_000)]
        result.failures = [
            Replay.PluginFailure(node: "amp", plugin: "urn:amp", frame: 0, reason: "it ended")
        ]
        let report = report(box(.panic), result)
        let text = report.json.text
        for part in [
            #""reason": "panic""#, #""confirmed": false"#, #""different_cycles": 1"#,
            #""equal_from_seconds": null"#, #"{"node": "a\nb", "seconds": 0.5}"#,
            #""plugin": "urn:amp""#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(report.lines.allSatisfy { !$0.contains("\n") })
    }
}
