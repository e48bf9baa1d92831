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
            let count = min(frameCount - first, stepFrames - stepPosition)
            for channel in 0..<channelCount {
                let index = channel * stepFrames + stepPosition
                copySound(
                    block.inputs[channel] + first, to: stepInput.start + index, count: count)
                rt_copy(
                    block.outputs[channel] + first, stepOutput.start + index, Int64(count))
            }
            first += count
            stepPosition += count
            if stepPosition == stepFrames {
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
                engine.output(channel, from: reader.wholeFrame),
                into: stepOutput.start + channel * stepFrames)
        }
        reader.endStep()
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
