import CRealtime
import Engine
import LV2
import Processing
import Testing

/// The plugins in this suite double their input and report how often their workers responded.
@Suite("Plugins whose workers misbehave", .serialized)
struct BusyPluginTests {
    @Test(
        "a plugin whose worker ends its process is lost with that reason, and restarted",
        arguments: [
            ("crash-work", "its process was terminated by signal 11 (Segmentation fault)"),
            ("exit-work", "its process exited with status 3"),
        ])
    func ends(_ name: String, _ reason: String) throws {
        let playing = try LivePlaying("urn:stompline-test:" + name, ", \"isolate\": true")
        playing.play(20, isPaced: true)
        playing.set(0, 1)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        guard case .lost(let reported) = try #require(lost) else { return }
        // Its run may have been active as well.
        #expect(reported.hasPrefix(reason) && reported.hasSuffix("in its worker"), "\(reported)")
        #expect(playing.play { $0 == .back } != nil)
        #expect(playing.isFinite)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test(
        "a plugin whose worker takes 200 ms or is flooded continues to sound",
        arguments: ["slow-work", "flood-work"], ["", ", \"isolate\": true"])
    func busy(_ name: String, _ node: String) throws {
        let playing = try LivePlaying("urn:stompline-test:" + name, node)
        playing.play(100, isPaced: true)
        playing.set(0, 1)
        for _ in 0..<50 where !playing.hasAnswer { playing.play(20, isPaced: true) }
        #expect(playing.hasAnswer)
        playing.set(0, 0)
        playing.play(100, isPaced: true)
        #expect(playing.incidents.allSatisfy { $0 == .away || $0 == .back })
        #expect(playing.isFinite)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }
}

extension LivePlaying {
    /// Whether the plugin reported a response of its worker.
    fileprivate var hasAnswer: Bool {
        reports.contains { if case .value(_, _, let value) = $0 { value > 0 } else { false } }
    }
}
