internal import CRealtime
internal import DSP
internal import Realtime

/// One notch: its frequency and depth, and the glides to these values.
///
/// The poles do not depend on the depth: the output is the input plus a share of the band around
/// the centre. A change of the depth moves this share alone, so it cannot click.
struct GuardNotch: BitwiseCopyable {
    /// The opinion on the sound at the notch.
    enum State {
        /// The notch is not in use; an earlier one may still fade away.
        case free
        /// The sound is a howl if the notch makes it fall.
        case trial
        /// The sound was a howl.
        case settled
        /// There was no howl for a long time, so the notch becomes shallower.
        case releasing
    }

    var state = State.free
    /// The binary logarithm of the centre frequency in Hz.
    var octave = 0.0
    /// The width in octaves.
    var width = 0.1
    /// The depth in dB.
    var depth = 0.0
    /// The largest depth that the notch has had.
    var deepest = 0.0
    /// The spectra since the latest change of the notch.
    var hopsSinceChange = 0
    /// The spectra since the latest howl.
    var idleHops = 0
    /// How often the howl came back.
    var returns = 0
    /// Whether the notch is neither moved nor released.
    var isLocked = false
    /// The level of the howl when the notch was made or became deeper, in dB.
    var reference: Float = 0
    /// The slope with which the howl was found, in dB per spectrum.
    var slope: Float = 0
    /// The levels in the latest spectra in dB, newest first: levels 0, 3 and 8 are used.
    var levels = NotchLevels()

    /// The gain at the centre, which glides to the depth.
    private(set) var gain = 1.0
    private(set) var target = 1.0
    private var glidingOctave = 0.0
    private var glidingWidth = 0.0
    private(set) var coefficients = SectionCoefficients(
        g: 1, damping: 1, input: 0, band: 0, low: 0)

    /// The width between the points that are 3 dB down, relative to `width`, if the notch is deep.
    ///
    /// At the ends of `width` a deep notch attenuates by 6 dB.
    private static var skirt: Double { @_noLocks get { 1.7 } }
    /// The share of a glide's rest in each step.
    private static var glide: Double { @_noLocks get { 0.2 } }

    /// The centre frequency in Hz.
    var hertz: Double { @_noLocks get { rt_exp2(octave) } }
    var low: Double { @_noLocks get { octave - 0.5 * width } }
    var high: Double { @_noLocks get { octave + 0.5 * width } }
    /// Whether the notch changes nothing.
    var isResting: Bool { @_noLocks get { gain == 1 && target == 1 } }

    /// Begins a notch at a frequency, with the depth 0.
    @_noLocks
    mutating func begin(octave: Double, width: Double) {
        let (gain, coefficients) = (gain, coefficients)
        let (oldOctave, oldWidth) = (glidingOctave, glidingWidth)
        let wasResting = isResting
        self = GuardNotch()
        self.octave = octave
        self.width = width
        self.gain = gain
        self.coefficients = coefficients
        glidingOctave = wasResting ? octave : oldOctave
        glidingWidth = wasResting ? width : oldWidth
        state = .trial
    }

    /// Sets the depth in dB, which starts the time in which its effect is observed.
    @_noLocks
    mutating func setDepth(_ decibels: Double) {
        depth = decibels
        deepest = max(deepest, decibels)
        hopsSinceChange = 0
    }

    /// Ends the notch, which fades away.
    @_noLocks
    mutating func free() {
        state = .free
        depth = 0
        isLocked = false
    }

    /// Lets the notch cover another range too, and have at least its depth.
    @_noLocks
    mutating func cover(low other: Double, _ otherHigh: Double, depth otherDepth: Double) {
        let (low, high) = (min(low, other), max(high, otherHigh))
        octave = 0.5 * (low + high)
        width = high - low
        setDepth(max(depth, otherDepth))
    }

    /// Calculates the coefficients for the next step.
    ///
    /// A gain that is close to its target arrives.
    @_noLocks
    mutating func prepareStep(sampleRate: Double) {
        if target - gain < 1e-6 && gain - target < 1e-6 { gain = target }
        target = depth > 0 ? rt_exp2(-0.16609640474436813 * depth) : 1
        guard !isResting else {
            (glidingOctave, glidingWidth) = (octave, width)
            return
        }
        glidingOctave += GuardNotch.glide * (octave - glidingOctave)
        glidingWidth += GuardNotch.glide * (width - glidingWidth)
        calculateCoefficients(sampleRate: sampleRate)
    }

