internal import CRealtime
internal import Realtime

/// The held notes of a chord, each assigned to one voice.
struct ChordVoices: BitwiseCopyable {
    private let voiceCount: Int
    /// The current note of each voice; -1 without one.
    private var notes = SIMD4<Int32>(repeating: -1)
    /// The latest note of each voice; -1 if it never had one.
    private var latest = SIMD4<Int32>(repeating: -1)

    /// Creates voices without notes; at most four.
    init(voiceCount: Int) { self.voiceCount = min(voiceCount, 4) }

    /// Returns the note of a voice; `nil` without one.
    @_noLocks
    func note(ofVoice voice: Int) -> Int? { notes[voice] < 0 ? nil : Int(notes[voice]) }

    /// The number of words of `note`.
    static var noteWords: Int { 4 }

    /// Writes the notes.
    @_noLocks
    func note(to words: UnsafeMutablePointer<StateNotes>) {
        for voice in 0..<4 {
            words.pointee.put((Int(notes[voice]) + 1) * 256 + Int(latest[voice]) + 1)
        }
    }

    /// Continues with noted notes.
    @_noLocks
    mutating func follow(_ words: UnsafeMutablePointer<StateNotes>) {
        for voice in 0..<4 {
            let word = words.pointee.pop(from: 0, through: 128 * 256 + 128)
            notes[voice] = Int32(truncatingIfNeeded: word / 256 - 1)
            latest[voice] = Int32(truncatingIfNeeded: word % 256 - 1)
        }
    }

    @_noLocks
    mutating func clear() {
        notes = SIMD4(repeating: -1)
        latest = notes
    }

    /// Assigns the held notes.
    ///
    /// - Parameters:
    ///   - held: The held notes. If there are more notes than voices, the lowest ones are left out.
    ///   - mayCross: Whether a new note goes to a free voice. Otherwise higher voices have higher
    ///     notes, and of the possible assignments, the one with the smallest movement is used.
    @_noLocks
    mutating func follow(_ held: HeldNotes, mayCross: Bool) {
        if mayCross { assignFreely(held) } else { assignInOrder(held) }
        for voice in 0..<voiceCount where notes[voice] >= 0 { latest[voice] = notes[voice] }
    }

    @_noLocks
    private mutating func assignFreely(_ held: HeldNotes) {
        for voice in 0..<voiceCount where notes[voice] >= 0 {
            if !held.contains(Int(notes[voice])) { notes[voice] = -1 }
        }
        for note in 0..<128 where held.contains(note) && !has(Int32(truncatingIfNeeded: note)) {
            for voice in 0..<voiceCount where notes[voice] < 0 {
                notes[voice] = Int32(truncatingIfNeeded: note)
                break
            }
        }
    }

    @_noLocks
    private func has(_ note: Int32) -> Bool {
        for voice in 0..<voiceCount where notes[voice] == note { return true }
        return false
    }

    @_noLocks
    private mutating func assignInOrder(_ held: HeldNotes) {
        // The highest notes, ascending.
        var chord = SIMD4<Int32>(repeating: -1)
        var count = 0
        var note = 127
        while note >= 0 && count < voiceCount {
            if held.contains(note) {
                count += 1
                chord[voiceCount - count] = Int32(truncatingIfNeeded: note)
            }
            note -= 1
        }
        var best = SIMD4<Int32>(repeating: -1)
        var least = Int32.max
        for choice in 0..<(1 &<< voiceCount) where choice.nonzeroBitCount == count {
            var assigned = SIMD4<Int32>(repeating: -1)
            var movement: Int32 = 0
            var next = voiceCount - count
            for voice in 0..<voiceCount where choice & 1 &<< voice != 0 {
                assigned[voice] = chord[next]
                if latest[voice] >= 0 {
                    let distance = chord[next] &- latest[voice]
                    movement &+= distance < 0 ? 0 &- distance : distance
                }
                next += 1
            }
            if movement < least { (best, least) = (assigned, movement) }
        }
        notes = best
    }
}
