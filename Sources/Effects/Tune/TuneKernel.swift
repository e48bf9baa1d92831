internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Moves the pitch of one voice to the notes of a scale, or to the notes that are held on a MIDI
/// keyboard.
///
/// The grains of the voice are played at exactly the period of the corrected pitch, so that errors
/// of the measurement are not heard. Sound without a pitch passes unchanged.
struct TuneKernel: Kernel, ~Copyable {
    typealias Parameter = TuneControls.Parameter

    /// Note, deviation and correction, in the order of the description; 0 without a pitch.
    let reports: Buffer<Float>
    private let sampleRate: Double
    private let sum: Buffer<Float>
    /// The notes of the pitch, its note and the latest grain.
    private let notes: Buffer<StateNotes>
    private var voice: VoiceFollower
    private var chain: GrainChain
    private var controls: TuneControls
    private var correction: PitchCorrection
    private var held = HeldNotes()
    /// The held notes in all octaves; empty if none is held.
    private var heldClasses = NoteSet(members: 0)

    init(channelCount: Int, sampleRate: Double, controls: TuneControls) {
        self.sampleRate = sampleRate
        self.controls = controls
        voice = VoiceFollower(channelCount: channelCount, sampleRate: sampleRate)
        chain = GrainChain(stepFrames: voice.stepFrames)
        sum = Buffer(count: voice.stepFrames + 4, repeating: 0)
        correction = PitchCorrection(stepSeconds: Double(voice.stepFrames) / sampleRate)
        reports = Buffer(count: 3, repeating: 0)
        let words =
            VoiceFollower.noteWords + GrainChain.noteWords + correction.noteWords
            + HeldNotes.noteWords
        notes = Buffer(containing: StateNotes(capacity: words))
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    /// The delay of unvoiced sound; a voice is delayed by three quarters of its period.
    var latencyFrames: Int { chain.dry.delayFrames }

    /// The oldest input that the output can contain.
    var tailFrames: Int? { voice.history.memoryFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard let parameter = Parameter(rawValue: parameter) else { return }
        controls.set(parameter, to: value)
    }

    @_noLocks
    mutating func reset() {
        voice.reset()
        chain.reset()
        correction.end()
        held.clear()
        heldClasses = NoteSet(members: 0)
        sum.fill(with: 0)
        reports.fill(with: 0)
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let messages = block.pointee.context?.pointee.messages
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        var message = 0
        while first < frameCount {
            let count = min(voice.restFrames, notes[0].limit(frameCount - first))
            voice.listen(block.inputs, first: first, count: count)
            for channel in 0..<voice.channelCount {
                let chunk = GrainChunk(firstFrame: voice.now, count: count, sum: sum.start)
                chain.render(chunk, history: voice.history, channel: channel)
                rt_copy(block.outputs[channel] + first, sum.start, Int64(count))
            }
            first += count
            while held.receive(messages, from: &message, until: first) {
                heldClasses = held.classes
            }
            voice.advance(count)
            notes[0].advance(count)
            if voice.isAtStep { plan() }
            if notes[0].isDue { continueFromNote() }
        }
    }

    /// Plans the next step.
    @_noLocks
    private mutating func plan() {
        var target = VoiceTarget(ratio: 1, speed: 1)
        if voice.pitch.isVoiced {
            let tuning = Tuning(reference: controls.reference, sampleRate: sampleRate)
            let pitch = tuning.note(periodFrames: voice.periodFrames)
            correction.step(
                pitch, among: heldClasses.isEmpty ? controls.notes : heldClasses, controls)
            if correction.shift != 0 {
                target = voice.target(
                    periodFrames: tuning.periodFrames(note: pitch + correction.shift), speed: 1)
            }
        } else {
            correction.end()
        }
        chain.plan(
            from: voice.now, isVoiced: voice.pitch.isVoiced, marks: voice.marks,
            target: target)
        report()
        if notes[0].isWanted { noteState() }
    }

    /// Notes what depends on more than the latest sound.
    @_noLocks
    private func noteState() {
        let words = notes.start
        words.pointee.begin()
        voice.note(to: words)
        chain.note(to: words)
        correction.note(to: words)
        held.note(to: words)
        words.pointee.end()
    }

    /// Continues from a note of a replay, as after the plan of a step.
    @_noLocks
    private mutating func continueFromNote() {
        let words = notes.start
        words.pointee.beginReading()
        let isHere = voice.follow(words)
        chain.follow(words, keepsGrains: isHere)
        correction.follow(words)
        held.follow(words)
        heldClasses = held.classes
        words.pointee.endReading()
    }

    @_noLocks
    private func report() {
        guard let note = correction.course.note else { return reports.fill(with: 0) }
        reports[0] = Float(note)
        reports[1] = Float(100 * (correction.course.pitch - note))
        reports[2] = Float(100 * correction.shift)
    }
}
