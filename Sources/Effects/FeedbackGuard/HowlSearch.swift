internal import CRealtime
internal import DSP
internal import Realtime

/// The search for howls among the partials of the latest sound.
///
/// The level of a howl in dB rises at a constant rate, its frequency is constant, it has no
/// harmonics, and it becomes louder than all sound at this frequency before. All but the last are
/// criteria from van Waterschoot and Moonen, "Fifty years of acoustic feedback control"
/// (Proceedings of the IEEE, 2011): interframe magnitude slope deviation, interframe peak magnitude
/// persistence, and the ratios of a peak's power to that of harmonics and of neighbours.
struct HowlSearch: ~Copyable {
    private var spectrum: HowlSpectrum
    private let tracks = PartialTracks()
    /// The number of the next part of the work.
    private var part = 0

    /// The lowest level of a howl in dB.
    private static var floor: Float { @_noLocks get { -80 } }
    /// How far below the loudest partial a howl may be, in dB.
    private static var dominance: Float { @_noLocks get { 22 } }
    /// How far harmonics must be below a howl, in dB.
    private static var harmonicRatio: Float { @_noLocks get { 17 } }
    /// The rise of a howl in dB.
    private static var need: Float { @_noLocks get { 8 } }
    /// The rise within the shortest of the times, in dB.
    private static var shortNeed: Float { @_noLocks get { 12 } }
    /// The slope in dB per spectrum from which the first notch is deep: 120 dB/s.
    private static var fast: Float { @_noLocks get { 1.28 } }
    /// The slope in dB per spectrum below which a partial decays: 3 dB/s.
    private static var decay: Float { @_noLocks get { -0.032 } }
    /// The depths of a first notch in dB.
    private static var depths: (normal: Double, deep: Double) { @_noLocks get { (6, 12) } }

    init(sampleRate: Double) { spectrum = HowlSpectrum(sampleRate: sampleRate) }

    /// The number of frames between two parts of the work.
    var stepFrames: Int { @_noLocks get { spectrum.stepFrames } }
    /// The time between two spectra, in seconds.
    var hopSeconds: Double { @_noLocks get { spectrum.hopSeconds } }

    @_noLocks
    mutating func reset() {
        spectrum.reset()
        tracks.clear()
        part = 0
    }

    /// Forgets all partials.
    @_noLocks
    mutating func forget() {
        spectrum.forget()
        tracks.clear()
    }

    /// The largest number of words of `note`.
    static var noteWords: Int { HowlSpectrum.noteWords + PartialTracks.noteWords }

