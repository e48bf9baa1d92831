internal import CRealtime
public import Realtime

/// The pitch of a voice at the end of a step.
public struct VoicePitch: BitwiseCopyable {
    /// The period in frames.
    public internal(set) var periodFrames: Double
    /// The similarity of the latest period and the one before it, from 0 to 1.
    public internal(set) var clarity: Double = 0
    /// Whether the voice has a pitch.
    public internal(set) var isVoiced = false
    /// The mean age of the sound from which the period was measured, in frames.
    public internal(set) var ageFrames = 0.0
}

/// A tracker of one voice's pitch, from 40 to 1090 Hz, step by step and without look-ahead.
///
/// The likeness of the decimated signal to itself has a peak at the period and at its multiples. A
/// voice starts at the best peak as soon as it is clear: after hardly more than two periods. While
/// little of the voice is known, a better peak replaces the first one immediately. Later the tracker
/// follows the likeliest path through the peaks. It measures the period itself over a window hardly
/// longer than the period.
public struct PitchTracker: ~Copyable {
    private let likeness: Buffer<Float>
    private let samples: Buffer<Float>
    /// The energies of the latest steps above 3 kHz, the newest at `energyIndex`.
    private let highEnergies: Buffer<Float>
    private let decimator: Decimator
    private var rumbleFilter: RumbleFilter
    var products: LagProducts
    private var paths: PitchPaths
    /// The units of the tracker.
    public let scale: TrackerScale
    /// The current pitch.
    public internal(set) var pitch: VoicePitch
    private var energyIndex = 0
    private var patience = 0
    private var jumpPatience = 0
    /// The number of steps since the voice started.
    private var voicedSteps = 0
    /// The lag at which a voice may start, in samples, and the likeness there.
    private var startLag: Float = 0
    private var startLikeness: Float = 0

    /// Creates a tracker for a sample rate in frames per second.
    public init(sampleRate: Double) {
        scale = TrackerScale(sampleRate: sampleRate)
        decimator = Decimator(scale: scale, sampleRate: sampleRate)
        rumbleFilter = RumbleFilter(hertz: 60, samplesPerSecond: scale.samplesPerSecond)
        products = LagProducts(
            lagCount: scale.longestLag + 3,
            windowSteps: max(PitchTracker.levelSteps, scale.steps(seconds: 0.024)))
        paths = PitchPaths(scale: scale)
        likeness = Buffer(count: products.lagCount, repeating: 0)
        samples = Buffer(count: TrackerScale.stepSamples, repeating: 0)
        highEnergies = Buffer(count: PitchTracker.levelSteps, repeating: 0)
        pitch = VoicePitch(periodFrames: 0)
        reset()
    }

    /// Clears all state.
    @_noLocks
    public mutating func reset() {
        decimator.reset()
        rumbleFilter.reset()
        products.reset()
        paths.reset()
        highEnergies.fill(with: 0)
        pitch = VoicePitch(periodFrames: 100 * Double(scale.factor))
        energyIndex = 0
        patience = 0
        jumpPatience = 0
        voicedSteps = 0
        startLag = 0
        startLikeness = 0
    }

    /// The number of words of `note`.
    public static var noteWords: Int { 10 + PitchPaths.noteWords }

    /// Writes the pitch, and what has led to it; between two steps.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(pitch.periodFrames)
        notes.pointee.put(pitch.clarity)
        notes.pointee.put(pitch.ageFrames)
        notes.pointee.put(pitch.isVoiced ? 1 : 0)
        notes.pointee.put(energyIndex)
        notes.pointee.put(patience)
        notes.pointee.put(jumpPatience)
        notes.pointee.put(voicedSteps)
        notes.pointee.put(startLag, startLikeness)
        products.note(to: notes)
        paths.note(to: notes)
    }

    /// Continues with a noted pitch; between two steps.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let longest = Double((scale.longestLag + 4) * scale.factor)
        pitch.periodFrames = max(1, notes.pointee.popNumber(within: longest))
        pitch.clarity = notes.pointee.popNumber(within: 1)
        pitch.ageFrames = notes.pointee.popNumber(within: 1e6)
        pitch.isVoiced = notes.pointee.pop(from: 0, through: 1) == 1
        energyIndex = notes.pointee.pop(from: 0, through: PitchTracker.levelSteps - 1)
        patience = notes.pointee.pop(from: 0, through: 1 << 20)
        jumpPatience = notes.pointee.pop(from: 0, through: 1 << 20)
        voicedSteps = notes.pointee.pop(from: 0, through: 1 << 50)
        (startLag, startLikeness) = notes.pointee.popNumbers(within: 1e5)
        products.follow(notes)
        paths.follow(notes)
    }

    /// The frames of the next step, which the caller writes here: finite and at most 10,000.
    ///
    /// The frame before them is the last of the previous step.
    public var frames: UnsafeMutablePointer<Float> { @_noLocks get { decimator.frames } }

    /// Processes the frames of the step, then makes room for the next step.
    @_noLocks
    public mutating func step() {
        let (samples, likeness) = (samples.start, likeness.start)
        decimator.write(into: samples)
        measureHighEnergy()
        rumbleFilter.process(samples)
        products.add(samples)
        products.writeLikeness(to: likeness)
        let lag = pitch.isVoiced ? paths.step(likeness, trust: trust) : paths.restart(likeness)
        pitch.clarity = 0
        if lag > 0 { refine(lag: lag) }
        decide(lag: lag)
        decimator.advance()
    }
}

