internal import CRealtime
internal import DSP
internal import Realtime

/// Moves the peaks of a spectrum, each with the bins around it, so that every partial moves by the same interval.
///
/// Once a hop: the newest frames under a window, their transform, a map of its peaks from the power of all channels; then each
/// peak's frequency, its region turned and moved, the inverse transform, and the last frames of that added to the output. The
/// two halves of the work are done in different steps, so that no block costs much more than another.
struct MusicShiftKernel: ~Copyable {
    let channelCount: Int
    let lengths: ShiftLengths
    /// Steps of a hop after which the inverse transform is done; what that adds is part of the latency.
    let lateSteps: Int
    let transform: RealTransform
    let halfTransform: RealTransform
    let windows: ShiftWindows
    let channels: UnsafeMutablePointer<MusicShiftChannel>
    let scratch: MusicShiftScratch
    var controls: PitchControls
    var map: PeakMap
    var attacks: AttackBands
    var flux: SpectralFlux
    var level: LevelKeeper
    var partials: PartialList
    /// Hops since the partials were listed.
    var listAge = 0
    let envelope: SpectralEnvelope
    let keepsFormants: Bool
    /// What `flux` said when the present frames were taken.
    var movement: Float = 0
    /// What the bins of the present spectra are, and those of the hop before.
    var grid: SpectrumGrid
    var oldGrid: SpectrumGrid
    /// Hops since the steady window is in use.
    var steadyHops = 0
    /// Which of a channel's two spectra is the newer one.
    var newer = 0
    /// Frames since the last step.
    var position = 0
    /// Steps since the last hop.
    var phase = 0
    var historyPosition = 0
    /// Where `historyPosition` was when the present frames were taken.
    var analysedPosition = 0
    var outputPosition = 0

    /// A shifter that rests at its parameters.
    init(
        channelCount: Int, sampleRate: Double, isLong: Bool, keepsFormants: Bool, semitones: Float,
        cents: Float,
        formantSemitones: Float
    ) {
        self.channelCount = channelCount
        lengths = ShiftLengths(sampleRate: sampleRate, isLong: isLong)
        (grid, oldGrid) = (lengths.fineGrid, lengths.fineGrid)
        lateSteps = isLong ? 2 : 1
        transform = RealTransform(size: lengths.transformFrames)
        halfTransform = RealTransform(size: lengths.transformFrames / 2)
        windows = ShiftWindows(lengths)
        map = PeakMap(lengths)
        attacks = AttackBands(lengths, sampleRate: sampleRate)
        flux = SpectralFlux(lengths, channelCount: channelCount)
        partials = PartialList()
        level = LevelKeeper(lengths, sampleRate: sampleRate)
        envelope = SpectralEnvelope(lengths, sampleRate: sampleRate)
        self.keepsFormants = keepsFormants
        scratch = MusicShiftScratch(lengths)
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            (channels + channel).initialize(to: MusicShiftChannel(lengths))
        }
        controls = PitchControls(
            semitones: semitones, cents: cents, formantSemitones: formantSemitones,
            stepFrames: lengths.stepFrames, sampleRate: sampleRate)
    }

    deinit {
        transform.deallocate()
        halfTransform.deallocate()
        windows.deallocate()
        map.deallocate()
        attacks.deallocate()
        flux.deallocate()
        partials.deallocate()
        envelope.deallocate()
        scratch.deallocate()
        for channel in 0..<channelCount { channels[channel].deallocate() }
        channels.deallocate()
    }

    /// Where an unshifted impulse comes out; the same at every ratio.
    var latencyFrames: Int { lengths.spanFrames + lateSteps * lengths.stepFrames }

    /// How long the newest frames hold what came in.
    var tailFrames: Int { lengths.transformFrames + latencyFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) { controls.set(parameter, to: value) }

    @_noLocks
    mutating func reset() {
        controls.snap()
        map.clear()
        attacks.clear()
        flux.clear()
        level.clear()
        partials.clear()
        listAge = 0
        envelope.clear()
        for channel in 0..<channelCount { channels[channel].clear() }
        movement = 0
        steadyHops = 0
        (grid, oldGrid) = (lengths.fineGrid, lengths.fineGrid)
        newer = 0
        position = 0
        phase = 0
        historyPosition = 0
        analysedPosition = 0
        outputPosition = 0
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = min(lengths.stepFrames - position, frameCount - first)
            for channel in 0..<channelCount {
                exchange(
                    channels[channel], block.inputs[channel] + first,
                    block.outputs[channel] + first, count: count)
            }
            first += count
            advance(count)
        }
    }

    /// Takes frames in and gives as many out; the output may be where the input is.
    @_noLocks
    private func exchange(
        _ channel: MusicShiftChannel, _ input: UnsafePointer<Float>,
        _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        rt_copy_sound(channel.history + historyPosition, input, Int64(count))
        rt_copy(output, channel.output + outputPosition, Int64(count))
    }

    /// Goes on to the next frames, and does the work that is due where a step ends.
    @_noLocks
    private mutating func advance(_ count: Int) {
        position += count
        historyPosition = (historyPosition + count) % lengths.transformFrames
        outputPosition = (outputPosition + count) % lengths.spanFrames
        guard position == lengths.stepFrames else { return }
        position = 0
        controls.step()
        let newest =
            (historyPosition == 0 ? lengths.transformFrames : historyPosition) - lengths.stepFrames
        phase = (phase + 1) % (lengths.hopFrames / lengths.stepFrames)
        for index in 0..<channelCount {
            channels[index].low.push(channels[index].history + newest)
        }
        if phase == 0 { analyse() }
        if phase == 1 { turn() }
        if phase == lateSteps { synthesise() }
    }
}
