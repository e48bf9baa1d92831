internal import CRealtime
internal import DSP
internal import Realtime

/// One held chord: steady partials, each with its phase, and a level that rises, stays or falls.
struct FrozenChord: ~Copyable {
    /// What the level does.
    private enum State: Int { case silent, rising, held, released }

    /// The frequency of each partial, in cycles per transform of the synthesis.
    private let positions: Buffer<Float>
    private let turns: PartialTurns
    private let upperTurns: PartialTurns
    /// The amplitudes: for each channel, the real parts and then the imaginary parts.
    private let amplitudes: Buffer<Float>
    private var count = 0
    private var state = State.silent
    private var level: Float = 0
    /// The share of the octave above that has faded in.
    private var bloom: Float = 0

    /// The time in which the octave above fades in, in seconds.
    private static var bloomSeconds: Float { @_noLocks get { 1.5 } }
    /// The frequency of the octave above; it floats slowly around the chord.
    private static var octave: Double { @_noLocks get { 2.0009 } }
    /// The level below which a chord has ended: -100 dB.
    private static var quiet: Float { @_noLocks get { 1e-5 } }

    init(channelCount: Int) {
        let limit = PartialCapture.limit
        positions = Buffer(count: limit, repeating: 0)
        turns = PartialTurns(count: limit)
        upperTurns = PartialTurns(count: limit)
        amplitudes = Buffer(count: 2 * limit * channelCount, repeating: 0)
    }

    // MARK: Notes for a replay

    /// The number of words of `note`.
    static var noteWords: Int { 2 }
    /// The number of arrays before those of the channels.
    private static var sharedArrays: Int { @_noLocks get { 5 } }

    /// Writes the state without the partials.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(4 * count + state.rawValue)
        notes.pointee.put(level, bloom)
    }

    /// Continues from a note.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let word = notes.pointee.pop(from: 0, through: 4 * PartialCapture.limit + 3)
        count = word >> 2
        state = State(rawValue: word & 3) ?? .silent
        (level, bloom) = notes.pointee.popNumbers(within: 1)
    }

    /// Returns an array of partials: positions, phases, steps, those of the octave above, and the
    /// amplitudes in each channel; `nil` after the last one.
    @_noLocks
    func array(_ index: Int, channelCount: Int) -> (start: UnsafeMutablePointer<Float>, count: Int)?
    {
        switch index {
        case 0: return (positions.start, count)
        case 1: return (turns.phaseNumbers, 2 * count)
        case 2: return (turns.stepNumbers, 2 * count)
        case 3: return (upperTurns.phaseNumbers, 2 * count)
        case 4: return (upperTurns.stepNumbers, 2 * count)
        default:
            let channel = index - FrozenChord.sharedArrays
            guard channel < channelCount else { return nil }
            let numbers = 2 * PartialCapture.limit
            return (amplitudes.start + numbers * channel, numbers)
        }
    }

    /// Replaces an array of partials by a noted one.
    ///
    /// - Parameters:
    ///   - part: The numbers.
    ///   - channelCount: The number of channels.
    ///   - highestPosition: The highest position of a sine.
    func restore(_ part: SoundPart, channelCount: Int, highestPosition: Float) {
        guard part.secondAddress <= 1 << 16,
            let array = array(Int(part.secondAddress), channelCount: channelCount),
            part.count == array.count
        else { return }
        let (least, most): (Float, Float) =
            part.secondAddress == 0 ? (0, highestPosition) : (-1e12, 1e12)
        for index in 0..<part.count {
            let number = part.start[index]
            array.start[index] = number >= least && number <= most ? number : 0
        }
    }

    /// Whether the chord is heard.
    var isSounding: Bool { @_noLocks get { state != .silent } }
    /// Whether the chord is held by the pedal.
    var isHeld: Bool { @_noLocks get { state == .rising || state == .held } }

    @_noLocks
    mutating func clear() {
        state = .silent
        level = 0
    }

    /// Lets the chord fade away.
    @_noLocks
    mutating func release() { if isHeld { state = .released } }

    /// Takes the partials of a capture, and starts to rise.
    ///
    /// - Parameters:
    ///   - capture: The partials.
    ///   - channelCount: The number of channels.
    ///   - scale: The factor of all amplitudes.
    ///   - synthesis: What will make the partials audible.
    @_noLocks
    mutating func begin(
        _ capture: borrowing PartialCapture, channelCount: Int, scale: Float,
        for synthesis: borrowing PartialSynthesis
    ) {
        let size = Double(synthesis.transformFrames)
        count = 0
        for index in 0..<capture.count {
            let partial = capture[index]
            let position = Float(partial.frequency * size)
            guard position <= synthesis.highestPosition else { break }
            positions[count] = position
            let turnsPerHop = partial.frequency * Double(synthesis.hopFrames)
            turns.begin(count, turnsPerHop: turnsPerHop)
            upperTurns.begin(count, turnsPerHop: FrozenChord.octave * turnsPerHop)
            for channel in 0..<channelCount {
                let amplitude = capture.amplitude(partial, channel: channel)
                let place = 2 * PartialCapture.limit * channel + count
                amplitudes[place] = scale * amplitude.x
                amplitudes[place + PartialCapture.limit] = scale * amplitude.y
            }
            count += 1
        }
        level = 0
        bloom = 0
        state = .rising
    }

    /// Returns the mean square of the partials of all channels together.
    @_noLocks
    static func power(of capture: borrowing PartialCapture, channelCount: Int) -> Float {
        var sum: Float = 0
        for index in 0..<capture.count {
            for channel in 0..<channelCount {
                let amplitude = capture.amplitude(capture[index], channel: channel)
                sum += 0.5 * (amplitude.x * amplitude.x + amplitude.y * amplitude.y)
            }
        }
        return sum
    }

    /// Adds the partials of a channel to a frame.
    @_noLocks
    func add(to synthesis: borrowing PartialSynthesis, channel: Int, shimmer: Float) {
        let real = amplitudes.start + 2 * PartialCapture.limit * channel
        let imaginary = real + PartialCapture.limit
        let upperLevel = level * bloom * shimmer
        for index in 0..<count {
            let turn = turns[index]
            let (a, b) = (real[index], imaginary[index])
            synthesis.add(
                positions[index], real: level * (a * turn.x - b * turn.y),
                imaginary: level * (a * turn.y + b * turn.x))
            guard upperLevel > 0 else { continue }
            let upper = Float(FrozenChord.octave) * positions[index]
            guard upper <= synthesis.highestPosition else { continue }
            let other = upperTurns[index]
            synthesis.add(
                upper, real: upperLevel * (a * other.x - b * other.y),
                imaginary: upperLevel * (a * other.y + b * other.x))
        }
    }

    /// Advances all phases and the level by one hop.
    @_noLocks
    mutating func advance(_ times: FreezeTimes) {
        turns.advance(count)
        upperTurns.advance(count)
        bloom = min(1, bloom + times.hopSeconds / FrozenChord.bloomSeconds)
        switch state {
        case .silent: break
        case .rising:
            level = min(1, level + times.rise)
            if level == 1 { state = .held }
        case .held: level *= times.decay
        case .released: level *= times.release
        }
        if state != .rising && level < FrozenChord.quiet { clear() }
    }
}

