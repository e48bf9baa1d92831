internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Moves the peaks of a spectrum, each with the bins around it, so that every partial moves by the
/// same interval.
///
/// For each hop, the analysis transforms the newest frames under a window and finds the peaks in
/// the power of all channels. Then it measures each peak's frequency, turns and moves the region
/// around the peak, transforms back, and adds the result to the output. The two halves of the work
/// are done in different steps, so that no block costs much more than another.
struct MusicShiftKernel: Kernel, ~Copyable {
    typealias Parameter = PitchControls.Parameter

    let channelCount: Int
    let lengths: ShiftLengths
    /// The step of a hop in which the inverse transform is done; this delay is part of the latency.
    private let lateSteps: Int
    let transform: RealTransform
    let halfTransform: RealTransform
    let windows: ShiftWindows
    var rings: ShiftRings
    let channels: Buffer<MusicShiftChannel>
    let scratch: MusicShiftScratch
    var controls: PitchControls
    var map: PeakMap
    var attacks: AttackBands
    var flux: SpectralFlux
    var noise: NoiseBands
    var level: LevelKeeper
    var partials: PartialList
    /// The number of hops since the partials were listed.
    var listAge = 0
    let envelope: SpectralEnvelope
    let keepsFormants: Bool
    /// The result of `flux` for the current frames.
    var movement: Float = 0
    /// The grids of the current and the previous spectra.
    var grid: SpectrumGrid
    var oldGrid: SpectrumGrid
    /// The number of hops since the steady window came into use.
    var steadyHops = 0
    /// The index of the newer one of a channel's two spectra.
    var newer = 0
    /// The number of steps since the last hop.
    var phase = 0
    /// The notes of the angles and of the averages.
    private let notes: Buffer<StateNotes>

    /// Creates a shifter that rests at its parameters.
    init(
        channelCount: Int, sampleRate: Double, isLong: Bool, keepsFormants: Bool, semitones: Float,
        cents: Float,
        formantSemitones: Float
    ) {
        self.channelCount = channelCount
        lengths = ShiftLengths(sampleRate: sampleRate, quality: isLong ? .high : .live)
        (grid, oldGrid) = (lengths.fineGrid, lengths.fineGrid)
        lateSteps = isLong ? 2 : 1
        transform = RealTransform(size: lengths.transformFrames)
        halfTransform = RealTransform(size: lengths.transformFrames / 2)
        windows = ShiftWindows(lengths)
        map = PeakMap(lengths)
        attacks = AttackBands(lengths, sampleRate: sampleRate)
        flux = SpectralFlux(lengths, channelCount: channelCount)
        noise = NoiseBands(
            bins: lengths.bins / 2, hopFrames: lengths.hopFrames, sampleRate: sampleRate,
            channelCount: channelCount)
        partials = PartialList()
        level = LevelKeeper(lengths, sampleRate: sampleRate)
        envelope = SpectralEnvelope(lengths, sampleRate: sampleRate)
        self.keepsFormants = keepsFormants
        scratch = MusicShiftScratch(lengths)
        rings = ShiftRings(lengths, channelCount: channelCount)
        let lengths = lengths
        channels = Buffer(count: channelCount) { _ in MusicShiftChannel(lengths) }
        controls = PitchControls(
            semitones: semitones, cents: cents, formantSemitones: formantSemitones,
            stepFrames: lengths.stepFrames, sampleRate: sampleRate)
        let words =
            2 + LevelKeeper.noteWords + noise.noteWords + SpectralFlux.noteWords
            + AttackBands.noteWords + map.noteWords + envelope.noteWords
        notes = Buffer(containing: StateNotes(capacity: words))
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    /// The delay of an unshifted impulse; the same at every ratio.
    var latencyFrames: Int { lengths.spanFrames + lateSteps * lengths.stepFrames }

    /// The time for which the newest frames contain an input frame.
    var tailFrames: Int? { lengths.transformFrames + latencyFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) { controls.set(parameter, to: value) }

    @_noLocks
    mutating func reset() {
        controls.snap()
        rings.clear()
        map.clear()
        attacks.clear()
        flux.clear()
        noise.clear()
        level.clear()
        partials.clear()
        listAge = 0
        envelope.clear()
        for channel in 0..<channelCount { channels[channel].clear() }
        movement = 0
        steadyHops = 0
        (grid, oldGrid) = (lengths.fineGrid, lengths.fineGrid)
        newer = 0
        phase = 0
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            let count = rings.exchange(
                block, from: first, atMost: notes[0].limit(frameCount - first))
            first += count
            notes[0].advance(count)
            if rings.isAtStep { step() }
            if notes[0].isDue { continueFromNote() }
        }
    }

