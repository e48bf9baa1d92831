package import Engine

/// The records that an engine captures, counted by their kinds.
package final class CapturedRecords {
    /// The memory of a ring.
    private final class Memory: @unchecked Sendable {
        // SAFETY: the audio thread writes the memory, and the reader reads it, as the ring says.
        let start: UnsafeMutableRawPointer

        init(byteCount: Int) {
            start = .allocate(byteCount: byteCount, alignment: 64)
            start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        }

        deinit { start.deallocate() }
    }

    /// The capture for the engine.
    package let capture: EngineCapture
    private let ring: CaptureRing
    private var counts: [CaptureKind: Int] = [:]
    private var words: [CaptureKind: Int] = [:]

    /// Creates a ring of a number of words, a power of two.
    package init(ringWords: Int) {
        let memory = Memory(byteCount: CaptureRing.headerBytes + 8 * ringWords)
        ring = CaptureRing(memory: memory.start, wordCount: ringWords)
        // The rounds of sound follow one another without a pause.
        capture = EngineCapture(
            ring: ring, owner: memory, soundRoundFrames: 1, onStart: { _ in },
            onSchedule: { _, _ in })
    }

    /// The number of records of a kind since the last `clear`.
    package func count(_ kind: CaptureKind) -> Int { counts[kind] ?? 0 }

    /// The number of words of these records.
    package func wordCount(_ kind: CaptureKind) -> Int { words[kind] ?? 0 }

    /// Removes all records from the ring, and counts them.
    package func read() {
        ring.read { record in
            guard let kind = record.kind else { return }
            counts[kind, default: 0] += 1
            words[kind, default: 0] += record.count
        }
    }

    /// Counts from 0 again.
    package func clear() { (counts, words) = ([:], [:]) }
}