/// How levels change per hop.
struct FreezeTimes: BitwiseCopyable {
    var hopSeconds: Float
    /// What a rising level gains.
    var rise: Float = 1
    /// The factors of a held and of a released level.
    var decay: Float = 1
    var release: Float = 1
}

/// The phases of partials as complex numbers, and what each turns per hop.
struct PartialTurns: ~Copyable {
    // SAFETY: a vector of two floats is stored as two floats.
    private let phases: Buffer<SIMD2<Float>>
    private let steps: Buffer<SIMD2<Float>>

    init(count: Int) {
        phases = Buffer(count: count, repeating: SIMD2(1, 0))
        steps = Buffer(count: count, repeating: SIMD2(1, 0))
    }

    subscript(index: Int) -> SIMD2<Float> { @_noLocks get { phases[index] } }

    /// The real and the imaginary part of each phase.
    var phaseNumbers: UnsafeMutablePointer<Float> {
        @_noLocks get {
            UnsafeMutableRawPointer(phases.start).assumingMemoryBound(to: Float.self)
        }
    }

    /// The real and the imaginary part of each step.
    var stepNumbers: UnsafeMutablePointer<Float> {
        @_noLocks get {
            UnsafeMutableRawPointer(steps.start).assumingMemoryBound(to: Float.self)
        }
    }

    /// Starts a phase at 0.
    @_noLocks
    func begin(_ index: Int, turnsPerHop: Double) {
        let angle = 2 * Double.pi * (turnsPerHop - rt_floor(turnsPerHop))
        phases[index] = SIMD2(1, 0)
        steps[index] = SIMD2(Float(rt_cos(angle)), Float(rt_sin(angle)))
    }

    /// Advances the first `count` phases by one hop.
    @_noLocks
    func advance(_ count: Int) {
        for index in 0..<count {
            let (z, w) = (phases[index], steps[index])
            let next = SIMD2(z.x * w.x - z.y * w.y, z.x * w.y + z.y * w.x)
            // Rounding must not change the level in the course of hours.
            let square = next.x * next.x + next.y * next.y
            phases[index] = next * (1.5 - 0.5 * square)
        }
    }
}
