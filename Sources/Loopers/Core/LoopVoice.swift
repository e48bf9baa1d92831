internal import CRealtime
internal import Realtime

/// A playback position in a layer, and how it moves.
struct LoopVoice: BitwiseCopyable {
    var layer = 0
    /// The position in the cycle in half frames, because half speed stops between two frames.
    var position = 0
    /// The half frames from one frame to the next: 2 at normal speed, negative in reverse.
    var step = 2
    /// The number of the cycle.
    private(set) var cycle = 0
    /// The number of frames in this cycle.
    private(set) var cycleFrames = 1
    /// The time from one start of the loop to the next, in frames.
    private var periodFrames = 1.0
    /// How far cycle `baseCycle` begins after its frame, in frames from -0.5 to 0.5.
    private var phaseFrames = 0.0
    /// The cycle from whose start the later ones are counted.
    private var baseCycle = 0
    /// The exact start of this cycle, in frames after the frame in which it began: -0.5 to 0.5.
    private(set) var cyclePhase = 0.0
    /// The number of frames in the previous cycle.
    private(set) var previousCycleFrames = 1
    /// The number of frames since the voice began to fade in.
    var age = 0

    /// Creates a voice that plays nothing.
    init() {}

    /// Creates a voice at the start of a layer.
    ///
    /// - Parameters:
    ///   - layer: The number of the layer.
    ///   - periodFrames: The layer's period.
    ///   - phaseFrames: How far the exact start lies after the current frame, in frames.
    @_noLocks
    init(layer: Int, periodFrames: Double, phaseFrames: Double) {
        self.layer = layer
        self.periodFrames = periodFrames
        self.phaseFrames = phaseFrames
        begin(cycle: 0)
    }

    /// The exact frame in which a cycle begins, counted from the frame of `baseCycle`.
    @_noLocks
    private func exactStart(of cycle: Int) -> Double {
        phaseFrames + Double(cycle - baseCycle) * periodFrames
    }

    @_noLocks
    private func startFrame(of cycle: Int) -> Int { Int(rt_floor(exactStart(of: cycle) + 0.5)) }

    @_noLocks
    private mutating func begin(cycle number: Int) {
        previousCycleFrames =
            number == cycle + 1
            ? cycleFrames : startFrame(of: number) - startFrame(of: number - 1)
        cycle = number
        cyclePhase = exactStart(of: number) - Double(startFrame(of: number))
        cycleFrames = max(1, startFrame(of: number + 1) - startFrame(of: number))
    }

    /// The exact end of this cycle, in frames after the frame in which it began.
    var cycleEnd: Double { @_noLocks get { cyclePhase + periodFrames } }

    /// Lets this cycle end at another time, from which the later ones are counted.
    ///
    /// - Parameter exactEnd: The end, in frames after the frame in which the cycle began.
    @_noLocks
    mutating func endCycle(at exactEnd: Double) {
        let frames = rt_floor(exactEnd + 0.5)
        cycleFrames = max(1, Int(frames))
        baseCycle = cycle + 1
        phaseFrames = exactEnd - frames
    }

    /// Moves on by one frame.
    ///
    /// - Returns: Whether a new cycle begins.
    @_noLocks
    mutating func advance() -> Bool {
        position += step
        var wraps = false
        while position >= 2 * cycleFrames {
            position -= 2 * cycleFrames
            begin(cycle: cycle + 1)
            wraps = true
        }
        while position < 0 {
            begin(cycle: cycle + 1)
            position += 2 * cycleFrames
            wraps = true
        }
        return wraps
    }

    /// Moves on by a number of frames at normal speed.
    @_noLocks
    mutating func skip(_ frames: Int) {
        position += 2 * frames
        while position >= 2 * cycleFrames {
            position -= 2 * cycleFrames
            begin(cycle: cycle + 1)
        }
    }

    /// The number of words of `note`.
    static var noteWords: Int { 11 }
    /// The largest distance of two cycles in a note.
    private static var mostCycles: Int { @_noLocks get { 1 << 31 } }

    /// Writes the voice.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(layer)
        notes.pointee.put(step)
        notes.pointee.put(cycle)
        notes.pointee.put(baseCycle)
        notes.pointee.put(cycleFrames)
        notes.pointee.put(previousCycleFrames)
        notes.pointee.put(position)
        notes.pointee.put(periodFrames)
        notes.pointee.put(phaseFrames)
        notes.pointee.put(cyclePhase)
        notes.pointee.put(age)
    }

    /// Continues as a noted voice.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - store: The layers.
    ///   - fadeFrames: The frames of a fade, which are less than half of a cycle.
    @_noLocks
    mutating func follow(
        _ notes: UnsafeMutablePointer<StateNotes>, _ store: borrowing LoopStore, fadeFrames: Int
    ) {
        let most = Int(LoopStore.mostPeriodFrames)
        layer = notes.pointee.pop(from: store.oldest, through: max(store.oldest, store.newest))
        let noted = notes.pointee.pop(from: -4, through: 4)
        step = noted == 1 || noted == -1 || noted == -2 || noted == 4 || noted == -4 ? noted : 2
        cycle = notes.pointee.pop(from: 0, through: Self.mostCycles)
        baseCycle = notes.pointee.pop(from: 0, through: Self.mostCycles)
        cycleFrames = notes.pointee.pop(from: 2 * fadeFrames, through: most)
        previousCycleFrames = notes.pointee.pop(from: 1, through: most)
        position = notes.pointee.pop(from: 0, through: 2 * cycleFrames - 1)
        periodFrames = max(
            Double(2 * fadeFrames), notes.pointee.popNumber(within: LoopStore.mostPeriodFrames))
        phaseFrames = notes.pointee.popNumber(within: 1)
        cyclePhase = notes.pointee.popNumber(within: 1)
        age = notes.pointee.pop(from: 0, through: fadeFrames)
    }

    /// Moves to the same time in a layer of another period.
    @_noLocks
    mutating func move(to number: Int, periodFrames newPeriod: Double) {
        layer = number
        guard newPeriod != periodFrames else { return }
        let phase = cyclePhase
        let frame = Double(position / 2)
        let passed = rt_floor((frame - phase + 0.5) / newPeriod)
        let exact = phase + passed * newPeriod
        let start = rt_floor(exact + 0.5)
        let isOdd = position & 1
        phaseFrames = exact - start
        periodFrames = newPeriod
        (cycle, baseCycle) = (0, 0)
        begin(cycle: 0)
        position = 2 * min(max(0, Int(frame - start)), cycleFrames - 1) + isOdd
    }
}
