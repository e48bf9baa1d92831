internal import CRealtime
internal import DSP
internal import Realtime

/// A capture buffer, the engine that plays it at another speed, and a reader that turns speed into pitch.
///
/// Frames are gathered and given in steps of a fixed length, counted from the start, so that blocks of any length give the
/// same output; each step does its share of the engine's work.
struct TimeStretchKernel: ~Copyable {
    private let channelCount: Int
    private let stepFrames: Int
    private var ring: CaptureRing
    private var engine: StretchEngine
    private var reader: StretchReader
    private var course: StretchCourse
    /// What came in since the last step, `stepFrames` a channel.
    private let gathered: UnsafeMutablePointer<Float>
    /// What goes out until the next step.
    private let given: UnsafeMutablePointer<Float>
    /// How many frames of both are done.
    private var stepPosition = 0

    /// The highest rate.
    static var rateLimit: Float { @_noLocks get { 4 } }
    /// The farthest transposition either way.
    static var limitSemitones: Float { @_noLocks get { 24 } }

    /// A stretcher that rests at its parameters.
    init(
        channelCount: Int, sampleRate: Double, bufferSeconds: Double, loops: Bool, rate: Float,
        semitones: Float
    ) {
        self.channelCount = channelCount
        let lengths = StretchLengths(windowSteps: 64, sampleRate: sampleRate)
        stepFrames = lengths.stepFrames
        reader = StretchReader(
            stepFrames: stepFrames, semitones: semitones,
            glideSteps: smoothingFrames(sampleRate: sampleRate) / stepFrames)
        course = StretchCourse(
            lengths: lengths, bufferFrames: Int(bufferSeconds * sampleRate), loops: loops,
            readAheadFrames: reader.framesAfter, rate: rate)
        ring = CaptureRing(channelCount: channelCount, capacityFrames: course.capacityFrames)
        engine = StretchEngine(
            channelCount: channelCount, lengths: lengths, ringFrames: course.capacityFrames)
        gathered = .allocate(capacity: channelCount * stepFrames)
        given = .allocate(capacity: channelCount * stepFrames)
        reset()
    }

    deinit {
        ring.deallocate()
        reader.deallocate()
        gathered.deallocate()
        given.deallocate()
    }

    /// How far the output lies behind at rate 1 with nothing pending.
    var latencyFrames: Int { course.latencyFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        switch parameter {
        case 0: course.rate = Double(min(max(value, 0), TimeStretchKernel.rateLimit))
        case 1: reader.move(toSemitones: value)
        default: return
        }
    }

    @_noLocks
    mutating func reset() {
        ring.clear()
        reader.reset(frame: course.firstReadFrame)
        course.reset()
        engine.reset(inputFrame: course.firstInputFrame)
        stepPosition = 0
        gathered.update(repeating: 0, count: channelCount * stepFrames)
        given.update(repeating: 0, count: channelCount * stepFrames)
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = min(frameCount - first, stepFrames - stepPosition)
            for channel in 0..<channelCount {
                let place = channel * stepFrames + stepPosition
                take(block.inputs[channel] + first, into: gathered + place, count: count)
                rt_copy(block.outputs[channel] + first, given + place, Int64(count))
            }
            first += count
            stepPosition += count
            if stepPosition == stepFrames {
                stepPosition = 0
                step()
            }
        }
    }

    /// Samples that are not finite become 0, and what no sound is so loud as, too, so that its square stays finite.
    @_noLocks
    private func take(
        _ input: UnsafePointer<Float>, into place: UnsafeMutablePointer<Float>, count: Int
    ) {
        for frame in 0..<count { place[frame] = abs(input[frame]) < 1e6 ? input[frame] : 0 }
    }

    /// Takes a step's frames in, works for a step, and makes a step's frames.
    @_noLocks
    private mutating func step() {
        capture()
        engine.prepare(ring)
        reader.beginStep()
        let neededFrames =
            reader.endFrame + reader.framesAfter + course.lengths.hopFrames
            - course.lengths.hopFrames / StretchLengths.stageCount
        while engine.progressFrames < neededFrames {
            if engine.isAtHopStart { planHop() }
            engine.advance(ring)
        }
        for channel in 0..<channelCount {
            reader.read(
                engine.output(channel, from: reader.wholeFrame), into: given + channel * stepFrames)
        }
        reader.endStep()
    }

    /// Puts the step's frames into the buffer, unless a loop goes round in it.
    @_noLocks
    private mutating func capture() {
        switch course.nextCapture() {
        case .write: ring.write(gathered, stride: stepFrames, count: stepFrames)
        case .pause: return
        case .blend(let stepsBack, let share, let shareStep):
            ring.blend(
                gathered, stride: stepFrames, count: stepFrames,
                framesBack: stepsBack * stepFrames, share: share, shareStep: shareStep)
        }
    }

    /// Decides where the engine goes on.
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
        engine.plan(advanceFrames: move.advanceFrames, mayLand: move.mayLand)
    }
}
