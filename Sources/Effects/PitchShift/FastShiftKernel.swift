internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Moves the partials of a sound, which are known from long windows of the past, and the rest by
/// regions; with half the latency of `MusicShiftKernel`.
///
/// For each hop, the newest frames are transformed under a window. The partials are predicted, taken
/// out of the spectrum, corrected, and added at their new frequencies; the rest is turned and moved
/// region by region. Then the spectrum is transformed back and added to the output. The two halves
/// of the work are done in different steps, so that no block costs much more than another.
struct FastShiftKernel: Kernel, ~Copyable {
    typealias Parameter = PitchControls.Parameter

    let channelCount: Int
    private let lengths: ShiftLengths
    private let transform: RealTransform
    private let windows: PartialWindows
    private var rings: ShiftRings
    private let channels: Buffer<FastShiftChannel>
    private let scratch: FastShiftScratch
    private var controls: PitchControls
    private var lines: LineList
    private var partials: TrackedPartials
    private var regions: RestRegions
    private var noise: NoiseBands
    private let envelope: SpectralEnvelope
    private let keepsFormants: Bool
    private var level: LevelKeeper
    /// The share of the newest spectrum that is not partials.
    private var restShare: Float = 0
    /// Whether the newest spectrum has any sound.
    private var isHeard = false
    /// The ratio with which the newest spectrum moves.
    private var ratio: Float = 1
    /// The share of their angles that all sounds keep.
    private var kept: Float = 0
    /// The hops until the angles are 0 after a return to no shift.
    private var returnHops = 0
    /// The index of the newer one of a channel's two spectra.
    private var newer = 0
    private var isSecondStep = false
    /// The notes of the partials, the angles and the gains.
    private let notes: Buffer<StateNotes>

