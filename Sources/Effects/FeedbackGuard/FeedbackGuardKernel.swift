internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Finds howls in the sum of all channels, and removes them from each channel with notches.
///
/// The sound passes through the notches alone, so there is no latency; the search works next to it,
/// one part per step of 64 frames.
struct FeedbackGuardKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter {
        case sensitivity, depth, width, release, lowest, highest, hold, clear

        var range: ClosedRange<Float> {
            switch self {
            case .sensitivity, .hold, .clear: 0...1
            case .depth: 3...48
            case .width: 0.05...0.5
            case .release: 1...600
            case .lowest: 20...2000
            case .highest: 1000...24_000
            }
        }

        var defaultValue: Float {
            switch self {
            case .sensitivity: 0.5
            case .depth: 18
            case .width: 0.1
            case .release: 30
            case .lowest: 40
            case .highest: 24_000
            case .hold, .clear: 0
            }
        }
    }

    /// The number of notches, and the frequency in Hz and the depth in dB of the newest.
    let reports: Buffer<Float>
    private let channelCount: Int
    private let sampleRate: Double
    private let stepFrames: Int
    /// The sum of the channels, for one step at most.
    private let sum: Buffer<Float>
    /// A pair of channels, for one step at most.
    private let pairFrames: Buffer<SIMD2<Double>>
    /// The states of all notches, for one pair of channels after the other.
    private let states: Buffer<SectionState>
    private var search: HowlSearch
    private var notches = GuardNotches()
    private var settings = GuardSettings()
    private var isHolding = false
    /// The frames since the latest step.
    private var stepPosition = 0
    /// The notes of the partials, of the notches and of their first channels.
    private let notes: Buffer<StateNotes>
    /// The share of a gain's rest that it moves in each frame.
    private let glide: Double

    /// The time constant of a change of the depth, in seconds.
    private static var glideSeconds: Double { @_noLocks get { 0.01 } }
    /// The speed with which a notch is released, in dB per second.
    private static var releaseSpeed: Double { @_noLocks get { 2 } }
    /// The weight of every second channel in the sum: with equal weights, opposite channels would
    /// cancel each other.
    private static var otherWeight: Float { @_noLocks get { 0.6 } }

    init(channelCount: Int, sampleRate: Double, values: (Parameter) -> Float) {
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        search = HowlSearch(sampleRate: sampleRate)
        stepFrames = search.stepFrames
        sum = Buffer(count: stepFrames, repeating: 0)
        pairFrames = Buffer(count: stepFrames, repeating: .zero)
        states = Buffer(
            count: (channelCount + 1) / 2 * GuardNotches.slots, repeating: SectionState())
        reports = Buffer(count: 3, repeating: 0)
        let pairs = min((channelCount + 1) / 2, FeedbackGuardKernel.notedPairs)
        let words =
            HowlSearch.noteWords + GuardNotches.noteWords
            + pairs * GuardNotches.slots * SectionState.noteWords
        notes = Buffer(containing: StateNotes(capacity: words))
        glide = 1 - rt_exp(-1 / (FeedbackGuardKernel.glideSeconds * sampleRate))
        settings.releaseDecibels = FeedbackGuardKernel.releaseSpeed * search.hopSeconds
        for parameter in Parameter.allCases where parameter != .clear {
            set(parameter.rawValue, to: values(parameter))
        }
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    var latencyFrames: Int { 0 }

    /// The time in which the slowest pole falls by 120 dB.
    var tailFrames: Int? {
        let hertz = max(settings.lowest, 20)
        return Int(13.8 / (Double.pi * hertz * settings.width) * sampleRate) + 1
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard let parameter = Parameter(rawValue: parameter), value.isFinite else { return }
        switch parameter {
        case .sensitivity:
            // A factor from 2 to 1/2.
            settings.need = Float(rt_exp2(1 - 2 * Double(min(max(value, 0), 1))))
        case .depth: settings.depthLimit = Double(max(value, 0))
        case .width: settings.width = Double(min(max(value, 0.05), 0.5))
        case .release:
            let hops = Double(min(max(value, 0), 1e5)) / search.hopSeconds
            settings.releaseHops = Int(hops)
        case .lowest: settings.lowest = Double(max(value, 1))
        case .highest: settings.highest = Double(max(value, 1))
        case .hold:
            guard (value > 0.5) != isHolding else { return }
            isHolding = value > 0.5
            notches.lock(isHolding)
        case .clear: if value > 0.5 { clear() }
        }
    }

    /// Lets all notches fade away.
    @_noLocks
    private mutating func clear() {
        notches.free()
        search.forget()
    }

    @_noLocks
    mutating func reset() {
        notches.reset()
        search.reset()
        states.fill(with: SectionState())
        stepPosition = 0
        report()
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = min(stepFrames - stepPosition, notes[0].limit(frameCount - first))
            listen(block, first: first, count: count)
            filter(block, first: first, count: count)
            first += count
            stepPosition += count
            notes[0].advance(count)
            if stepPosition == stepFrames { finishStep() }
            if notes[0].isDue { continueFromNote() }
        }
    }

    /// Copies the sound, and passes the sum of all channels to the search.
    @_noLocks
    private mutating func listen(_ block: RTBlock, first: Int, count: Int) {
        rt_clear(sum.start, Int64(count))
        for channel in 0..<channelCount {
            let output = block.outputs[channel] + first
            rt_copy_sound(output, block.inputs[channel] + first, Int64(count))
            let weight = channel % 2 == 0 ? 1 : FeedbackGuardKernel.otherWeight
            for frame in 0..<count { sum[frame] += weight * output[frame] }
        }
        search.push(sum.start, count)
    }

    /// Filters the sound in the outputs.
    @_noLocks
    private mutating func filter(_ block: RTBlock, first: Int, count: Int) {
        var isActive = false
        for index in 0..<GuardNotches.slots where !notches[index].isResting { isActive = true }
        guard isActive else { return }
        for pair in 0..<((channelCount + 1) / 2) {
            // A last channel without a partner forms a pair with itself.
            let left = block.outputs[2 * pair] + first
            let right = block.outputs[min(2 * pair + 1, channelCount - 1)] + first
            interleave(left, right, into: pairFrames.start, frameCount: count)
            for index in 0..<GuardNotches.slots where !notches[index].isResting {
                filter(index, pair: pair, count: count)
            }
            deinterleave(pairFrames.start, lane: 1, into: right, frameCount: count)
            deinterleave(pairFrames.start, lane: 0, into: left, frameCount: count)
        }
        notches.advance(count, glide: glide)
    }

    /// Filters a pair of channels with one notch: adds a share of the band to the sound.
    @_noLocks
    private func filter(_ index: Int, pair: Int, count: Int) {
        let place = pair * GuardNotches.slots + index
        let (coefficients, target) = (notches[index].coefficients, notches[index].target)
        var (state, gain) = (states[place], notches[index].gain)
        for frame in 0..<count {
            let sound = pairFrames[frame]
            let band = state.next(sound, coefficients)
            gain = GuardNotch.next(gain, to: target, glide: glide)
            pairFrames[frame] = sound + (gain - 1) * band
        }
        states[place] = state
    }

    @_noLocks
    private mutating func finishStep() {
        stepPosition = 0
        let isComplete = search.step(&notches, settings)
        if isComplete { report() }
        for index in 0..<GuardNotches.slots where notches[index].isResting { clearState(index) }
        notches.prepareStep(sampleRate: sampleRate)
        if isComplete, notes[0].isWanted { noteState() }
    }

    /// The number of pairs of channels whose filters are noted; the rounding errors that remain in
    /// those of others change a sample now and then.
    private static var notedPairs: Int { @_noLocks get { 4 } }

    /// Notes what depends on more than the latest sound.
    @_noLocks
    private func noteState() {
        let words = notes.start
        words.pointee.begin()
        search.note(to: words)
        notches.note(to: words)
        for pair in 0..<min((channelCount + 1) / 2, FeedbackGuardKernel.notedPairs) {
            for index in 0..<GuardNotches.slots where !notches[index].isResting {
                states[pair * GuardNotches.slots + index].note(to: words)
            }
        }
        words.pointee.end()
    }

    /// Continues from a note of a replay, as after a spectrum was completed.
    @_noLocks
    private mutating func continueFromNote() {
        let words = notes.start
        words.pointee.beginReading()
        search.follow(words)
        notches.follow(words, sampleRate: sampleRate)
        for pair in 0..<min((channelCount + 1) / 2, FeedbackGuardKernel.notedPairs) {
            for index in 0..<GuardNotches.slots where !notches[index].isResting {
                states[pair * GuardNotches.slots + index].follow(words)
            }
        }
        stepPosition = 0
        report()
        words.pointee.endReading()
    }

    /// Clears the state of a notch, so that the next one in its slot begins in silence.
    @_noLocks
    private func clearState(_ index: Int) {
        for pair in 0..<((channelCount + 1) / 2) {
            states[pair * GuardNotches.slots + index] = SectionState()
        }
    }

    @_noLocks
    private func report() {
        reports[0] = Float(notches.count)
        let newest = notches.newest ?? 0
        let isInUse = notches.newest != nil && notches[newest].state != .free
        reports[1] = isInUse ? Float(notches[newest].hertz) : 0
        reports[2] = isInUse ? Float(notches[newest].depth) : 0
    }
}