// The decision whether there is a pitch.
extension PitchTracker {
    /// Whether so little of the voice is known that its period may still turn out to be another.
    private var isEarly: Bool { @_noLocks get { voicedSteps < 24 } }
    /// The maximum score of the path so far.
    private var trust: Float { @_noLocks get { isEarly ? 0.3 : 1000 } }
    /// The number of steps over which levels are compared.
    private static var levelSteps: Int { @_noLocks get { 5 } }
    /// The likeness at which a voice starts, and the likeness at which it starts immediately.
    private static var likenessOn: Float { @_noLocks get { 0.76 } }
    private static var likenessSure: Float { @_noLocks get { 0.88 } }
    /// The same for high voices: a formant of a whisper, or of the first pulse of a low voice,
    /// rings like a high tone.
    private static var highLikenessOn: Float { @_noLocks get { 0.85 } }
    private static var highLikenessSure: Float { @_noLocks get { 0.93 } }
    private static var highHertz: Double { @_noLocks get { 250 } }
    /// The pitch below which a voice must have harmonics, and the similarity to the next sample from
    /// which it has none: that of a tone of 170 Hz.
    private static var lowHertz: Double { @_noLocks get { 60 } }
    private static var dullness: Float { @_noLocks get { 0.996 } }
    /// The clarity at which another period is credible, and the clarity at which a voice ends.
    static var clarityOn: Double { @_noLocks get { 0.70 } }
    static var clarityOff: Double { @_noLocks get { 0.45 } }
    /// The clarity at which a step counts twice when a period far from the old one must persist.
    private static var clarityLeap: Double { @_noLocks get { 0.85 } }
    /// The ratio of two consecutive lags from which they do not agree.
    private static var agreement: Float { @_noLocks get { 1.08 } }
    /// Consecutive steps needed to start, to end for lack of clarity, to end for hiss, and to jump.
    private static var patienceOn: Int { @_noLocks get { 2 } }
    private static var patienceOff: Int { @_noLocks get { 12 } }
    private static var patienceHiss: Int { @_noLocks get { 3 } }
    /// The same to end soon after the start, if a voice does not confirm its first periods.
    private static var earlyClarityOff: Double { @_noLocks get { 0.6 } }
    private static var earlyPatienceOff: Int { @_noLocks get { 5 } }
    static var patienceJump: Int { @_noLocks get { 4 } }
    /// The level below which nothing is voiced, as an amplitude.
    private static var quiet: Float { @_noLocks get { 1e-4 } }
    /// The minimum shares of the energy below 3 kHz for a voice to start and to continue.
    private static var toneOn: Float { @_noLocks get { 0.3 } }
    private static var toneOff: Float { @_noLocks get { 0.2 } }

    /// Stores the energy of the step's frames that the decimated samples lack.
    @_noLocks
    private mutating func measureHighEnergy() {
        let frames = UnsafeRawPointer(decimator.frames)
        var squares = SIMD4<Float>.zero
        for offset in stride(from: 0, to: 4 * scale.stepFrames, by: 16) {
            let four = frames.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            squares += four * four
        }
        var low: Float = 0
        for sample in 0..<TrackerScale.stepSamples { low += samples[sample] * samples[sample] }
        energyIndex = energyIndex + 1 == PitchTracker.levelSteps ? 0 : energyIndex + 1
        highEnergies[energyIndex] = squares.sum() / Float(scale.factor) - low
    }

    /// Decides whether there is a pitch, with hysteresis in level and in time.
    @_noLocks
    private mutating func decide(lag: Float) {
        let steps = PitchTracker.levelSteps
        let low = products.energy(lag: 0, steps: steps)
        var high: Float = 0
        for step in 0..<steps { high += highEnergies[step] }
        let full = low + max(0, high)
        let length = Float(steps * TrackerScale.stepSamples)
        let isLoud = full > PitchTracker.quiet * PitchTracker.quiet * length
        let isTone = low > (pitch.isVoiced ? PitchTracker.toneOff : PitchTracker.toneOn) * full
        let clarityOff = isEarly ? PitchTracker.earlyClarityOff : PitchTracker.clarityOff
        let isClear = pitch.isVoiced ? pitch.clarity > clarityOff : mayStart(lag: lag)
        let isDrum = isLow(lag) && isDull
        let wish = isLoud && isClear && isTone && !isDrum
        patience = wish == pitch.isVoiced ? 0 : patience + 1
        if patience >= neededPatience(isTone: isTone) {
            pitch.isVoiced = wish
            patience = 0
            jumpPatience = 0
        }
        voicedSteps = pitch.isVoiced ? voicedSteps + 1 : 0
    }

