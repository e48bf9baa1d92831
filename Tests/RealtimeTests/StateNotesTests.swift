import Realtime
import Testing

@Suite("Notes of a kernel's state")
struct StateNotesTests {
    /// Notes with memory for three words.
    private struct Memory: ~Copyable {
        let words = Buffer<UInt64>(count: 3, repeating: 0)
        let notes = Buffer(containing: StateNotes(capacity: 3))

        init() { notes[0].use(words.start) }
    }

    @Test("what a kernel writes is read in the same order")
    func order() {
        let memory = Memory()
        memory.notes[0].ask()
        #expect(memory.notes[0].isWanted)
        memory.notes[0].advance(40)
        memory.notes[0].begin()
        memory.notes[0].put(-7)
        memory.notes[0].put(0.1)
        memory.notes[0].put(Float(0.5), Float(-3))
        memory.notes[0].end()
        #expect(memory.notes[0].isNoted && !memory.notes[0].isWanted)
        #expect(memory.notes[0].frame == 40 && memory.notes[0].count == 3)

        let words = Array(UnsafeBufferPointer(start: memory.notes[0].start, count: 3))
        let other = Memory()
        other.notes[0].give(words, frame: 40)
        other.notes[0].beginReading()
        #expect(other.notes[0].pop(from: -10, through: 10) == -7)
        #expect(other.notes[0].popNumber(within: 1) == 0.1)
        #expect(other.notes[0].popNumbers(within: 3) == (0.5, -3))
        #expect(other.notes[0].isWhole)
    }

    @Test("a kernel stops at the frame of a note, however its runs are split")
    func frame() {
        let memory = Memory()
        #expect(memory.notes[0].limit(64) == 64)
        memory.notes[0].give([1], frame: 50)
        #expect(memory.notes[0].limit(30) == 30)
        memory.notes[0].advance(30)
        #expect(!memory.notes[0].isDue && memory.notes[0].limit(64) == 20)
        memory.notes[0].advance(20)
        #expect(memory.notes[0].isDue)
        memory.notes[0].endReading()
        #expect(!memory.notes[0].isDue && memory.notes[0].limit(64) == 64)
    }

    @Test("a note with too many words is discarded")
    func tooLong() {
        let memory = Memory()
        memory.notes[0].ask()
        memory.notes[0].begin()
        for word in 0..<4 { memory.notes[0].put(word) }
        memory.notes[0].end()
        #expect(!memory.notes[0].isNoted && !memory.notes[0].isWanted)
        memory.notes[0].give([1, 2, 3, 4], frame: 0)
        #expect(!memory.notes[0].isDue)
    }

    @Test("without memory, nothing is asked for")
    func noMemory() {
        var notes = StateNotes(capacity: 3)
        notes.ask()
        #expect(!notes.isWanted)
    }

    @Test("numbers that are not in their range, or not there, become harmless ones")
    func ranges() {
        let memory = Memory()
        let floats = UInt64(Float.nan.bitPattern) | UInt64(Float(1).bitPattern) << 32
        memory.notes[0].give([11, Double.infinity.bitPattern, floats], frame: 0)
        memory.notes[0].beginReading()
        #expect(memory.notes[0].pop(from: -2, through: 10) == -2)
        #expect(memory.notes[0].popNumber(within: 1e300) == 0)
        #expect(memory.notes[0].popNumbers(within: 3) == (0, 0))
        #expect(!memory.notes[0].isWhole)
        memory.notes[0].beginReading()
        for _ in 0..<3 { _ = memory.notes[0].pop() }
        #expect(memory.notes[0].isWhole)
        #expect(memory.notes[0].pop() == 0)
        #expect(!memory.notes[0].isWhole)
    }
}
