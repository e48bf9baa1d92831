import Engine
import LV2
import Testing

/// The plugins in this suite double their input until they are triggered.
@Suite("Plugins with invalid output")
struct SurvivalTests {
    @Test(
        "NaN and infinity in the sound or in a report do no harm and do not persist",
        arguments: ["nan", "infinite"], ["", ", \"isolate\": true"])
    func nonFinite(_ name: String, _ node: String) throws {
        let playing = try LivePlaying("urn:stompline-test:" + name, node, isLive: false)
        playing.play(20)
        playing.set(0, 1)
        playing.play(80)
        #expect(playing.isFinite)
        #expect(playing.sound.suffix(64 * 40).allSatisfy { $0 == 0 })
        let isReported = playing.reports.contains {
            if case .nonFinite = $0 { true } else { false }
        }
        #expect(isReported)
        playing.set(0, 0)
        playing.play(40)
        let (count, late) = (playing.sound.count, node.isEmpty ? 0 : 64)
        let loud = (count - 640..<count).map { 2 * playing.signal($0 - late) }
        #expect(Array(playing.sound.suffix(640)) == loud)
    }

    @Test(
        "a latency that changes during playback preserves the sound",
        arguments: ["", ", \"isolate\": true"])
    func latency(_ node: String) throws {
        let playing = try LivePlaying("urn:stompline-test:lagging", node, isLive: false)
        let late = node.isEmpty ? 0 : 64
        #expect(playing.schedule.plan.latencyFrames == 10 + late)
        playing.play(20)
        playing.set(0, 1)
        playing.play(20)
        let count = playing.sound.count
        let loud = (count - 640..<count).map { 2 * playing.signal($0 - late) }
        #expect(Array(playing.sound.suffix(640)) == loud)
    }
}