    @_noLocks
    private func neededPatience(isTone: Bool) -> Int {
        if pitch.isVoiced {
            guard isTone else { return PitchTracker.patienceHiss }
            return isEarly ? PitchTracker.earlyPatienceOff : PitchTracker.patienceOff
        }
        let sure = isHigh(startLag) ? PitchTracker.highLikenessSure : PitchTracker.likenessSure
        return startLikeness > sure ? 1 : PitchTracker.patienceOn
    }

    @_noLocks
    private func isHigh(_ lag: Float) -> Bool {
        Double(lag) * PitchTracker.highHertz < scale.samplesPerSecond
    }

    /// Returns whether a voice with this lag must have harmonics.
    @_noLocks
    private func isLow(_ lag: Float) -> Bool {
        Double(lag) * PitchTracker.lowHertz > scale.samplesPerSecond
    }

    /// Whether the sound has hardly any harmonics: a bass drum, and not the voice of its pitch.
    private var isDull: Bool {
        @_noLocks get {
            let sums = products.correlation(lag: 0, steps: products.steps(lag: scale.longestLag))
            return sums[1] > PitchTracker.dullness * sums[0]
        }
    }

    /// Returns whether a voice may start with this lag.
    @_noLocks
    private mutating func mayStart(lag: Float) -> Bool {
        guard lag > 0 else { return false }
        // Consecutive steps must agree about the lag.
        let agreed = PitchTracker.agreement
        if lag > agreed * startLag || startLag > agreed * lag { patience = 0 }
        startLag = lag
        let index = Int(lag + 0.5)
        startLikeness = max(likeness[index], max(likeness[index - 1], likeness[index + 1]))
        guard isHigh(lag) else { return startLikeness > PitchTracker.likenessOn }
        return startLikeness > PitchTracker.highLikenessOn && products.isFilled(lag: index)
    }

    /// Measures the period near a lag, over a window slightly longer than the lag.
    @_noLocks
    private mutating func refine(lag: Float) {
        let steps = Int(1.25 * lag / Float(TrackerScale.stepSamples)) + 1
        // At the start of a voice, the sound before it must not count.
        let known = products.steps(lag: Int(lag)) + voicedSteps
        let window = min(min(max(steps, 5), known), products.windowSteps)
        var period = lag
        var times: Float = 1
        // For high voices, the peak several periods away gives a finer measurement.
        while times == 1 || times * lag <= 90 {
            let peak = products.peak(near: times * period, steps: window)
            if times == 1 {
                pitch.clarity = Double(min(max(peak.height, 0), 1))
            } else if peak.height < 0.8 * Float(pitch.clarity) {
                break
            }
            period = peak.lag / times
            times *= 2
        }
        // The newest frames were compared with those some periods earlier.
        let reach = Double(window * TrackerScale.stepSamples) + Double(0.5 * times * period)
        pitch.ageFrames = 0.5 * reach * Double(scale.factor)
        follow(periodFrames: Double(period) * Double(scale.factor))
    }

    /// The relative change of the period up to which it is smoothed.
    private static var nearChange: Double { @_noLocks get { 0.07 } }
    /// The shares of a change that a step applies: of small changes, which are mostly noise, and at
    /// most, in glides; and the gain between them.
    private static var steadyShare: Double { @_noLocks get { 0.4 } }
    private static var glideShare: Double { @_noLocks get { 0.8 } }
    private static var glideGain: Double { @_noLocks get { 50 } }

    /// Applies a new period, smoothed if it is close to the old one.
    ///
    /// While a voice lasts, an unclear period is ignored. A period far from the old one is accepted
    /// only if it is clear and persists.
    @_noLocks
    private mutating func follow(periodFrames fresh: Double) {
        let ratio = fresh / pitch.periodFrames
        let isFar = ratio < 0.841 || ratio > 1.189
        guard pitch.isVoiced else {
            pitch.periodFrames = fresh
            return
        }
        guard pitch.clarity > PitchTracker.clarityOff else { return }
        // A leap of a singer is clearer than the irregular end of a spoken syllable.
        let weight = pitch.clarity > PitchTracker.clarityLeap ? 2 : 1
        if isFar && jumpPatience < (isEarly ? 0 : PitchTracker.patienceJump) {
            jumpPatience = pitch.clarity > PitchTracker.clarityOn ? jumpPatience + weight : 0
            return
        }
        jumpPatience = 0
        let change = abs(ratio - 1)
        let share = PitchTracker.steadyShare + PitchTracker.glideGain * max(0, change - 0.002)
        pitch.periodFrames +=
            change > PitchTracker.nearChange
            ? fresh - pitch.periodFrames
            : min(share, PitchTracker.glideShare) * (fresh - pitch.periodFrames)
    }
}