    @_noLocks
    private mutating func calculateCoefficients(sampleRate: Double) {
        let half = 0.5 * glidingWidth
        let damping = GuardNotch.skirt * (rt_exp2(half) - rt_exp2(-half))
        let share = min(rt_exp2(glidingOctave) / sampleRate, 0.49)
        coefficients = SectionCoefficients(
            g: rt_tan(Double.pi * share), damping: damping, input: 0, band: damping, low: 0)
    }

    /// The number of words of `note`.
    static var noteWords: Int { 18 }

    /// Writes the notch; between two steps.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(state.number + (isLocked ? 4 : 0))
        notes.pointee.put(octave)
        notes.pointee.put(width)
        notes.pointee.put(depth)
        notes.pointee.put(deepest)
        notes.pointee.put(hopsSinceChange)
        notes.pointee.put(idleHops)
        notes.pointee.put(returns)
        notes.pointee.put(reference, slope)
        levels.note(to: notes)
        notes.pointee.put(gain)
        notes.pointee.put(target)
        notes.pointee.put(glidingOctave)
        notes.pointee.put(glidingWidth)
    }

    /// Continues as a noted notch; between two steps.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>, sampleRate: Double) {
        let word = notes.pointee.pop(from: 0, through: 7)
        state = State(number: word & 3)
        isLocked = word & 4 != 0
        octave = notes.pointee.popNumber(within: 20)
        width = GuardNotch.valid(width: notes.pointee.popNumber(within: 1))
        depth = notes.pointee.popNumber(within: 1000)
        deepest = notes.pointee.popNumber(within: 1000)
        hopsSinceChange = notes.pointee.pop(from: 0, through: 1 << 50)
        idleHops = notes.pointee.pop(from: 0, through: 1 << 50)
        returns = notes.pointee.pop(from: 0, through: 1 << 50)
        (reference, slope) = notes.pointee.popNumbers(within: 1e6)
        levels.follow(notes)
        gain = notes.pointee.popNumber(within: 1)
        target = notes.pointee.popNumber(within: 1)
        glidingOctave = notes.pointee.popNumber(within: 20)
        glidingWidth = GuardNotch.valid(width: notes.pointee.popNumber(within: 1))
        if !isResting { calculateCoefficients(sampleRate: sampleRate) }
    }

    /// Returns a width for which the filter is stable.
    @_noLocks
    private static func valid(width: Double) -> Double { max(width, 0.01) }

    /// Returns the gain one frame later.
    @_noLocks @inline(__always)
    static func next(_ gain: Double, to target: Double, glide: Double) -> Double {
        gain + (target - gain) * glide
    }

    /// Moves the gain on by a number of frames.
    @_noLocks
    mutating func advance(_ frameCount: Int, glide: Double) {
        for _ in 0..<frameCount { gain = GuardNotch.next(gain, to: target, glide: glide) }
    }

    /// Removes everything at once.
    @_noLocks
    mutating func clear() { self = GuardNotch() }
}

extension GuardNotch.State {
    /// The number of the state in notes.
    fileprivate var number: Int {
        @_noLocks get {
            switch self {
            case .free: 0
            case .trial: 1
            case .settled: 2
            case .releasing: 3
            }
        }
    }

    @_noLocks
    fileprivate init(number: Int) {
        switch number {
        case 1: self = .trial
        case 2: self = .settled
        case 3: self = .releasing
        default: self = .free
        }
    }
}

/// The latest nine levels, newest first.
struct NotchLevels: BitwiseCopyable {
    private var recent = SIMD8<Float>(repeating: -150)
    private var oldest: Float = -150

    /// The latest level.
    var newest: Float { @_noLocks get { recent[0] } }
    /// The level of three spectra before.
    var third: Float { @_noLocks get { recent[3] } }
    /// The level of eight spectra before.
    var eighth: Float { @_noLocks get { oldest } }

    /// Writes the levels.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        for index in 0..<4 { notes.pointee.put(recent[2 * index], recent[2 * index + 1]) }
        notes.pointee.put(oldest, 0)
    }

    /// Continues with noted levels.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        for index in 0..<4 {
            (recent[2 * index], recent[2 * index + 1]) = notes.pointee.popNumbers(within: 1e6)
        }
        oldest = notes.pointee.popNumbers(within: 1e6).0
    }

    /// Appends a level.
    @_noLocks
    mutating func append(_ level: Float) {
        oldest = recent[7]
        recent = SIMD8(
            level, recent[0], recent[1], recent[2], recent[3], recent[4], recent[5], recent[6])
    }
}
