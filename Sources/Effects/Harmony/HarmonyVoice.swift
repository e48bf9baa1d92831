internal import CRealtime
internal import DSP
internal import Realtime

/// One voice of a harmony: its grains, its place in the stereo image, and its small differences
/// from the others.
struct HarmonyVoice: ~Copyable {
    private(set) var chain: GrainChain
    private var delay: VoiceDelay
    private var variation: VoiceVariation
    private var left: Ramp
    private var right: Ramp
    /// The distance from the pitch of the input, in semitones; `nil` while the voice does not sing.
    private var shift: Double?
    private let sampleRate: Double
    private let shiftShare: Double
    private let panLaw = PanLaw(centreDecibels: -3)

    /// The time constant with which a voice moves to its next note, in seconds.
    private static var glideSeconds: Double { 0.012 }
    /// The largest differences from the other voices: in semitones, in dB, and in ms.
    private static var detune: Double { @_noLocks get { 0.2 } }
    private static var swell: Double { @_noLocks get { 2 } }
    static var lateness: Double { @_noLocks get { 25 } }
    /// The largest distance from the input, in semitones.
    private static var farthest: Double { @_noLocks get { 24 } }

    init(index: Int, stepFrames: Int, sampleRate: Double) {
        self.sampleRate = sampleRate
        chain = GrainChain(stepFrames: stepFrames, passesUnvoiced: true)
        let stepSeconds = Double(stepFrames) / sampleRate
        variation = VoiceVariation(voice: index, stepSeconds: stepSeconds)
        shiftShare = min(1, stepSeconds / HarmonyVoice.glideSeconds)
        let fadeFrames = smoothingFrames(sampleRate: sampleRate)
        delay = VoiceDelay(
            maximumFrames: HarmonyVoice.maximumDelayFrames(sampleRate: sampleRate),
            fadeFrames: fadeFrames)
        left = Ramp(0, lengthFrames: fadeFrames)
        right = Ramp(0, lengthFrames: fadeFrames)
    }

    /// Returns the longest delay of a voice, in frames.
    static func maximumDelayFrames(sampleRate: Double) -> Int {
        let milliseconds = Double(HarmonyControls.longestDelay) + 2 * lateness
        return Int(milliseconds / 1000 * sampleRate) + 16
    }

    @_noLocks
    mutating func reset() {
        chain.reset()
        delay.clear()
        variation.reset()
        left.snap()
        right.snap()
        shift = nil
    }

    /// The number of words of `note`.
    static var noteWords: Int { 1 + GrainChain.noteWords + VoiceVariation.noteWords }

    /// Writes the distance, the latest grain and the differences; the delay and the gains follow
    /// them.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(shift ?? .infinity)
        chain.note(to: notes)
        variation.note(to: notes)
    }

    /// Continues with a noted distance.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - keepsGrains: Whether the grains are from the same time.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>, keepsGrains: Bool) {
        let noted = Double(bitPattern: notes.pointee.pop())
        shift = noted >= -256 && noted <= 256 ? noted : nil
        chain.follow(notes, keepsGrains: keepsGrains)
        variation.follow(notes)
    }

    /// Plans the next step.
    ///
    /// - Parameters:
    ///   - index: The number of the voice, from 0.
    ///   - interval: The wanted distance from the pitch of the input, in semitones; `nil` for
    ///     silence.
    ///   - lead: The voice that is followed.
    ///   - pitch: Its pitch as a note.
    ///   - tuning: The relation between notes and periods.
    ///   - controls: The parameters.
    @_noLocks
    mutating func plan(
        _ index: Int, interval: Double?, lead: borrowing VoiceFollower, pitch: Double,
        _ tuning: Tuning, _ controls: borrowing HarmonyControls
    ) {
        let isVoiced = lead.pitch.isVoiced
        variation.step()
        if isVoiced, let interval {
            if shift == nil { variation.begin() }
            let start = shift ?? interval
            shift = start + shiftShare * (interval - start)
        } else if !isVoiced {
            shift = nil
        }
        let amount = controls[.variation]
        let wanted = HarmonyVoice.near(
            (shift ?? 0) + amount * HarmonyVoice.detune * variation.pitch)
        let period = tuning.periodFrames(note: pitch + wanted)
        let formant = rt_exp2(controls[.formant, index] / 12)
        chain.plan(
            from: lead.now, isVoiced: isVoiced, marks: lead.marks,
            target: isVoiced
                ? lead.target(periodFrames: period, speed: formant)
                : VoiceTarget(ratio: 1, speed: formant))
        let late = HarmonyVoice.lateness * amount * variation.phrase
        delay.move(
            to: rt_round((controls[.delay, index] + late) / 1000 * sampleRate))
        setGains(index, controls, isSilent: interval == nil, swell: amount * variation.level)
    }

    /// Moves the gains to the level and the pan position.
    @_noLocks
    private mutating func setGains(
        _ index: Int, _ controls: borrowing HarmonyControls, isSilent: Bool, swell: Double
    ) {
        let level = HarmonyControls.amplitude(controls[.level, index])
        let gain = isSilent ? 0 : level * Decibels(HarmonyVoice.swell * swell).amplitude
        let sides = panLaw.amplitudes(pan: controls[.pan, index])
        let (toLeft, toRight) = (Float(gain * sides.left), Float(gain * sides.right))
        if left.target != toLeft { left.move(to: toLeft) }
        if right.target != toRight { right.move(to: toRight) }
    }

    /// Sets the gains to their targets at once.
    @_noLocks
    mutating func snapGains(_ index: Int, _ controls: borrowing HarmonyControls) {
        setGains(index, controls, isSilent: false, swell: 0)
        left.snap()
        right.snap()
    }

    /// Adds the voice to both channels.
    ///
    /// - Parameters:
    ///   - chunk: The frames, with memory for the voice alone.
    ///   - history: The input.
    ///   - outputs: The first frame of the chunk in each channel.
    @_noLocks
    mutating func add(
        _ chunk: GrainChunk, history: borrowing VoiceHistory,
        to outputs: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
    ) {
        rt_clear(chunk.sum, Int64(chunk.count))
        chain.renderGrains(chunk, history: history, channel: 0)
        for frame in 0..<chunk.count {
            let sample = delay.next(chunk.sum[frame])
            outputs.left[frame] += sample * left.next()
            outputs.right[frame] += sample * right.next()
        }
    }

    /// Returns the same distance within two octaves.
    @_noLocks
    private static func near(_ semitones: Double) -> Double {
        var rest = semitones
        while rest > farthest { rest -= 12 }
        while rest < -farthest { rest += 12 }
        return rest
    }
}