    /// Writes the partials; after a spectrum was completed.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        spectrum.note(to: notes)
        tracks.note(to: notes)
    }

    /// Continues with noted partials, as after a spectrum was completed.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        part = 0
        spectrum.follow(notes)
        tracks.follow(notes, below: spectrum.endPosition)
    }

    /// Appends samples, which must be finite and not go beyond the end of a step.
    @_noLocks
    mutating func push(_ samples: UnsafePointer<Float>, _ count: Int) {
        spectrum.push(samples, count)
    }

    /// Does the next part of the work at the end of a step, and puts notches at howls.
    ///
    /// - Returns: Whether a spectrum was completed.
    @_noLocks
    mutating func step(_ notches: inout GuardNotches, _ settings: GuardSettings) -> Bool {
        let (lowest, highest) = (settings.lowest, settings.highest)
        switch part {
        case 0: spectrum.begin()
        case 1: spectrum.transform()
        case 2:
            spectrum.measure()
            spectrum.findPeaks(part: 0, lowest: lowest, highest: highest)
        case 3: spectrum.findPeaks(part: 1, lowest: lowest, highest: highest)
        case 4: spectrum.findPeaks(part: 2, lowest: lowest, highest: highest)
        case 5:
            notches.observe(spectrum, settings)
            tracks.follow(&spectrum)
            tracks.begin(spectrum, part: 0)
        case 6:
            tracks.begin(spectrum, part: 1)
            judge(half: 0, &notches, settings)
        default:
            tracks.begin(spectrum, part: 2)
            judge(half: 1, &notches, settings)
        }
        part = (part + 1) % HowlSpectrum.stepsPerHop
        return part == 0
    }

    /// Judges half of the partials.
    @_noLocks
    private func judge(half: Int, _ notches: inout GuardNotches, _ settings: GuardSettings) {
        let count = PartialTracks.limit / 2
        let least = spectrum.highestLevel - HowlSearch.dominance - (notches.isAlarmed ? 8 : 0)
        for index in half * count..<(half + 1) * count where tracks.age(index) > 1 {
            guard tracks.level(index) > max(least, HowlSearch.floor) else { continue }
            guard let howl = howl(index, notches, settings) else { continue }
            notches.suppress(howl, settings)
            tracks.restart(index)
        }
    }

    /// Returns the howl that a partial is; `nil` if it is none.
    @_noLocks
    private func howl(
        _ index: Int, _ notches: borrowing GuardNotches, _ settings: GuardSettings
    ) -> Howl? {
        let hertz = Double(tracks.position(index)) * spectrum.hertzPerBin
        // The binary logarithm.
        let octave = rt_log(hertz) * 1.4426950408889634
        let isKnown = notches.isKnown(octave, settings)
        let isExcluded = !isKnown && notches.isExcluded(octave)
        if !isExcluded, isSaturated(index, notches) {
            let depths = HowlSearch.depths
            return Howl(
                octave: octave, level: tracks.level(index), slope: 0,
                depth: notches.isAlarmed ? depths.normal : depths.deep)
        }
        var need = HowlSearch.need * settings.need
        if notches.isAlert { need *= 0.67 }
        if isKnown { need *= 0.7 }
        for span in 0..<6 {
            let hops = HowlSearch.hops(span)
            guard tracks.age(index) >= hops else { return nil }
            var least = span == 0 ? need * HowlSearch.shortNeed / HowlSearch.need : need
            if isExcluded { least = max(2.5 * least, 18) }
            guard tracks.rise(index, hops: hops) > 0.7 * least else { continue }
            let growth = tracks.growth(index, hops: hops)
            guard growth.rise > least, isStraight(growth, hops: hops, index, notches.isAlarmed),
                isNew(index, isKnown || notches.isAlarmed),
                growth.rise > 2.5 * HowlSearch.need
                    || harmonicRatio(index) > HowlSearch.harmonicRatio
            else { continue }
            let depths = HowlSearch.depths
            return Howl(
                octave: octave, level: tracks.level(index), slope: growth.slope,
                depth: growth.slope > HowlSearch.fast ? depths.deep : depths.normal)
        }
        return nil
    }

    /// The number of spectra over which a rise is measured: from 0.07 to 1.3 s.
    @_noLocks
    private static func hops(_ span: Int) -> Int {
        switch span {
        case 0: 7
        case 1: 11
        case 2: 16
        case 3: 24
        case 4: 48
        default: 126
        }
    }

    /// Returns whether a level rose in a straight line, at a constant frequency.
    @_noLocks
    private func isStraight(
        _ growth: PartialGrowth, hops: Int, _ index: Int, _ isAlarmed: Bool
    ) -> Bool {
        // Noise disturbs slow howls more.
        let deviation: Float = (hops >= 48 ? 1.8 : 1.2) * (0.3 + 0.05 * growth.rise)
        let span = (isAlarmed ? 2 : 1) * (0.2 + 0.0007 * tracks.position(index))
        return growth.deviation < deviation && growth.span < span
            && growth.lateSlope > (isAlarmed ? 0.6 : 0.75) * growth.slope
    }

    /// Returns whether a partial is louder than all sound at its frequency before.
    ///
    /// A beat and a repeated note are not.
    @_noLocks
    private func isNew(_ index: Int, _ isExpected: Bool) -> Bool {
        isExpected
            || tracks.level(index) > spectrum.earlierLevel(at: tracks.position(index)) + 1
    }

    /// Returns whether a partial is a howl that cannot become louder: it is alone, among the
    /// loudest sounds of the last seconds, and steady.
    @_noLocks
    private func isSaturated(_ index: Int, _ notches: borrowing GuardNotches) -> Bool {
        let (isAlarmed, isAlert) = (notches.isAlarmed, notches.isAlert)
        guard tracks.steadyHops(index) >= (isAlarmed ? 16 : isAlert ? 48 : 96),
            tracks.level(index) > spectrum.ceiling - (isAlarmed ? 10 : 6)
        else { return false }
        // A note that decays is not steady.
        guard tracks.growth(index, hops: 16).slope > HowlSearch.decay else { return false }
        // A howl that clips has odd harmonics.
        return harmonicRatio(index)
            > HowlSearch.harmonicRatio + (isAlarmed ? -10 : isAlert ? -6 : 5)
    }

    /// Returns how far the harmonics of a partial, and the partial of which it may be the second
    /// harmonic, are below it, in dB.
    @_noLocks
    private func harmonicRatio(_ index: Int) -> Float {
        let position = tracks.position(index)
        var highest: Float = -200
        for other in 0..<3 {
            let multiple: Float = other == 0 ? 2 : other == 1 ? 3 : 0.5
            let place = multiple * position
            guard place > 3, place < spectrum.endPosition else { continue }
            highest = max(highest, spectrum.level(at: place))
        }
        return tracks.level(index) - highest
    }
}
