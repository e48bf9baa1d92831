internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Moves the pitch and the formants of one voice independently: it cuts the voice into grains of
/// two periods at marks that follow the pitch, and plays the grains at the distance of the new
/// period.
///
/// Decisions are made at the ends of steps and take effect in the following step. An output frame
/// never depends on later input frames.
struct VoiceShiftKernel: Kernel, ~Copyable {
    typealias Parameter = PitchControls.Parameter

    private let followsPitch: Bool
    private let sum: Buffer<Float>
    /// The notes of the pitch and the latest grain.
    private let notes: Buffer<StateNotes>
    private var voice: VoiceFollower
    private var chain: GrainChain
    private var controls: PitchControls

    /// Creates a shifter that rests at its parameters.
    init(
        channelCount: Int, sampleRate: Double, followsPitch: Bool, semitones: Float, cents: Float,
        formantSemitones: Float
    ) {
        self.followsPitch = followsPitch
        voice = VoiceFollower(channelCount: channelCount, sampleRate: sampleRate)
        chain = GrainChain(stepFrames: voice.stepFrames)
        sum = Buffer(count: voice.stepFrames + 4, repeating: 0)
        controls = PitchControls(
            semitones: semitones, cents: cents, formantSemitones: formantSemitones,
            stepFrames: voice.stepFrames, sampleRate: sampleRate)
        notes = Buffer(
            containing: StateNotes(capacity: VoiceFollower.noteWords + GrainChain.noteWords))
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    /// The delay of unvoiced sound; a voice is delayed by three quarters of its period.
    var latencyFrames: Int { chain.dry.delayFrames }

    /// The oldest input that the output can contain.
    var tailFrames: Int? { voice.history.memoryFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) { controls.set(parameter, to: value) }

    @_noLocks
    mutating func reset() {
        controls.snap()
        voice.reset()
        chain.reset()
        sum.fill(with: 0)
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = min(voice.restFrames, notes[0].limit(frameCount - first))
            voice.listen(block.inputs, first: first, count: count)
            for channel in 0..<voice.channelCount {
                let chunk = GrainChunk(firstFrame: voice.now, count: count, sum: sum.start)
                chain.render(chunk, history: voice.history, channel: channel)
                rt_copy(block.outputs[channel] + first, sum.start, Int64(count))
            }
            first += count
            voice.advance(count)
            notes[0].advance(count)
            if voice.isAtStep { plan() }
            if notes[0].isDue { continueFromNote() }
        }
    }

    /// Plans the next step.
    @_noLocks
    private mutating func plan() {
        controls.step()
        let target = VoiceTarget(
            ratio: controls.ratio,
            speed: followsPitch ? controls.ratio * controls.formantRatio : controls.formantRatio)
        chain.plan(
            from: voice.now, isVoiced: voice.pitch.isVoiced, marks: voice.marks, target: target)
        if notes[0].isWanted { noteState() }
    }

    /// Notes what depends on more than the latest sound.
    @_noLocks
    private func noteState() {
        let words = notes.start
        words.pointee.begin()
        voice.note(to: words)
        chain.note(to: words)
        words.pointee.end()
    }

    /// Continues from a note of a replay, as after the plan of a step.
    @_noLocks
    private mutating func continueFromNote() {
        let words = notes.start
        words.pointee.beginReading()
        let isHere = voice.follow(words)
        chain.follow(words, keepsGrains: isHere)
        words.pointee.endReading()
    }
}
