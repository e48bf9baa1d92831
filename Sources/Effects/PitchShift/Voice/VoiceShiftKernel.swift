internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Moves the pitch and the formants of one voice independently: it cuts the voice into grains of
/// two periods at marks that follow the pitch, and plays the grains at the distance of the new
/// period.
///
/// All channels share the pitch and the marks of their sum. Decisions are made at the ends of
/// steps, which are counted from the kernel's start, and take effect in the following step. An
/// output frame never depends on later input frames.
struct VoiceShiftKernel: Kernel, ~Copyable {
    typealias Parameter = PitchControls.Parameter

    private let channelCount: Int
    private let followsPitch: Bool
    private let stepFrames: Int
    private let history: VoiceHistory
    private let sum: Buffer<Float>
    private var tracker: PitchTracker
    private var marks: PeriodMarks
    private var chain: GrainChain
    private var controls: PitchControls
    /// The number of frames since the start.
    private var now = 0

    /// Creates a shifter that rests at its parameters.
    init(
        channelCount: Int, sampleRate: Double, followsPitch: Bool, semitones: Float, cents: Float,
        formantSemitones: Float
    ) {
        self.channelCount = channelCount
        self.followsPitch = followsPitch
        tracker = PitchTracker(sampleRate: sampleRate)
        stepFrames = tracker.scale.stepFrames
        marks = PeriodMarks(scale: tracker.scale)
        chain = GrainChain(stepFrames: stepFrames)
        history = VoiceHistory(channelCount: channelCount, stepFrames: stepFrames)
        sum = Buffer(count: stepFrames + 4, repeating: 0)
        controls = PitchControls(
            semitones: semitones, cents: cents, formantSemitones: formantSemitones,
            stepFrames: stepFrames, sampleRate: sampleRate)
        reset()
    }

    /// The delay of unvoiced sound; a voice is delayed by three quarters of its period.
    var latencyFrames: Int { chain.dry.delayFrames }

    /// The oldest input that the output can contain.
    var tailFrames: Int? { history.memoryFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) { controls.set(parameter, to: value) }

    @_noLocks
    mutating func reset() {
        controls.snap()
        tracker.reset()
        marks.reset()
        chain.reset()
        history.reset()
        sum.fill(with: 0)
        now = 0
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = min(stepFrames - now % stepFrames, frameCount - first)
            listen(block.inputs, first: first, count: count)
            for channel in 0..<channelCount {
                let chunk = GrainChunk(firstFrame: now, count: count, sum: sum.start)
                chain.render(chunk, history: history, channel: channel)
                rt_copy(block.outputs[channel] + first, sum.start, Int64(count))
            }
            first += count
            now += count
            if now % stepFrames == 0 { decide() }
        }
    }

    /// Stores the channels' input, and their mean for the tracker.
    @_noLocks
    private func listen(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, first: Int, count: Int
    ) {
        let mean = tracker.frames + now % stepFrames
        let share = 1 / Float(channelCount)
        for channel in 0..<channelCount {
            history.write(inputs[channel] + first, channel: channel, firstFrame: now, count: count)
            let stored = history.address(channel: channel, frame: now)
            for frame in 0..<count {
                let before = channel == 0 ? 0 : mean[frame]
                // The limit keeps squares from overflowing.
                mean[frame] = before + share * min(max(stored[frame], -10_000), 10_000)
            }
        }
    }

    /// Follows the pitch to the end of the step, and plans the next step.
    @_noLocks
    private mutating func decide() {
        controls.step()
        marks.add(tracker.frames)
        tracker.step()
        if tracker.pitch.isVoiced {
            marks.follow(tracker.pitch, now: Double(now))
        } else {
            marks.lose()
        }
        let target = VoiceTarget(
            ratio: controls.ratio,
            speed: followsPitch ? controls.ratio * controls.formantRatio : controls.formantRatio)
        chain.plan(from: now, isVoiced: tracker.pitch.isVoiced, marks: marks, target: target)
    }
}
