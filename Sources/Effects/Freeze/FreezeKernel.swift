internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Holds the present chord as a pad while the input passes.
///
/// At the press of a pedal, the partials of the latest sound are measured, one channel per step, and
/// then played on with constant levels.
struct FreezeKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter {
        case hold, add, level, dry, attack, decay, release, shimmer

        var range: ClosedRange<Float> {
            switch self {
            case .hold, .add, .shimmer: 0...1
            case .level, .dry: -120...12
            case .attack: 0...5000
            case .decay: 0...120
            case .release: 0...60
            }
        }

        var defaultValue: Float {
            switch self {
            case .hold, .add, .level, .dry, .decay, .shimmer: 0
            case .attack: 10
            case .release: 2
            }
        }
    }

    /// The number of chords that sound.
    let reports: Buffer<Float>
    private let channelCount: Int
    private let sampleRate: Double
    private let stepFrames: Int
    private let historyFrames: Int
    /// The newest frames of each channel, in rings of `historyFrames`.
    private let history: Buffer<Float>
    /// The newest frames of each channel when the capture began, oldest first.
    private let captured: Buffer<Float>
    /// The next frames of the pad of each channel, in rings of two hops.
    private let pad: Buffer<Float>
    private let synthesis: PartialSynthesis
    private let chords: Buffer<FrozenChord>
    private var capture: PartialCapture
    private var isHolding = false
    /// Whether the frames of the capture are stored: that happens at the end of its first step.
    private var isStored = true
    /// The chord that was replaced last, when all of them were held.
    private var replaced = 0
    private var times: FreezeTimes
    private var seconds: (attack: Float, decay: Float, release: Float) = (0, 0, 0)
    private var shimmer: Float = 0
    private var level: Ramp
    private var dry: Ramp
    private var historyPosition = 0
    private var padPosition = 0
    /// The notes of positions and levels.
    private let notes: Buffer<StateNotes>
    /// The next array of partials to note: the chord, and the array in it.
    private var nextArray = (chord: 0, index: 0)

    /// The most chords at once.
    private static var limit: Int { @_noLocks get { 4 } }
    /// The number of steps per hop of the synthesis.
    private static var stepsPerHop: Int { @_noLocks get { 4 } }
    /// The number of newest steps whose level the pad has: 43 ms.
    private static var levelSteps: Int { @_noLocks get { 32 } }

    init(channelCount: Int, sampleRate: Double, values: (Parameter) -> Float) {
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        stepFrames = StretchLengths.stepFrames(sampleRate: sampleRate)
        let hopFrames = FreezeKernel.stepsPerHop * stepFrames
        capture = PartialCapture(channelCount: channelCount, stepFrames: stepFrames)
        historyFrames = capture.historyFrames
        synthesis = PartialSynthesis(hopFrames: hopFrames)
        history = Buffer(count: channelCount * historyFrames, repeating: 0)
        captured = Buffer(count: channelCount * historyFrames, repeating: 0)
        pad = Buffer(count: channelCount * 2 * hopFrames, repeating: 0)
        chords = Buffer(count: FreezeKernel.limit) { _ in FrozenChord(channelCount: channelCount) }
        times = FreezeTimes(hopSeconds: Float(Double(hopFrames) / sampleRate))
        reports = Buffer(count: 1, repeating: 0)
        notes = Buffer(
            containing: StateNotes(capacity: 3 + FreezeKernel.limit * FrozenChord.noteWords))
        let fadeFrames = smoothingFrames(sampleRate: sampleRate)
        level = Ramp(0, lengthFrames: fadeFrames)
        dry = Ramp(0, lengthFrames: fadeFrames)
        for parameter in Parameter.allCases where parameter != .add {
            set(parameter.rawValue, to: values(parameter))
        }
        level.snap()
        dry.snap()
    }

    var latencyFrames: Int { 0 }

    /// Unknown: a held chord has no end.
    var tailFrames: Int? { nil }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        switch Parameter(rawValue: parameter) {
        case .hold: hold(value > 0.5)
        case .add: if value > 0.5 && isHolding && !capture.isBusy { beginCapture() }
        case .level: FreezeKernel.move(&level, toDecibels: value)
        case .dry: FreezeKernel.move(&dry, toDecibels: value)
        case .attack: seconds.attack = max(value, 0) / 1000
        case .decay: seconds.decay = max(value, 0)
        case .release: seconds.release = max(value, 0)
        case .shimmer: shimmer = min(max(value, 0), 1)
        case nil: return
        }
        updateTimes()
    }

    @_noLocks
    private mutating func hold(_ wanted: Bool) {
        guard wanted != isHolding else { return }
        isHolding = wanted
        if wanted {
            beginCapture()
        } else {
            capture.clear()
            for index in 0..<chords.count { chords[index].release() }
        }
    }

    @_noLocks
    private static func move(_ ramp: inout Ramp, toDecibels decibels: Float) {
        let gain = decibels <= -120 ? 0 : Float(Decibels(min(Double(decibels), 24)).amplitude)
        if ramp.target != gain { ramp.move(to: gain) }
    }

    @_noLocks
    private mutating func updateTimes() {
        let hop = times.hopSeconds
        times.rise = seconds.attack > hop ? hop / seconds.attack : 1
        times.decay = FreezeKernel.fall(seconds.decay, hop)
        // Without a decay, a held chord stays; a release always ends it.
        times.release = seconds.release > 0 ? FreezeKernel.fall(seconds.release, hop) : 0
    }

    /// Returns the factor per hop of a level that falls by 60 dB in some seconds; 0 s is for ever.
    @_noLocks
    private static func fall(_ seconds: Float, _ hop: Float) -> Float {
        seconds > 0 ? Float(rt_exp2(-9.965784284662087 * Double(hop / seconds))) : 1
    }

    @_noLocks
    mutating func reset() {
        capture.clear()
        for index in 0..<chords.count { chords[index].clear() }
        rt_clear(history.start, Int64(history.count))
        rt_clear(pad.start, Int64(pad.count))
        level.snap()
        dry.snap()
        historyPosition = 0
        padPosition = 0
        replaced = 0
        reports[0] = 0
        if isHolding { beginCapture() }
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let rest = stepFrames - historyPosition % stepFrames
            let count = min(rest, notes[0].limit(frameCount - first))
            let (startLevel, startDry) = (level, dry)
            for channel in 0..<channelCount {
                // All channels use the same ramps.
                (level, dry) = (startLevel, startDry)
                render(
                    block.inputs[channel] + first, block.outputs[channel] + first, count: count,
                    channel: channel)
            }
            first += count
            advance(count)
            notes[0].advance(count)
            if notes[0].isDue { continueFromNote() }
        }
        // The sound of a capture is not noted.
        if notes[0].isWanted, !capture.isBusy { noteState() }
    }

    /// Stores a channel's input, and writes it with the pad.
    @_noLocks
    private mutating func render(
        _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int,
        channel: Int
    ) {
        let stored = history.start + channel * historyFrames + historyPosition
        rt_copy_sound(stored, input, Int64(count))
        let ring = pad.start + channel * padFrames + padPosition
        for frame in 0..<count {
            output[frame] = stored[frame] * dry.next() + ring[frame] * level.next()
            ring[frame] = 0
        }
    }

    /// The number of frames of a channel's ring.
    private var padFrames: Int { @_noLocks get { 2 * synthesis.hopFrames } }

    @_noLocks
    private mutating func advance(_ count: Int) {
        historyPosition = (historyPosition + count) % historyFrames
        padPosition = (padPosition + count) % padFrames
        guard historyPosition % stepFrames == 0 else { return }
        stepCapture()
        if padPosition % synthesis.hopFrames == 0 { synthesise() }
    }

    /// Stores the newest frames, oldest first.
    @_noLocks
    private mutating func beginCapture() {
        capture.begin()
        isStored = false
    }

    @_noLocks
    private mutating func stepCapture() {
        guard capture.isBusy else { return }
        if !isStored { storeHistory() }
        let channel = capture.channel
        guard capture.step(captured.start + channel * historyFrames) else { return }
        capture.find()
        startChord()
    }

    @_noLocks
    private mutating func storeHistory() {
        isStored = true
        for channel in 0..<channelCount {
            let (from, to) = (
                history.start + channel * historyFrames, captured.start + channel * historyFrames
            )
            let old = historyFrames - historyPosition
            rt_copy(to, from + historyPosition, Int64(old))
            rt_copy(to + old, from, Int64(historyPosition))
        }
    }

    /// Starts the captured chord at the level of the newest sound.
    @_noLocks
    private mutating func startChord() {
        let power = FrozenChord.power(of: capture, channelCount: channelCount)
        guard power > 1e-12 else { return }
        let frames = FreezeKernel.levelSteps * stepFrames
        var sound: Float = 0
        for channel in 0..<channelCount {
            let newest = captured.start + (channel + 1) * historyFrames - frames
            for frame in 0..<frames { sound += newest[frame] * newest[frame] }
        }
        let scale = Float(rt_sqrt(Double(sound / Float(frames) / power)))
        let chord = freeChord()
        chords[chord].begin(
            capture, channelCount: channelCount, scale: min(scale, FreezeKernel.largestScale),
            for: synthesis)
    }

    /// The largest factor that brings a pad to the level of the sound: 12 dB, for a capture that
    /// begins right after an attack.
    private static var largestScale: Float { @_noLocks get { 4 } }

    /// Returns the index of a silent chord; without one, that of the chord that sounds longest.
    @_noLocks
    private mutating func freeChord() -> Int {
        for index in 0..<chords.count where !chords[index].isSounding { return index }
        for index in 0..<chords.count where !chords[index].isHeld { return index }
        replaced = (replaced + 1) % chords.count
        return replaced
    }

    // MARK: Notes for a replay

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }
    var notesSound: Bool { true }

    /// Notes the state.
    @_noLocks
    private func noteState() {
        notes[0].begin()
        notes[0].put(historyPosition)
        notes[0].put(padPosition)
        notes[0].put(replaced)
        for index in 0..<chords.count { chords[index].note(to: notes.start) }
        notes[0].end()
    }

    /// Continues from a note of a replay.
    @_noLocks
    private mutating func continueFromNote() {
        notes[0].beginReading()
        historyPosition = notes[0].pop(from: 0, through: historyFrames - 1)
        padPosition = notes[0].pop(from: 0, through: padFrames - 1)
        // Both rings consist of whole steps.
        padPosition += historyPosition % stepFrames - padPosition % stepFrames
        replaced = notes[0].pop(from: 0, through: chords.count - 1)
        for index in 0..<chords.count { chords[index].follow(notes.start) }
        capture.clear()
        isStored = true
        notes[0].endReading()
    }

    @_noLocks
    mutating func nextSoundPart() -> SoundPart? {
        while nextArray.chord < chords.count {
            let (chord, index) = nextArray
            if chords[chord].isSounding,
                let array = chords[chord].array(index, channelCount: channelCount)
            {
                nextArray.index += 1
                return SoundPart(
                    address: UInt64(bitPattern: Int64(chord)),
                    secondAddress: UInt64(bitPattern: Int64(index)), start: array.start,
                    count: array.count)
            }
            nextArray = (chord + 1, 0)
        }
        nextArray = (0, 0)
        return nil
    }

    mutating func restoreSound(_ part: SoundPart) {
        guard part.address < UInt64(chords.count) else { return }
        chords[Int(part.address)].restore(
            part, channelCount: channelCount, highestPosition: synthesis.highestPosition)
    }

    /// Adds the next frame of all chords to the pad.
    @_noLocks
    private mutating func synthesise() {
        var sounding = 0
        for index in 0..<chords.count where chords[index].isSounding { sounding += 1 }
        reports[0] = Float(sounding)
        guard sounding > 0 else { return }
        for index in 0..<chords.count where chords[index].isSounding {
            chords[index].advance(times)
        }
        for channel in 0..<channelCount {
            synthesis.clear()
            for index in 0..<chords.count where chords[index].isSounding {
                chords[index].add(to: synthesis, channel: channel, shimmer: shimmer)
            }
            synthesis.overlap(onto: pad.start + channel * padFrames, first: padPosition)
        }
    }
}
