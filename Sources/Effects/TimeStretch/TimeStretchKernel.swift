internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Captures the input, plays it at another speed with a stretch engine, and reads the result at the
/// ratio of the pitch interval.
///
/// Input and output move in steps of a fixed length, counted from the start, so that blocks of any
/// length give the same output. Each step does its share of the engine's work.
struct TimeStretchKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter {
        case rate, semitones

        var range: ClosedRange<Float> {
            switch self {
            case .rate: 0...TimeStretchKernel.rateLimit
            case .semitones: -24...24
            }
        }

        var defaultValue: Float {
            switch self {
            case .rate: 1
            case .semitones: 0
            }
        }
    }

    private let channelCount: Int
    private let stepFrames: Int
    private var ring: CaptureRing
    private var engine: StretchEngine
    private var reader: StretchReader
    private var course: StretchCourse
    /// The input since the last step, `stepFrames` per channel.
    private let stepInput: Buffer<Float>
    /// The output until the next step, `stepFrames` per channel.
    private let stepOutput: Buffer<Float>
    /// The frames of both since the last step.
    private var stepPosition = 0
    /// The notes of the positions and of the turns.
    private let notes: Buffer<StateNotes>
    /// The order in which the captured sound is noted.
    private var sweep = StretchSweep()

    /// The highest rate.
    private static var rateLimit: Float { @_noLocks get { 4 } }

    /// Creates a stretcher that rests at its parameters.
    ///
    /// - Parameters:
    ///   - ring: A ring of `capacityFrames` for the same buffer.
    ///   - sampleRate: In Hz.
    ///   - bufferSeconds: The longest delay to the input.
    ///   - loops: Whether a full buffer plays as a loop; otherwise playback returns to the newest
    ///     input.
    ///   - rate: From 0 through `rateLimit`.
    ///   - semitones: From -24 through 24.
    init(
        ring: consuming CaptureRing, sampleRate: Double, bufferSeconds: Double, loops: Bool,
        rate: Float,
        semitones: Float
    ) {
        channelCount = ring.channelCount
        self.ring = ring
        let lengths = StretchLengths(windowSteps: 64, sampleRate: sampleRate)
        stepFrames = lengths.stepFrames
        reader = StretchReader(
            stepFrames: stepFrames, semitones: semitones,
            glideSteps: smoothingFrames(sampleRate: sampleRate) / stepFrames)
        course = StretchCourse(
            lengths: lengths, bufferFrames: Int(bufferSeconds * sampleRate), loops: loops,
            readAheadFrames: reader.framesAfter, rate: rate)
        engine = StretchEngine(
            channelCount: channelCount, lengths: lengths, ringFrames: course.capacityFrames)
        notes = Buffer(containing: StateNotes(capacity: 6 + engine.noteWords))
        stepInput = Buffer(count: channelCount * stepFrames, repeating: 0)
        stepOutput = Buffer(count: channelCount * stepFrames, repeating: 0)
        reset()
    }

    /// Returns the number of frames that the ring must hold.
    ///
    /// - Parameters:
    ///   - bufferSeconds: The longest delay to the input.
    ///   - sampleRate: In Hz.
    /// - Returns: The buffer, and the frames that windows need beyond it.
    static func capacityFrames(bufferSeconds: Double, sampleRate: Double) -> Int {
        let lengths = StretchLengths(windowSteps: 64, sampleRate: sampleRate)
        let reader = StretchReader(stepFrames: lengths.stepFrames, semitones: 0, glideSteps: 1)
        // The limit is far beyond any memory, and far from overflow.
        let bufferFrames = Int(min(bufferSeconds * sampleRate, 1e15))
        return StretchCourse(
            lengths: lengths, bufferFrames: bufferFrames, loops: false,
            readAheadFrames: reader.framesAfter, rate: 1
        ).capacityFrames
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    /// The delay at rate 1 with nothing pending.
    var latencyFrames: Int { course.latencyFrames }

    /// Unknown: a frozen sound continues for any time.
    var tailFrames: Int? { nil }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite, let parameter = Parameter(rawValue: parameter) else { return }
        switch parameter {
        case .rate: course.rate = Double(min(max(value, 0), TimeStretchKernel.rateLimit))
        case .semitones: reader.move(toSemitones: value)
        }
    }

    @_noLocks
    mutating func reset() {
        ring.clear()
        reader.reset(frame: course.firstReadFrame)
        course.reset()
        engine.reset(inputFrame: course.firstInputFrame)
        sweep = StretchSweep()
        stepPosition = 0
        stepInput.fill(with: 0)
        stepOutput.fill(with: 0)
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = min(notes[0].limit(frameCount - first), stepFrames - stepPosition)
            for channel in 0..<channelCount {
                let index = channel * stepFrames + stepPosition
                copySound(
                    block.inputs[channel] + first, to: stepInput.start + index, count: count)
                rt_copy(
                    block.outputs[channel] + first, stepOutput.start + index, Int64(count))
            }
            first += count
            stepPosition += count
            notes[0].advance(count)
            if stepPosition == stepFrames || notes[0].isDue {
                stepPosition = 0
                step()
            }
        }
    }

    /// Copies samples.
    ///
    /// A sample that is not finite or exceeds 1e6 becomes 0, so that its square stays finite.
    @_noLocks
    private func copySound(
        _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
    ) {
        for frame in 0..<count { output[frame] = abs(input[frame]) < 1e6 ? input[frame] : 0 }
    }

    /// Stores the input of a step, does the work of a step, and renders the output of the next one.
    @_noLocks
    private mutating func step() {
        var isFollowing = notes[0].isDue
        let formerFrames = ring.writtenFrames
        let isElsewhere = isFollowing && !followStart()
        let movedFrames = isFollowing ? ring.writtenFrames - formerFrames : 0
        if notes[0].isWanted { noteStart() }
        capture()
        if isElsewhere {
            engine.follow(
                notes.start, ring, movedFrames: movedFrames, readFrame: reader.wholeFrame)
            isFollowing = false
            notes[0].endReading()
        } else {
            engine.prepare(ring)
        }
        reader.beginStep()
        let neededFrames =
            reader.endFrame + reader.framesAfter + course.lengths.hopFrames
            - course.lengths.hopFrames / StretchLengths.stageCount
        while engine.progressFrames < neededFrames {
            if engine.isAtHopStart { planHop() }
            engine.advance(ring)
            guard engine.isAtHopStart else { continue }
            if isFollowing {
                engine.follow(notes.start, ring, movedFrames: 0, readFrame: reader.wholeFrame)
                isFollowing = false
            }
            if notes[0].isWanted {
                engine.note(to: notes.start)
                notes[0].end()
            }
        }
        if notes[0].isDue { notes[0].endReading() }
        for channel in 0..<channelCount {
            reader.read(
                engine.output(channel, from: reader.wholeFrame),
                into: stepOutput.start + channel * stepFrames)
        }
        reader.endStep()
    }

    /// Begins a note of the state at the start of a step; the engine completes it at the next start
    /// of a hop, if that is in the same step.
    @_noLocks
    private func noteStart() {
        notes[0].begin()
        notes[0].put(ring.writtenFrames)
        notes[0].put(engine.progressFrames)
        reader.note(to: notes.start)
        course.note(to: notes.start)
    }

    /// Continues from the state at the start of a step of a replay.
    ///
    /// - Returns: Whether the engine was at the same position.
    @_noLocks
    private mutating func followStart() -> Bool {
        notes[0].beginReading()
        let writtenFrames = notes[0].pop(from: 0, through: 1 << 50)
        let progressFrames = notes[0].pop(from: .min, through: .max)
        let isHere =
            writtenFrames == ring.writtenFrames && progressFrames == engine.progressFrames
        let formerFrame = reader.wholeFrame
        ring.renumber(writtenFrames: writtenFrames)
        reader.follow(notes.start)
        course.follow(notes.start)
        let movedFrames = reader.wholeFrame &- formerFrame
        return isHere && movedFrames >= -1 && movedFrames <= 1
    }

    // MARK: Notes of the sound

    var notesSound: Bool { true }

    @_noLocks
    mutating func nextSoundPart() -> SoundPart? {
        sweep.next(
            ring, engine, isLooping: course.isLooping,
            windowFrames: course.lengths.transformFrames)
    }

    mutating func restoreSound(_ part: SoundPart) {
        let address = StretchAddress(part)
        // After the first note of the state, the frames of a replay have the same numbers.
        guard address.writtenFrames == UInt64(ring.writtenFrames) else { return }
        if address.isArray {
            return engine.restoreArray(
                address.index, from: address.offset, part.start, count: part.count)
        }
        guard address.index < channelCount else { return }
        let first = ring.writtenFrames - address.offset
        for index in 0..<part.count {
            let sample = part.start[index]
            // As in `copySound`, squares must stay finite.
            ring.replace(
                address.index, frame: first + index, by: abs(sample) < 1e6 ? sample : 0)
        }
    }

    /// Writes the step's input into the capture ring, unless the ring plays as a loop.
    @_noLocks
    private mutating func capture() {
        switch course.nextCapture() {
        case .write: ring.write(stepInput.start, stride: stepFrames, count: stepFrames)
        case .pause: return
        case .blend(let stepsBack, let share, let shareStep):
            ring.blend(
                stepInput.start, stride: stepFrames, count: stepFrames,
                framesBack: stepsBack * stepFrames, share: share, shareStep: shareStep)
        }
    }

    /// Decides where the engine reads the next hop.
    @_noLocks
    private mutating func planHop() {
        let aheadFrames =
            Double(engine.madeFrames + engine.centreLeadFrames - reader.restingFrame)
            - reader.restingFraction
        let move = course.next(
            inputFrame: engine.inputFrame, writtenFrames: ring.writtenFrames,
            aheadFrames: aheadFrames, ratio: reader.ratio)
        if move.isJump { engine.jump(to: move.inputFrame) }
        engine.bandShare = min(1, 1 / reader.ratio)
        engine.plan(advanceFrames: move.advanceFrames, mayAlign: move.mayAlign)
    }
}
