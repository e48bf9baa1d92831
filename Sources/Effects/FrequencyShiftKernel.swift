internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Shifts frequencies: a pair of allpass chains makes the signal analytic, a rotor shifts it, and a
/// second pair of chains follows.
///
/// The second pair keeps only positive frequencies: partials that crossed 0 Hz or Nyquist are
/// negative now and disappear. It also removes the first pair's image, but only if the image stays
/// negative. The image of a tone below the shift is above 0 Hz, so the first pair is the longer
/// one. `fold` uses only the first lane of the second pair, which has the same delay.
///
/// The feedback signal is always the signal after suppression. Its energy never exceeds the
/// input's, whatever the shift: each chain passes every frequency at gain 1, so the first pair has
/// twice the input's energy, the rotor preserves it, and half the difference of the second pair's
/// lanes has at most half of it. So the loop's gain is at most `feedback`.
struct FrequencyShiftKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter {
        case shift, feedback

        var range: ClosedRange<Float> {
            switch self {
            case .shift: -20_000...20_000
            // Stable, with a resonance of at most 26 dB.
            case .feedback: 0...0.95
            }
        }

        var defaultValue: Float { 0 }
    }

    private let channelCount: Int
    private let folds: Bool
    private let radiansPerHertz: Double
    private let analysis: AllpassPair
    private let suppression: AllpassPair
    private let channels: Buffer<ShiftChannel>
    private let loopFrames: Int
    /// The delay lines of the feedback loop, `loopFrames` per channel.
    private let loops: Buffer<Double>
    /// The states of the chains, `memorySize` per channel: first for the first pair, then for the
    /// second.
    private let memories: Buffer<SIMD2<Double>>
    private let memorySize: Int
    private let scratch: ShiftScratch
    private var rotor = Rotor()
    private var shift: Ramp
    private var feedback: Ramp
    /// Whether the current chunk has any feedback.
    private var hasFeedback = false
    /// The index of the next frame in the loop's delay lines.
    private var loopPosition = 0
    /// The notes of the phase, of the position in the loop, and of the first channels.
    private let notes: Buffer<StateNotes>

    /// Creates a shifter that rests at its parameters.
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
        loops = Buffer(count: channelCount * loopFrames, repeating: 0)
        memorySize = analysis.memorySize + suppression.memorySize
        memories = Buffer(count: channelCount * memorySize, repeating: .zero)
        channels = Buffer(count: channelCount, repeating: ShiftChannel())
        scratch = ShiftScratch()
        let channelWords = loopFrames + 2 * memorySize + ShiftChannel.noteWords
        notes = Buffer(
            containing: StateNotes(
                capacity: 3 + min(channelCount, FrequencyShiftKernel.notedChannels) * channelWords))
        let rampFrames = smoothingFrames(sampleRate: sampleRate)
        shift = Ramp(shiftHertz, lengthFrames: rampFrames)
        self.feedback = Ramp(feedback, lengthFrames: rampFrames)
        reset()
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    /// The centre of an impulse's energy; low frequencies arrive later, high ones earlier.
    var latencyFrames: Int { analysis.meanDelayFrames + suppression.meanDelayFrames }

    /// The length of the impulse response, with the feedback down to -120 dB.
    var tailFrames: Int? {
        let share = Double(feedback.target)
        let passes = share > 0 ? 1 + -13.8 / rt_log(share) : 1
        return analysis.tailFrames + suppression.tailFrames
            + Int(passes * Double(loopFrames + latencyFrames))
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite, let parameter = Parameter(rawValue: parameter) else { return }
        switch parameter {
        case .shift: if shift.target != value { shift.move(to: value) }
        case .feedback: if feedback.target != value { feedback.move(to: value) }
        }
    }

    @_noLocks
    mutating func reset() {
        shift.snap()
        feedback.snap()
        rotor.rewind()
        rotor.setStep(radians: Double(shift.value) * radiansPerHertz)
        loopPosition = 0
        loops.fill(with: 0)
        memories.fill(with: .zero)
        channels.fill(with: ShiftChannel())
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = beginChunk(atMost: notes[0].limit(frameCount - first))
            for channel in 0..<channelCount {
                render(
                    channel, block.inputs[channel] + first, block.outputs[channel] + first,
                    count: count)
            }
            first += count
            advance(count)
            if notes[0].isDue { continueFromNote() }
        }
        if notes[0].isWanted { noteState() }
    }

    /// The number of channels whose chains are noted.
    ///
    /// Those of further channels come within rounding errors of 10⁻¹⁶, which change a sample of
    /// the output once in hours.
    private static var notedChannels: Int { @_noLocks get { 8 } }

    /// Notes the state.
    @_noLocks
    private func noteState() {
        let words = notes.start
        let phase = rotor.phase
        words.pointee.begin()
        words.pointee.put(phase.cosine)
        words.pointee.put(phase.sine)
        words.pointee.put(loopPosition)
        for channel in 0..<min(channelCount, FrequencyShiftKernel.notedChannels) {
            channels[channel].note(to: words)
            let (loop, memory) = (channel * loopFrames, channel * memorySize)
            for frame in loop..<loop + loopFrames { words.pointee.put(loops[frame]) }
            for index in memory..<memory + memorySize {
                words.pointee.put(memories[index].x)
                words.pointee.put(memories[index].y)
            }
        }
        words.pointee.end()
    }

    /// Continues from a note of a replay.
    @_noLocks
    private mutating func continueFromNote() {
        let words = notes.start
        words.pointee.beginReading()
        let cosine = words.pointee.popNumber(within: 1.1)
        let sine = words.pointee.popNumber(within: 1.1)
        rotor.phase = (cosine, sine)
        loopPosition = words.pointee.pop(from: 0, through: loopFrames - 1)
        for channel in 0..<min(channelCount, FrequencyShiftKernel.notedChannels) {
            channels[channel].follow(words)
            let (loop, memory) = (channel * loopFrames, channel * memorySize)
            for frame in loop..<loop + loopFrames {
                loops[frame] = words.pointee.popNumber(within: 1e6)
            }
            for index in memory..<memory + memorySize {
                let first = words.pointee.popNumber(within: 1e6)
                memories[index] = SIMD2(first, words.pointee.popNumber(within: 1e6))
            }
        }
        words.pointee.endReading()
    }

    /// Prepares the data that all channels share for the next chunk, and returns the frames of the
    /// chunk.
    ///
    /// Chunks end at multiples of the chunk length in the loop, however the cycle is split.
    @_noLocks
    private mutating func beginChunk(atMost room: Int) -> Int {
        let count = min(ShiftScratch.frames - loopPosition % ShiftScratch.frames, room)
        writeTurns(count: count)
        writeShares(count: count)
        return count
    }

    /// Writes the rotor's next turns, frame by frame while the shift glides.
    @_noLocks
    private mutating func writeTurns(count: Int) {
        var frame = 0
        while frame < count, !shift.isResting {
            rotor.setStep(radians: Double(shift.next()) * radiansPerHertz)
            rotor.write(to: scratch.turns.start + 2 * frame, count: 1)
            frame += 1
        }
        rotor.write(to: scratch.turns.start + 2 * frame, count: count - frame)
    }

    /// Writes the feedback gain of each frame.
    @_noLocks
    private mutating func writeShares(count: Int) {
        hasFeedback = !feedback.isResting || feedback.value != 0
        guard hasFeedback else { return }
        for frame in 0..<count { scratch.shares[frame] = Double(feedback.next()) }
    }

    @_noLocks
    private mutating func advance(_ count: Int) {
        loopPosition += count
        notes[0].advance(count)
        if loopPosition % ShiftScratch.frames == 0 { rotor.renormalise() }
        if loopPosition == loopFrames { loopPosition = 0 }
    }

    @_noLocks
    private func render(
        _ channel: Int, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        let loop = loops.start + channel * loopFrames + loopPosition
        let memory = memories.start + channel * memorySize
        channels[channel].read(
            input, count: count, loop: hasFeedback ? loop : nil, into: scratch)
        analysis.process(scratch.analytic.pairs, count: count, memory: memory)
        channels[channel].turn(count: count, in: scratch)
        suppression.process(
            scratch.turned.pairs, count: count, memory: memory + analysis.memorySize)
        scratch.write(output, count: count, loop: loop, folds: folds)
    }
}
