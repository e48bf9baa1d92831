import CRealtime
import Engine
import TestNights
import TestSignals
import Testing

@Suite("The captured sound of a looper")
struct LoopCaptureTests {
    private static let callFrames = 64

    /// Renders frames, and reads the ring after each call.
    private func render(_ frames: Int, _ looper: LooperEngine, _ records: CapturedRecords) {
        let input = whiteNoise(amplitude: 0.1, frames: frames)
        _ = looper.render(input, blockFrames: Self.callFrames) { _, _, render in
            render(nil)
            records.read()
        }
    }

    /// Returns a looper that plays a loop of a second in one channel.
    private func playingLooper(_ records: CapturedRecords) throws -> LooperEngine {
        let looper = try LooperEngine(
            "\"settings\": { \"maximum\": 2, \"latency\": 0 }", blockFrames: Self.callFrames,
            capture: records.capture)
        looper.set("record", at: 0)
        looper.set("play", at: 48_000)
        render(60_032, looper, records)
        records.clear()
        return looper
    }

    @Test("leaves room for the following calls while nothing reads the ring")
    func slowReader() throws {
        let records = CapturedRecords(ringWords: 1 << 14)
        let looper = try playingLooper(records)
        // All of these calls fit, but not with all of the sound.
        let frames = 220 * Self.callFrames
        _ = looper.render(
            whiteNoise(amplitude: 0.1, frames: frames), blockFrames: Self.callFrames)
        render(Self.callFrames, looper, records)
        #expect(records.count(.gap) == 0)
        #expect(records.count(.call) == 221)
        #expect(records.count(.sound) > 5)
    }

    @Test("takes at most a word per frame")
    func words() throws {
        let records = CapturedRecords(ringWords: 1 << 14)
        let looper = try playingLooper(records)
        let frames = 4800 * Self.callFrames
        render(frames, looper, records)
        #expect(records.wordCount(.sound) > frames * 9 / 10)
        #expect(records.wordCount(.sound) < frames + 600)
    }
}
