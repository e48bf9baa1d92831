internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Adds voices to one voice, each at a distance that the key, a fixed interval or a MIDI keyboard
/// determines.
///
/// All voices share the pitch and the marks of the input. The input itself is delayed like sound
/// without a pitch, so that all voices start together.
struct HarmonyKernel: Kernel, ~Copyable {
    typealias Parameter = HarmonyControls.Parameter

    /// The note of the input and its deviation, then the note of each voice; 0 without a pitch.
    let reports: Buffer<Float>
    private let mode: HarmonyMode
    private let sampleRate: Double
    private let voices: Buffer<HarmonyVoice>
    private let sum: Buffer<Float>
    /// The notes of the pitch, its note and the voices.
    private let notes: Buffer<StateNotes>
    private var lead: VoiceFollower
    private var controls: HarmonyControls
    private var course: NoteCourse
    private var held = HeldNotes()
    private var chord: ChordVoices
    private var leadGain: Ramp
    private var unpitchedGain: Ramp

    init(
        voiceCount: Int, mode: HarmonyMode, sampleRate: Double,
        controls: consuming HarmonyControls
    ) {
        self.mode = mode
        self.sampleRate = sampleRate
        lead = VoiceFollower(channelCount: 1, sampleRate: sampleRate)
        let stepFrames = lead.stepFrames
        voices = Buffer(count: voiceCount) { index in
            HarmonyVoice(index: index, stepFrames: stepFrames, sampleRate: sampleRate)
        }
        sum = Buffer(count: stepFrames + 4, repeating: 0)
        course = NoteCourse(stepSeconds: Double(stepFrames) / sampleRate)
        chord = ChordVoices(voiceCount: voiceCount)
        reports = Buffer(count: 2 + HarmonyControls.voiceLimit, repeating: 0)
        let fadeFrames = smoothingFrames(sampleRate: sampleRate)
        leadGain = Ramp(0, lengthFrames: fadeFrames)
        unpitchedGain = Ramp(0, lengthFrames: fadeFrames)
        self.controls = controls
        let words =
            VoiceFollower.noteWords + course.noteWords + HeldNotes.noteWords
            + ChordVoices.noteWords + voiceCount * HarmonyVoice.noteWords
        notes = Buffer(containing: StateNotes(capacity: words))
        settle()
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    /// The delay of the input and of the voices' unpitched sound.
    var latencyFrames: Int { voices[0].chain.dry.delayFrames }

    /// The oldest input that the output can contain.
    var tailFrames: Int? {
        lead.history.memoryFrames + HarmonyVoice.maximumDelayFrames(sampleRate: sampleRate)
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        controls.set(parameter, to: value)
        setGains()
    }

    @_noLocks
    mutating func reset() {
        lead.reset()
        course.end()
        held.clear()
        chord.clear()
        reports.fill(with: 0)
        for index in 0..<voices.count { voices[index].reset() }
        settle()
    }

    /// Sets every gain to its value at once.
    @_noLocks
    private mutating func settle() {
        setGains()
        leadGain.snap()
        unpitchedGain.snap()
        guard mode != .midi else { return }
        for index in 0..<voices.count { voices[index].snapGains(index, controls) }
    }

    @_noLocks
    private mutating func setGains() {
        let level = Float(HarmonyControls.amplitude(controls[.lead]))
        let unpitched = Float(HarmonyControls.amplitude(controls[.unpitched]))
        if leadGain.target != level { leadGain.move(to: level) }
        if unpitchedGain.target != unpitched { unpitchedGain.move(to: unpitched) }
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let messages = block.pointee.context?.pointee.messages
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        var message = 0
        while first < frameCount {
            let count = min(lead.restFrames, notes[0].limit(frameCount - first))
            lead.listen(block.inputs, first: first, count: count)
            let outputs = (left: block.outputs[0] + first, right: block.outputs[1] + first)
            render(GrainChunk(firstFrame: lead.now, count: count, sum: sum.start), to: outputs)
            first += count
            while held.receive(messages, from: &message, until: first) {
                chord.follow(held, mayCross: controls[.crossing] > 0.5)
            }
            lead.advance(count)
            notes[0].advance(count)
            if lead.isAtStep { plan() }
            if notes[0].isDue { continueFromNote() }
        }
    }

    /// Writes the input and the unpitched sound to both channels, and adds the voices.
    @_noLocks
    private mutating func render(
        _ chunk: GrainChunk,
        to outputs: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
    ) {
        voices[0].chain.renderUnpitched(chunk, history: lead.history, channel: 0)
        let input = lead.history.address(
            channel: 0, frame: chunk.firstFrame - voices[0].chain.dry.delayFrames)
        for frame in 0..<chunk.count {
            outputs.left[frame] =
                input[frame] * leadGain.next() + chunk.sum[frame] * unpitchedGain.next()
        }
        rt_copy(outputs.right, outputs.left, Int64(chunk.count))
        for index in 0..<voices.count {
            voices[index].add(chunk, history: lead.history, to: outputs)
        }
    }

    /// Plans the next step of all voices.
    @_noLocks
    private mutating func plan() {
        let tuning = Tuning(reference: controls[.reference], sampleRate: sampleRate)
        var pitch = 0.0
        if lead.pitch.isVoiced {
            pitch = tuning.note(periodFrames: lead.periodFrames)
            course.step(pitch, among: mode == .key ? controls.notes : .all)
        } else {
            course.end()
        }
        for index in 0..<voices.count {
            let interval = interval(ofVoice: index, pitch: pitch)
            voices[index].plan(
                index, interval: interval, lead: lead, pitch: pitch, tuning, controls)
            report(index, interval)
        }
        reports[0] = Float(course.note ?? 0)
        reports[1] = Float(course.note.map { 100 * (pitch - $0) } ?? 0)
        if notes[0].isWanted { noteState() }
    }

    /// Notes what depends on more than the latest sound.
    @_noLocks
    private func noteState() {
        let words = notes.start
        words.pointee.begin()
        lead.note(to: words)
        course.note(to: words)
        held.note(to: words)
        chord.note(to: words)
        for index in 0..<voices.count { voices[index].note(to: words) }
        words.pointee.end()
    }

    /// Continues from a note of a replay, as after the plan of a step.
    @_noLocks
    private mutating func continueFromNote() {
        let words = notes.start
        words.pointee.beginReading()
        let isHere = lead.follow(words)
        course.follow(words)
        held.follow(words)
        chord.follow(words)
        for index in 0..<voices.count { voices[index].follow(words, keepsGrains: isHere) }
        words.pointee.endReading()
    }

    /// Returns the distance of a voice from the pitch of the input, in semitones; `nil` if it has
    /// no note.
    @_noLocks
    private func interval(ofVoice index: Int, pitch: Double) -> Double? {
        if mode == .midi && chord.note(ofVoice: index) == nil { return nil }
        guard let note = course.note else { return 0 }
        let deviation = controls[.tune] * (pitch - note)
        switch mode {
        case .key:
            let steps = Int(controls[.interval, index] + 0.5) - Parameter.unison
            return Double(controls.notes.member(steps, from: Int(note))) - note - deviation
        case .interval:
            return controls[.semitones, index] - deviation
        case .midi:
            return chord.note(ofVoice: index).map { Double($0) - note - deviation }
        }
    }

    @_noLocks
    private func report(_ index: Int, _ interval: Double?) {
        guard let note = course.note, let interval else {
            reports[2 + index] = 0
            return
        }
        reports[2 + index] = Float(rt_round(note + interval))
    }
}