    /// Does the part of a hop's work that is due at this step.
    @_noLocks
    private mutating func step() {
        controls.step()
        phase = (phase + 1) % (lengths.hopFrames / lengths.stepFrames)
        for index in 0..<channelCount { channels[index].low.push(rings.newestStep(index)) }
        if phase == 0 { analyse() }
        if phase == 1 { turn() }
        if phase == lateSteps {
            synthesise()
            if notes[0].isWanted { noteState() }
        }
    }

    /// Notes what depends on more than the latest sound.
    @_noLocks
    private func noteState() {
        let words = notes.start
        words.pointee.begin()
        words.pointee.put(steadyHops)
        words.pointee.put(listAge)
        level.note(to: words)
        noise.note(to: words)
        flux.note(to: words)
        attacks.note(to: words)
        map.note(to: words)
        if shapes { envelope.note(to: words) }
        words.pointee.end()
    }

    /// Continues from a note of a replay, as after the inverse transform of a hop.
    @_noLocks
    private mutating func continueFromNote() {
        let words = notes.start
        words.pointee.beginReading()
        steadyHops = words.pointee.pop(from: 0, through: 1 << 50)
        listAge = words.pointee.pop(from: 0, through: listPeriod)
        level.follow(words)
        noise.follow(words)
        flux.follow(words)
        attacks.follow(words)
        map.follow(words)
        if shapes { envelope.follow(words) }
        rings.align()
        phase = lateSteps
        words.pointee.endReading()
    }
}

extension MusicShiftKernel {
    /// Moves the regions, transforms back, and adds the frames to the output.
    @_noLocks
    mutating func synthesise() {
        for index in 0..<channelCount {
            scratch.clearShifted()
            map.move(
                channels[index].spectrum(newer), before: channels[index].past,
                to: scratch.shifted)
            invert()
            if attacks.isInSpan {
                channels[index].envelope.restore(
                    scratch.frames, count: grid.transformFrames)
            } else if attacks.isInWindow {
                channels[index].envelope.subdue(
                    scratch.frames, count: grid.transformFrames)
            }
            windows.overlap(
                scratch.frames, count: grid.transformFrames, movement: movement,
                onto: rings.output(index), first: rings.outputPosition)
        }
        keepLevel()
    }

    /// Transforms the moved spectrum into frames.
    ///
    /// Only the span is needed, one half of it at either end.
    @_noLocks
    private func invert() {
        let (shifted, frames) = (scratch.shifted, scratch.frames)
        if grid.isCoarse {
            halfTransform.inverse(
                real: shifted.real, imaginary: shifted.imaginary, output: frames)
        } else if 4 * lengths.spanFrames == lengths.transformFrames {
            transform.inverseEnds(
                real: shifted.real, imaginary: shifted.imaginary, output: frames)
        } else {
            transform.inverse(real: shifted.real, imaginary: shifted.imaginary, output: frames)
        }
    }

    /// Raises the output to compensate for the energy that the shift has lost.
    @_noLocks
    private mutating func keepLevel() {
        let kept =
            controls.ratio > 1
            ? attacks.share(below: Float(lengths.bins) / Float(controls.ratio)) : 1
        // If the formants move, the level is meant to change.
        rings.keepLevel(&level, kept: kept, movement: shapes ? 0 : movement)
    }
}
