internal import CRealtime
internal import Realtime

/// Small random differences of one voice from the others: two slow curves between -1 and 1, and a
/// value that is chosen once per phrase.
///
/// The numbers are the same after each reset, so that a render can be repeated.
struct VoiceVariation: BitwiseCopyable {
    /// The position in each curve.
    private(set) var pitch = 0.0
    private(set) var level = 0.0
    /// The value of the current phrase, from 0 to 1.
    private(set) var phrase = 0.0
    private var pitchGoal = 0.0
    private var levelGoal = 0.0
    private var stepsLeft = 0
    private var state: UInt64
    private let seed: UInt64
    private let stepsPerGoal: Int
    private let share: Double

    /// The time between two goals, and the time constant with which the curves follow them, in
    /// seconds.
    private static var goalSeconds: Double { 0.35 }
    private static var followSeconds: Double { 0.15 }

    init(voice: Int, stepSeconds: Double) {
        seed = 0x9e37_79b9_7f4a_7c15 &* UInt64(voice + 1)
        state = seed
        stepsPerGoal = max(1, Int(VoiceVariation.goalSeconds / stepSeconds))
        share = min(1, stepSeconds / VoiceVariation.followSeconds)
    }

    @_noLocks
    mutating func reset() {
        state = seed
        (pitch, level, phrase) = (0, 0, 0)
        (pitchGoal, levelGoal) = (0, 0)
        stepsLeft = 0
    }

    /// The number of words of `note`.
    static var noteWords: Int { 7 }

    /// Writes the curves.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(pitch)
        notes.pointee.put(level)
        notes.pointee.put(phrase)
        notes.pointee.put(pitchGoal)
        notes.pointee.put(levelGoal)
        notes.pointee.put(stepsLeft)
        notes.pointee.put(state)
    }

    /// Continues with noted curves.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        pitch = notes.pointee.popNumber(within: 1)
        level = notes.pointee.popNumber(within: 1)
        phrase = notes.pointee.popNumber(within: 1)
        pitchGoal = notes.pointee.popNumber(within: 1)
        levelGoal = notes.pointee.popNumber(within: 1)
        stepsLeft = notes.pointee.pop(from: 0, through: stepsPerGoal)
        state = notes.pointee.pop()
    }

    /// Begins a phrase.
    @_noLocks
    mutating func begin() { phrase = 0.5 + 0.5 * random() }

    /// Advances both curves by one step.
    @_noLocks
    mutating func step() {
        if stepsLeft == 0 {
            pitchGoal = random()
            levelGoal = random()
            stepsLeft = stepsPerGoal
        }
        stepsLeft -= 1
        pitch += share * (pitchGoal - pitch)
        level += share * (levelGoal - level)
    }

    /// Returns a random number from -1 to 1 (xorshift64*: Vigna, 2016).
    @_noLocks
    private mutating func random() -> Double {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        let bits = state &* 0x2545_f491_4f6c_dd1d
        return Double(bits >> 11) * (2.0 / 9_007_199_254_740_992) - 1
    }
}
