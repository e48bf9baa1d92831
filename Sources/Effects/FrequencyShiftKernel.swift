internal import CRealtime
internal import DSP
internal import Realtime

/// A pair of allpass chains that makes the signal analytic, a rotor that moves it, and a second pair.
///
/// The second pair keeps positive frequencies alone: what crossed 0 Hz or Nyquist has become negative and is gone. It takes
/// off the first pair's image as well, but only where that stays negative: a tone below the shift has its image above 0 Hz, so
/// the first pair is the longer one. `fold` takes only the first lane of the second pair, whose delay is the same.
///
/// What is fed back is always the signal after suppression. Its energy is at most the input's, whatever the shift does: one
/// chain passes every frequency at gain 1, so the first pair gives the input's energy twice, the rotor keeps it, and half the
/// difference of the second pair's lanes is at most half of that. So the loop's gain is at most `feedback`.
struct FrequencyShiftKernel: ~Copyable {
    private let channelCount: Int
    private let folds: Bool
    private let radiansPerHertz: Double
    private let analysis: AllpassPair
    private let suppression: AllpassPair
    private let channels: UnsafeMutablePointer<ShiftChannel>
    private let loopFrames: Int
    /// The loop's delay lines, side by side.
    private let loops: UnsafeMutablePointer<Double>
    /// The chains' memories, `memorySize` a channel, the first pair's before the second's.
    private let memories: UnsafeMutablePointer<SIMD2<Double>>
    private let memorySize: Int
    private let scratch: ShiftScratch
    private var rotor = Rotor()
    private var shift: Ramp
    private var feedback: Ramp
    /// Whether the chunk that is rendered takes anything of the loop.
    private var hasFeedback = false
    /// Where the next frame stands in the loop's delay lines.
    private var loopPosition = 0

    /// The farthest shift either way.
    static var shiftLimitHertz: Float { @_noLocks get { 20_000 } }
    /// The most that is fed back: stable, and some 26 dB at most.
    static var feedbackLimit: Float { @_noLocks get { 0.95 } }

    /// A shifter that rests at its parameters.
    init(
        channelCount: Int, sampleRate: Double, folds: Bool, shiftHertz: Float, feedback: Float
    ) {
        self.channelCount = channelCount
        self.folds = folds
        radiansPerHertz = 2 * Double.pi / sampleRate
        analysis = AllpassPair(
            sectionCount: sampleRate <= 100_000 ? 12 : 16, sampleRate: sampleRate)
        suppression = AllpassPair(
            sectionCount: sampleRate <= 50_000 ? 8 : 12, sampleRate: sampleRate)
        loopFrames = ShiftScratch.frames * max(1, Int(sampleRate / 48_000 + 0.5))
        loops = .allocate(capacity: channelCount * loopFrames)
        memorySize = analysis.memorySize + suppression.memorySize
        memories = .allocate(capacity: channelCount * memorySize)
        channels = .allocate(capacity: channelCount)
        scratch = ShiftScratch()
        let rampFrames = smoothingFrames(sampleRate: sampleRate)
        shift = Ramp(shiftHertz, lengthFrames: rampFrames)
        self.feedback = Ramp(feedback, lengthFrames: rampFrames)
        reset()
    }

    deinit {
        analysis.deallocate()
        suppression.deallocate()
        channels.deallocate()
        loops.deallocate()
        memories.deallocate()
        scratch.deallocate()
    }

    /// Where an impulse's energy has its centre; the low end comes later, the high end sooner.
    var latencyFrames: Int { analysis.meanDelayFrames + suppression.meanDelayFrames }

    /// How long it may sound, feedback counted down to -120 dB.
    var tailFrames: Int {
        let share = Double(feedback.target)
        let passes = share > 0 ? 1 + -13.8 / rt_log(share) : 1
        return analysis.tailFrames + suppression.tailFrames
            + Int(passes * Double(loopFrames + latencyFrames))
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        switch parameter {
        case 0: if shift.target != value { shift.move(to: value) }
        case 1: if feedback.target != value { feedback.move(to: value) }
        default: return
        }
    }

    @_noLocks
    mutating func reset() {
        shift.snap()
        feedback.snap()
        rotor.rewind()
        rotor.setStep(radians: Double(shift.value) * radiansPerHertz)
        loopPosition = 0
        loops.update(repeating: 0, count: channelCount * loopFrames)
        memories.update(repeating: .zero, count: channelCount * memorySize)
        channels.update(repeating: ShiftChannel(), count: channelCount)
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = beginChunk(atMost: frameCount - first)
            for channel in 0..<channelCount {
                render(
                    channel, block.inputs[channel] + first, block.outputs[channel] + first,
                    count: count)
            }
            first += count
            advance(count)
        }
    }

    /// Writes what all channels share for the next frames, and returns how many these are.
    ///
    /// Chunks end where the loop's position is a multiple of theirs, however the frames come.
    @_noLocks
    private mutating func beginChunk(atMost room: Int) -> Int {
        let count = min(ShiftScratch.frames - loopPosition % ShiftScratch.frames, room)
        writeTurns(count: count)
        writeShares(count: count)
        return count
    }

    /// Writes the rotor's next turns, gliding while the shift does.
    @_noLocks
    private mutating func writeTurns(count: Int) {
        var frame = 0
        while frame < count, !shift.isResting {
            rotor.setStep(radians: Double(shift.next()) * radiansPerHertz)
            rotor.write(to: scratch.turns + 2 * frame, count: 1)
            frame += 1
        }
        rotor.write(to: scratch.turns + 2 * frame, count: count - frame)
    }

    /// Writes the share of the loop that each frame takes.
    @_noLocks
    private mutating func writeShares(count: Int) {
        hasFeedback = !feedback.isResting || feedback.value != 0
        guard hasFeedback else { return }
        for frame in 0..<count { scratch.shares[frame] = Double(feedback.next()) }
    }

    @_noLocks
    private mutating func advance(_ count: Int) {
        loopPosition += count
        if loopPosition % ShiftScratch.frames == 0 { rotor.renormalise() }
        if loopPosition == loopFrames { loopPosition = 0 }
    }

    @_noLocks
    private func render(
        _ channel: Int, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        let loop = loops + channel * loopFrames + loopPosition
        let memory = memories + channel * memorySize
        channels[channel].take(
            input, count: count, loop: hasFeedback ? loop : nil, scratch: scratch)
        analysis.process(scratch.analytic, count: count, memory: memory)
        channels[channel].turn(count: count, scratch: scratch)
        suppression.process(
            scratch.turned, count: count, memory: memory + analysis.memorySize)
        scratch.give(output, count: count, loop: loop, folds: folds)
    }
}
