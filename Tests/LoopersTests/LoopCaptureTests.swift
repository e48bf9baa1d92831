import CRealtime
import Engine
import Testing
import TestSignals

/// The records that an engine captures.
private final class CapturedRecords {
    /// The memory of a ring.
    private final class Memory: @unchecked Sendable {
        // SAFETY: the ring uses the memory as its own rules say.
        let start: UnsafeMutableRawPointer

        init(byteCount: Int) {
            start = .allocate(byteCount: byteCount, alignment: 64)
            start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        }

        deinit { start.deallocate() }
    }

    /// The capture for the engine.
    let capture: EngineCapture
    private let ring: CaptureRing
    private var counts: [CaptureKind: Int] = [:]
    private var words: [CaptureKind: Int] = [:]

    /// Creates a ring of a number of words, a power of two.
    init(ringWords: Int) {
        let memory = Memory(byteCount: CaptureRing.headerBytes + 8 * ringWords)
        ring = CaptureRing(memory: memory.start, wordCount: ringWords)
        capture = EngineCapture(
            ring: ring, owner: memory, soundRoundFrames: 1, onStart: { _ in },
            onSchedule: { _, _ in })
    }

    /// The number of records of a kind since the last `clear`.
    func count(_ kind: CaptureKind) -> Int { counts[kind] ?? 0 }

    /// The number of words of these records.
    func wordCount(_ kind: CaptureKind) -> Int { words[kind] ?? 0 }

    /// Removes all records from the ring, and counts them.
    func read() {
        ring.read { record in
            guard let kind = record.kind else { return }
            counts[kind, default: 0] += 1
            words[kind, default: 0] += record.count
        }
    }

    /// Counts from 0 again.
    func clear() { (counts, words) = ([:], [:]) }
}

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
