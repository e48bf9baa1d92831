internal import CRealtime

/// What is known of a voice's pitch at the end of a step.
public struct VoicePitch: BitwiseCopyable {
    /// In frames.
    public internal(set) var periodFrames: Double
    /// How alike the latest period and the one before are, 0 through 1.
    public internal(set) var clarity: Double = 0
    /// Whether there is a pitch.
    public internal(set) var isVoiced = false
}

/// Follows the pitch of one voice, from 59 to 1090 Hz, step by step and with no look ahead.
///
/// The normalised square difference of the decimated signal has a peak at the period and at its multiples; over a window that
/// is long enough to tell them apart, the likeliest path through the peaks is followed. The period itself is then read from a
/// window that is hardly longer than itself.
public struct PitchTracker: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    private let likeness: UnsafeMutablePointer<Float>
    private let samples: UnsafeMutablePointer<Float>
    /// The energies of the latest steps above 3 kHz, newest at `energyPlace`.
    private let highEnergies: UnsafeMutablePointer<Float>
    private let decimator: Decimator
    private var rumbleFilter: RumbleFilter
    var products: LagProducts
    private var paths: PitchPaths
    /// The units that it works in.
    public let scale: TrackerScale
    /// What is known now.
    public internal(set) var pitch: VoicePitch
    private var energyPlace = 0
    private var patience = 0
    var jumpPatience = 0

    /// A tracker at a rate in frames a second.
    public init(sampleRate: Double) {
        scale = TrackerScale(sampleRate: sampleRate)
        decimator = Decimator(scale: scale, sampleRate: sampleRate)
        rumbleFilter = RumbleFilter(hertz: 60, samplesPerSecond: scale.samplesPerSecond)
        products = LagProducts(
            lagCount: scale.longestLag + 3,
            windowSteps: max(PitchTracker.levelSteps, scale.steps(seconds: 0.024)))
        paths = PitchPaths(scale: scale)
        likeness = .allocate(capacity: products.lagCount)
        likeness.initialize(repeating: 0, count: products.lagCount)
        samples = .allocate(capacity: TrackerScale.stepSamples)
        samples.initialize(repeating: 0, count: TrackerScale.stepSamples)
        highEnergies = .allocate(capacity: PitchTracker.levelSteps)
        pitch = VoicePitch(periodFrames: 0)
        reset()
    }

    /// Frees its memory.
    public func deallocate() {
        likeness.deallocate()
        samples.deallocate()
        highEnergies.deallocate()
        decimator.deallocate()
        products.deallocate()
        paths.deallocate()
    }

    /// Forgets all it heard.
    @_noLocks
    public mutating func reset() {
        decimator.reset()
        rumbleFilter.reset()
        products.reset()
        paths.reset()
        highEnergies.update(repeating: 0, count: PitchTracker.levelSteps)
        pitch = VoicePitch(periodFrames: 100 * Double(scale.factor))
        energyPlace = 0
        patience = 0
        jumpPatience = 0
    }

    /// Where the frames of the next step go, finite and at most 10,000; the one before them is the last of the step before.
    public var frames: UnsafeMutablePointer<Float> { @_noLocks get { decimator.frames } }

    /// Listens to the step's frames, and then makes room for the next.
    @_noLocks
    public mutating func step() {
        decimator.take(into: samples)
        takeHighEnergy()
        rumbleFilter.process(samples)
        products.take(samples)
        products.writeLikeness(to: likeness)
        let lag = paths.step(likeness)
        pitch.clarity = 0
        if lag > 0 { refine(lag: lag) }
        decide(lag: lag)
        decimator.advance()
    }
}

// Whether there is a pitch.
extension PitchTracker {
    /// Steps over which levels are compared.
    private static var levelSteps: Int { @_noLocks get { 5 } }
    /// The clarity at which a voice starts, at which it does without patience, and at which it ends.
    static var clarityOn: Double { @_noLocks get { 0.70 } }
    private static var claritySure: Double { @_noLocks get { 0.85 } }
    static var clarityOff: Double { @_noLocks get { 0.45 } }
    /// Above this pitch a voice starts only where the long window is as clear: the short one takes a whisper's formants for tones.
    private static var highHertz: Double { @_noLocks get { 200 } }
    /// Steps in a row that are needed to start, to end for lack of clarity, to end for hiss, and to leap.
    private static var patienceOn: Int { @_noLocks get { 2 } }
    private static var patienceOff: Int { @_noLocks get { 12 } }
    private static var patienceHiss: Int { @_noLocks get { 3 } }
    static var patienceJump: Int { @_noLocks get { 4 } }
    /// The level below which nothing is voiced, as an amplitude.
    private static var quiet: Float { @_noLocks get { 1e-4 } }
    /// The least shares of the energy below 3 kHz for a voice to start and to go on.
    private static var toneOn: Float { @_noLocks get { 0.3 } }
    private static var toneOff: Float { @_noLocks get { 0.2 } }

    /// What the step's frames have of energy beyond its samples.
    @_noLocks
    private mutating func takeHighEnergy() {
        let frames = UnsafeRawPointer(decimator.frames)
        var squares = SIMD4<Float>.zero
        for offset in stride(from: 0, to: 4 * scale.stepFrames, by: 16) {
            let four = frames.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            squares += four * four
        }
        var low: Float = 0
        for sample in 0..<TrackerScale.stepSamples { low += samples[sample] * samples[sample] }
        energyPlace = energyPlace + 1 == PitchTracker.levelSteps ? 0 : energyPlace + 1
        highEnergies[energyPlace] = squares.sum() / Float(scale.factor) - low
    }

    /// Hysteresis in level and in time.
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
        let isClear =
            pitch.isVoiced ? pitch.clarity > PitchTracker.clarityOff : isClearEnough(lag: lag)
        let wish = isLoud && isClear && isTone
        patience = wish == pitch.isVoiced ? 0 : patience + 1
        if patience >= neededPatience(isTone: isTone) {
            pitch.isVoiced = wish
            patience = 0
            jumpPatience = 0
        }
    }

    @_noLocks
    private func neededPatience(isTone: Bool) -> Int {
        if pitch.isVoiced {
            return isTone ? PitchTracker.patienceOff : PitchTracker.patienceHiss
        }
        return pitch.clarity > PitchTracker.claritySure ? 1 : PitchTracker.patienceOn
    }

    /// Whether a voice may start: clear over a short window, and a high one over the long window as well.
    @_noLocks
    private func isClearEnough(lag: Float) -> Bool {
        guard pitch.clarity > PitchTracker.clarityOn else { return false }
        guard Double(lag) * PitchTracker.highHertz < scale.samplesPerSecond else { return true }
        let place = Int(lag + 0.5)
        let height = max(likeness[place], max(likeness[place - 1], likeness[place + 1]))
        return Double(height) > PitchTracker.clarityOn
    }
}
