internal import CRealtime
internal import DSP
internal import Realtime

/// Moves the pitch of one voice, its formants apart from it: the voice is cut into grains of two periods at marks that follow
/// its pitch, and these are laid down again at the distance of the new period.
///
/// All channels share the pitch and the marks of their sum. Decisions fall at the ends of steps that are counted from the
/// kernel's own start, and take effect in the step after; what sounds at a frame reads no input beyond it.
struct VoiceShiftKernel: ~Copyable {
    private let channelCount: Int
    private let followsPitch: Bool
    private let stepFrames: Int
    private let history: VoiceHistory
    // SAFETY: the place lives from `init` through `deinit`.
    private let sum: UnsafeMutablePointer<Float>
    private var tracker: PitchTracker
    private var marks: PeriodMarks
    private var chain: GrainChain
    private var controls: PitchControls
    /// Frames taken since the start.
    private var now = 0

    /// A shifter that rests at its parameters, which stand in the order of the description.
    init(
        channelCount: Int, sampleRate: Double, followsPitch: Bool, parameters: (Float, Float, Float)
    ) {
        self.channelCount = channelCount
        self.followsPitch = followsPitch
        tracker = PitchTracker(sampleRate: sampleRate)
        stepFrames = tracker.scale.stepFrames
        marks = PeriodMarks(scale: tracker.scale)
        chain = GrainChain(stepFrames: stepFrames)
        history = VoiceHistory(channelCount: channelCount, stepFrames: stepFrames)
        sum = .allocate(capacity: stepFrames + 4)
        controls = PitchControls(
            semitones: parameters.0, cents: parameters.1, formantSemitones: parameters.2,
            stepFrames: stepFrames, sampleRate: sampleRate)
        reset()
    }

    deinit {
        tracker.deallocate()
        marks.deallocate()
        chain.deallocate()
        history.deallocate()
        sum.deallocate()
    }

    /// How late what is not voiced comes; a voice comes three quarters of its period late.
    var latencyFrames: Int { chain.dry.delayFrames }

    /// How far back what sounds may lie.
    var tailFrames: Int { history.memoryFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) { controls.set(parameter, to: value) }

    @_noLocks
    mutating func reset() {
        controls.snap()
        tracker.reset()
        marks.reset()
        chain.reset()
        history.reset()
        sum.update(repeating: 0, count: stepFrames + 4)
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
                let chunk = GrainChunk(firstFrame: now, count: count, sum: sum)
                chain.sound(in: chunk, history: history, channel: channel)
                rt_copy(block.outputs[channel] + first, sum, Int64(count))
            }
            first += count
            now += count
            if now % stepFrames == 0 { decide() }
        }
    }

    /// Keeps the channels' input, and their mean for the tracker.
    @_noLocks
    private func listen(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, first: Int, count: Int
    ) {
        let mean = tracker.frames + now % stepFrames
        let share = 1 / Float(channelCount)
        for channel in 0..<channelCount {
            history.take(inputs[channel] + first, channel: channel, firstFrame: now, count: count)
            let taken = history.place(channel: channel, frame: now)
            for frame in 0..<count {
                let before = channel == 0 ? 0 : mean[frame]
                // So much that no square overflows.
                mean[frame] = before + share * min(max(taken[frame], -10_000), 10_000)
            }
        }
    }

    /// Follows the pitch to the end of the step and plans the next.
    @_noLocks
    private mutating func decide() {
        controls.step()
        marks.take(tracker.frames)
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