    /// Creates a shifter that rests at its parameters.
    init(
        channelCount: Int, sampleRate: Double, keepsFormants: Bool, semitones: Float,
        cents: Float, formantSemitones: Float
    ) {
        self.channelCount = channelCount
        lengths = ShiftLengths(sampleRate: sampleRate, quality: .fast)
        transform = RealTransform(size: lengths.transformFrames)
        windows = PartialWindows(lengths)
        lines = LineList(lengths, channelCount: channelCount)
        partials = TrackedPartials(windows, lengths, channelCount: channelCount)
        regions = RestRegions(lengths)
        noise = NoiseBands(
            bins: lengths.bins, hopFrames: lengths.hopFrames, sampleRate: sampleRate,
            channelCount: channelCount)
        envelope = SpectralEnvelope(lengths, sampleRate: sampleRate)
        self.keepsFormants = keepsFormants
        level = LevelKeeper(lengths, sampleRate: sampleRate)
        scratch = FastShiftScratch(lengths)
        rings = ShiftRings(lengths, channelCount: channelCount)
        let lengths = lengths
        channels = Buffer(count: channelCount) { _ in FastShiftChannel(lengths) }
        controls = PitchControls(
            semitones: semitones, cents: cents, formantSemitones: formantSemitones,
            stepFrames: lengths.stepFrames, sampleRate: sampleRate)
        let words =
            2 + LevelKeeper.noteWords + noise.noteWords + LineList.noteWords + partials.noteWords
            + regions.noteWords + envelope.noteWords
        notes = Buffer(containing: StateNotes(capacity: words))
    }

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }

    /// The delay of an unshifted impulse; the same at every ratio.
    var latencyFrames: Int { lengths.spanFrames + lengths.stepFrames }

    /// The time for which the newest frames contain an input frame.
    var tailFrames: Int? { lengths.transformFrames + latencyFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) { controls.set(parameter, to: value) }

    @_noLocks
    mutating func reset() {
        controls.snap()
        rings.clear()
        lines.clear()
        partials.clear()
        regions.clear()
        noise.clear()
        envelope.clear()
        level.clear()
        restShare = 0
        for channel in 0..<channelCount { channels[channel].clear() }
        isHeard = false
        kept = 0
        returnHops = 0
        newer = 0
        isSecondStep = false
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

    /// Does one half of the work of a hop.
    @_noLocks
    private mutating func step() {
        controls.step()
        for index in 0..<channelCount { lines.push(rings.newestStep(index), channel: index) }
        isSecondStep.toggle()
        if isSecondStep {
            analyse()
        } else {
            synthesise()
            lines.begin()
            lines.merge()
            // The lines of the searches before the merge need not be noted.
            if notes[0].isWanted, lines.isComplete { noteState() }
        }
    }

    /// Notes what depends on more than the latest sound.
    @_noLocks
    private func noteState() {
        let words = notes.start
        words.pointee.begin()
        words.pointee.put(returnHops)
        words.pointee.put(kept, 0)
        level.note(to: words)
        noise.note(to: words)
        lines.note(to: words)
        partials.note(to: words)
        regions.note(to: words)
        if shapes { envelope.note(to: words) }
        words.pointee.end()
    }

    /// Continues from a note of a replay, as after a merge of the lines.
    @_noLocks
    private mutating func continueFromNote() {
        let words = notes.start
        words.pointee.beginReading()
        returnHops = words.pointee.pop(from: 0, through: FastShiftKernel.mostReturnHops)
        kept = words.pointee.popNumbers(within: 1).0
        level.follow(words)
        noise.follow(words)
        lines.follow(words)
        partials.follow(words)
        regions.follow(words)
        if shapes { envelope.follow(words) }
        rings.align()
        isSecondStep = false
        words.pointee.endReading()
    }

    /// Transforms the newest frames, and takes the partials out of the spectrum.
    @_noLocks
    private mutating func analyse() {
        if lines.isComplete { partials.replace(by: lines, regions) }
        lines.end(partials)
        ratio = Float(controls.ratio)
        keepAngles()
        newer = 1 - newer
        rings.markAnalysed()
        scratch.clearPower()
        for index in 0..<channelCount {
            windows.apply(
                rings.history(index), oldest: rings.historyPosition, to: scratch.frames)
            channels[index].envelope.measure(scratch.frames, count: lengths.transformFrames)
            let spectrum = channels[index].spectrum(newer)
            transform.forward(scratch.frames, real: spectrum.real, imaginary: spectrum.imaginary)
            spectrum.addPower(to: scratch.power, count: lengths.paddedBins - 4)
            noise.measure(spectrum, channel: index)
        }
        noise.settle()
        isHeard = regions.findPeaks(
            scratch.power, noise: ratio > 1 ? noise.regions(isCoarse: true) : .none)
        guard isHeard else {
            partials.clear()
            return
        }
        partials.predict()
        for index in 0..<channelCount {
            let spectrum = channels[index].spectrum(newer)
            channels[index].beginRest(spectrum, bins: lengths.paddedBins)
            partials.takeOut(channel: index, of: spectrum, leaving: channels[index].rest)
        }
        partials.follow(ratio: ratio, kept: kept)
        for index in 0..<channelCount {
            partials.giveBack(channel: index, to: channels[index].rest)
        }
        measureRest()
        if shapes {
            envelope.follow(scratch.power, lengths.fineGrid)
            envelope.refine()
        }
    }

    /// Sets the share of their angles that all sounds keep: 1 while they move; after the ratio has
    /// become 1, it falls to 0 in steps.
    @_noLocks
    private mutating func keepAngles() {
        guard ratio == 1 else {
            returnHops = FastShiftKernel.mostReturnHops
            kept = 1
            return
        }
        if returnHops > 0 { returnHops -= 1 }
        kept = Float(returnHops) / Float(returnHops + 1)
    }

    private static var mostReturnHops: Int { @_noLocks get { 32 } }

    @_noLocks
    private mutating func measureRest() {
        var left: Float = 0
        for index in 0..<channelCount { left += channels[index].rest.power(bins: lengths.bins) }
        restShare = left / max(scratch.power(below: lengths.bins), 1e-20)
    }

    /// Whether the formants move differently from the pitch.
    private var shapes: Bool { @_noLocks get { keepsFormants || controls.formantRatio != 1 } }

    /// Moves the partials and the regions, transforms back, and adds the frames to the output.
    @_noLocks
    private mutating func synthesise() {
        guard isHeard else {
            regions.rest(scratch.power)
            for index in 0..<channelCount {
                windows.release(rings.output(index), first: rings.outputPosition)
            }
            keepLevel()
            return
        }
        findRegions()
        for index in 0..<channelCount {
            let shifted = scratch.shifted
            scratch.clearShifted()
            regions.move(channels[index].rest, to: shifted)
            let lowest = shifted.real[0]
            partials.lay(channel: index, ratio: ratio, bins: lengths.bins, to: shifted)
            scratch.fold(lowest: lowest)
            transform.inverse(
                real: shifted.real, imaginary: shifted.imaginary, output: scratch.frames)
            if regions.isAttackInSpan {
                channels[index].envelope.restore(scratch.frames, count: lengths.transformFrames)
            } else if regions.isAttackInWindow {
                channels[index].envelope.subdue(scratch.frames, count: lengths.transformFrames)
            }
            windows.overlap(
                scratch.frames, onto: rings.output(index), first: rings.outputPosition)
        }
        partials.settle(ratio: ratio)
        keepLevel()
    }

    /// Raises the output to compensate for the energy that noise loses when it is moved.
    @_noLocks
    private mutating func keepLevel() {
        let highest = min(lengths.bins, Int(Float(lengths.bins) / max(1, ratio)))
        let whole = max(scratch.power(below: lengths.bins), 1e-20)
        let kept = ratio > 1 ? scratch.power(below: highest) / whole : 1
        // If the formants move, the level is meant to change.
        rings.keepLevel(
            &level, kept: kept, movement: shapes ? 0 : min(max(5 * (restShare - 0.2), 0), 1))
    }

    @_noLocks
    private mutating func findRegions() {
        for index in 0..<channelCount {
            regions.measure(
                channels[index].spectrum(newer), before: channels[index].spectrum(1 - newer),
                isFirst: index == 0)
        }
        regions.find(scratch.power, partials, ratio: ratio, kept: kept)
        for index in 0..<channelCount {
            regions.measureDelays(channels[index].spectrum(newer))
        }
        regions.settle(scratch.power, partials, ratio: ratio, before: level.gain)
        guard shapes else { return partials.keepLevels() }
        let scale = (keepsFormants ? controls.ratio : 1) / controls.formantRatio
        regions.shape(
            envelope, partials, scale: Float(scale), power: scratch.power, ratio: controls.ratio)
    }
}
