internal import CRealtime
internal import DSP
internal import Realtime

/// The notches: their frequencies and depths, and the time at which each is released.
struct GuardNotches: ~Copyable {
    /// A frequency at which a notch had no effect, so that the sound there is no howl.
    private struct Exclusion: BitwiseCopyable {
        var octave = 0.0
        var hopsLeft = 0
    }

    private let notches: Buffer<GuardNotch>
    private let exclusions: Buffer<Exclusion>
    private var nextExclusion = 0
    /// The notch that was made or became deeper last.
    private(set) var newest: Int?
    /// Whether a howl was found in the last 3 s, so that the gain is certainly too high.
    private(set) var isAlarmed = false
    /// Whether there are notches at howls.
    private(set) var isAlert = false

    /// The largest number of notches in use.
    static var limit: Int { @_noLocks get { 12 } }
    /// The number of notches with those that fade away.
    static var slots: Int { @_noLocks get { 16 } }
    private static var exclusionCount: Int { @_noLocks get { 16 } }
    /// The spectra for which the effect of a notch is awaited: 64 ms.
    private static var firstHops: Int { @_noLocks get { 6 } }
    /// The spectra after which a notch without effect is removed: 0.17 s.
    private static var lastHops: Int { @_noLocks get { 16 } }
    /// The spectra after which a deep notch without effect is removed: 2 s.
    private static var patientHops: Int { @_noLocks get { 188 } }
    /// The fall of the level in dB that proves a howl.
    private static var provingFall: Float { @_noLocks get { 3 } }
    /// The rise in dB per spectrum with which a howl still grows.
    private static var growing: Float { @_noLocks get { 0.25 } }
    /// The slope in dB per spectrum below which a howl must become slower by a notch: 50 dB/s.
    private static var slow: Float { @_noLocks get { 0.53 } }
    private static var alarmHops: Int { @_noLocks get { 280 } }
    /// The spectra for which a frequency is excluded: 10 s, or 2 s while there is a howl.
    private static var exclusionHops: (calm: Int, alarmed: Int) { @_noLocks get { (940, 200) } }

    init() {
        notches = Buffer(count: GuardNotches.slots, repeating: GuardNotch())
        exclusions = Buffer(count: GuardNotches.exclusionCount, repeating: Exclusion())
    }

    /// A notch, in place.
    subscript(index: Int) -> GuardNotch {
        @_noLocks get { notches[index] }
    }

    /// The number of notches in use.
    var count: Int {
        @_noLocks get {
            var count = 0
            for index in 0..<GuardNotches.slots where notches[index].state != .free { count += 1 }
            return count
        }
    }

    /// Removes all notches at once.
    @_noLocks
    mutating func reset() {
        for index in 0..<GuardNotches.slots { notches[index].clear() }
        forget()
    }

    /// Lets all notches fade away, and forgets the exclusions.
    @_noLocks
    mutating func free() {
        for index in 0..<GuardNotches.slots { notches[index].free() }
        forget()
    }

    @_noLocks
    private mutating func forget() {
        exclusions.fill(with: Exclusion())
        newest = nil
        isAlarmed = false
        isAlert = false
    }

    /// The largest number of words of `note`.
    static var noteWords: Int { slots * GuardNotch.noteWords + 2 * exclusionCount + 2 }

    /// Writes the notches and the exclusions.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        for index in 0..<GuardNotches.slots { notches[index].note(to: notes) }
        for index in 0..<GuardNotches.exclusionCount {
            notes.pointee.put(exclusions[index].octave)
            notes.pointee.put(exclusions[index].hopsLeft)
        }
        notes.pointee.put(newest ?? -1)
        notes.pointee.put(4 * nextExclusion + (isAlarmed ? 2 : 0) + (isAlert ? 1 : 0))
    }

    /// Continues with noted notches.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>, sampleRate: Double) {
        for index in 0..<GuardNotches.slots {
            notches[index].follow(notes, sampleRate: sampleRate)
        }
        for index in 0..<GuardNotches.exclusionCount {
            let octave = notes.pointee.popNumber(within: 64)
            exclusions[index] = Exclusion(
                octave: octave, hopsLeft: notes.pointee.pop(from: 0, through: 1 << 20))
        }
        let noted = notes.pointee.pop(from: -1, through: GuardNotches.slots - 1)
        newest = noted < 0 ? nil : noted
        let word = notes.pointee.pop(from: 0, through: 4 * GuardNotches.exclusionCount - 1)
        (isAlarmed, isAlert) = (word & 2 != 0, word & 1 != 0)
        nextExclusion = word / 4
    }

    /// Locks the present notches, or unlocks all.
    @_noLocks
    mutating func lock(_ isLocked: Bool) {
        for index in 0..<GuardNotches.slots where notches[index].state != .free {
            notches[index].isLocked = isLocked
            notches[index].idleHops = 0
            if isLocked && notches[index].state == .releasing { notches[index].state = .settled }
        }
    }

    /// Calculates the filters of the next step.
    @_noLocks
    func prepareStep(sampleRate: Double) {
        for index in 0..<GuardNotches.slots { notches[index].prepareStep(sampleRate: sampleRate) }
    }

    /// Moves the gains of all notches on.
    @_noLocks
    func advance(_ frameCount: Int, glide: Double) {
        for index in 0..<GuardNotches.slots where !notches[index].isResting {
            notches[index].advance(frameCount, glide: glide)
        }
    }

    /// Returns whether a notch at a howl covers a frequency.
    @_noLocks
    func isKnown(_ octave: Double, _ settings: GuardSettings) -> Bool {
        let margin = 0.25 * settings.width
        for index in 0..<GuardNotches.slots
        where notches[index].state == .settled || notches[index].state == .releasing {
            if octave > notches[index].low - margin && octave < notches[index].high + margin {
                return true
            }
        }
        return false
    }

    /// Returns whether a notch at a frequency had no effect in the last seconds.
    @_noLocks
    func isExcluded(_ octave: Double) -> Bool {
        for index in 0..<exclusions.count where exclusions[index].hopsLeft > 0 {
            let distance = octave - exclusions[index].octave
            if distance < 0.03 && distance > -0.03 { return true }
        }
        return false
    }

    /// Observes the levels at all notches in a new spectrum, and changes depths.
    @_noLocks
    mutating func observe(_ spectrum: borrowing HowlSpectrum, _ settings: GuardSettings) {
        isAlarmed = false
        isAlert = false
        for index in 0..<GuardNotches.slots
        where notches[index].state == .settled || notches[index].state == .releasing {
            isAlert = true
            if notches[index].idleHops < GuardNotches.alarmHops { isAlarmed = true }
        }
        for index in 0..<exclusions.count where exclusions[index].hopsLeft > 0 {
            exclusions[index].hopsLeft -= 1
        }
        for index in 0..<GuardNotches.slots where notches[index].state != .free {
            let position = Float(notches[index].hertz / spectrum.hertzPerBin)
            notches[index].levels.append(spectrum.level(at: position))
            notches[index].hopsSinceChange += 1
            notches[index].idleHops += 1
            switch notches[index].state {
            case .free: break
            case .trial: judge(index, settings)
            case .settled: if isOld(index, settings) { notches[index].state = .releasing }
            case .releasing:
                notches[index].depth -= settings.releaseDecibels
                if notches[index].depth <= 0 { notches[index].free() }
            }
        }
    }

    /// Returns whether there was no howl at a notch for long.
    ///
    /// The time doubles each time a howl comes back, up to eight times the first one.
    @_noLocks
    private func isOld(_ index: Int, _ settings: GuardSettings) -> Bool {
        guard !isAlarmed && !notches[index].isLocked else { return false }
        let doublings = Int(min(notches[index].returns, 3))
        return notches[index].idleHops > settings.releaseHops &<< doublings
    }

    /// Judges a new notch by its effect: a howl falls or grows more slowly; all other sound
    /// continues as before.
    @_noLocks
    private mutating func judge(_ index: Int, _ settings: GuardSettings) {
        let level = notches[index].levels.newest
        let hops = notches[index].hopsSinceChange
        if hops < GuardNotches.firstHops {
            notches[index].reference = max(notches[index].reference, level)
            return
        }
        let (reference, slope) = (notches[index].reference, notches[index].slope)
        let rise = (level - notches[index].levels.third) / 3
        let isSlow = slope > 0 && slope < GuardNotches.slow
        if level < reference - GuardNotches.provingFall {
            notches[index].state = .settled
            notches[index].idleHops = 0
        } else if isSlow && !isAlarmed && hops >= 8 && rise > 0.6 * slope {
            exclude(index)
        } else if rise > GuardNotches.growing && level > reference - 1
            && (!isSlow || isAlarmed || hops >= 8)
        {
            deepen(index, by: 6, level: level, settings)
        } else if hops >= GuardNotches.lastHops {
            // A howl that clips needs a deeper notch. After a fast rise, or next to other howls,
            // that is likely.
            let eighth = notches[index].levels.eighth
            let isSteady =
                min(level, eighth) > reference - (isAlarmed ? GuardNotches.provingFall : 1.5)
            let isLikely = slope > GuardNotches.slow || isAlarmed || isAlert && slope == 0
            if isSteady && isLikely && notches[index].depth < settings.depthLimit {
                deepen(index, by: 6, level: reference, settings)
            } else if !isSteady || slope <= GuardNotches.slow || hops > GuardNotches.patientHops {
                exclude(index)
            }
        }
    }

    /// Removes a notch that had no effect, and excludes its frequency for a while.
    @_noLocks
    private mutating func exclude(_ index: Int) {
        let hops = GuardNotches.exclusionHops
        exclusions[nextExclusion] = Exclusion(
            octave: notches[index].octave, hopsLeft: isAlarmed ? hops.alarmed : hops.calm)
        nextExclusion = (nextExclusion + 1) % exclusions.count
        notches[index].free()
    }

    @_noLocks
    private mutating func deepen(
        _ index: Int, by decibels: Double, level: Float, _ settings: GuardSettings
    ) {
        let depth = min(notches[index].depth + decibels, settings.depthLimit)
        guard depth > notches[index].depth else { return }
        notches[index].setDepth(depth)
        notches[index].reference = level
        newest = index
    }

    /// Puts a notch at a howl: an existing one becomes deeper or wider, or a new one is made.
    @_noLocks
    mutating func suppress(_ howl: Howl, _ settings: GuardSettings) {
        if let index = nearest(to: howl.octave, within: 0.5 * settings.width) {
            if notches[index].state == .releasing {
                restore(index, howl, settings)
                return
            }
            // The effect of the latest change is not known yet.
            guard notches[index].hopsSinceChange > GuardNotches.firstHops else { return }
            if strengthen(index, howl, settings) {
                notches[index].idleHops = 0
                notches[index].reference = howl.level
                newest = index
                return
            }
        }
        makeRoom(for: howl, settings)
        guard let index = freeSlot() else { return }
        notches[index].begin(octave: howl.octave, width: settings.width)
        notches[index].setDepth(min(howl.depth, settings.depthLimit))
        notches[index].reference = howl.level
        notches[index].slope = howl.slope
        newest = index
    }

    /// Returns the notch whose range is nearest to a frequency, at most a distance away.
    @_noLocks
    private func nearest(to octave: Double, within distance: Double) -> Int? {
        var (found, bound): (Int?, Double) = (nil, distance)
        for index in 0..<GuardNotches.slots where notches[index].state != .free {
            let apart = max(notches[index].low - octave, octave - notches[index].high)
            if apart < bound { (found, bound) = (index, apart) }
        }
        return found
    }

    /// Puts a released notch back at once.
    @_noLocks
    private mutating func restore(_ index: Int, _ howl: Howl, _ settings: GuardSettings) {
        notches[index].returns += 1
        notches[index].state = .settled
        notches[index].idleHops = 0
        notches[index].reference = howl.level
        notches[index].setDepth(min(notches[index].deepest, settings.depthLimit))
        newest = index
    }

    /// Makes a notch deeper or wider, so that it reaches a howl.
    ///
    /// - Returns: Whether that was possible.
    @_noLocks
    private mutating func strengthen(_ index: Int, _ howl: Howl, _ settings: GuardSettings)
        -> Bool
    {
        let notch = notches[index]
        let distance = max(howl.octave - notch.octave, notch.octave - howl.octave)
        let low = min(notch.low, howl.octave - 0.5 * settings.width)
        let high = max(notch.high, howl.octave + 0.5 * settings.width)
        let canDeepen = notch.depth < settings.depthLimit
        let isCentral = distance < 0.3 * notch.width
        if !isCentral && !notch.isLocked && high - low > 1.02 * notch.width {
            guard high - low <= GuardSettings.widest else { return false }
            notches[index].cover(low: low, high, depth: min(howl.depth, settings.depthLimit))
            return true
        }
        if canDeepen {
            notches[index].setDepth(min(notch.depth + 0.5 * howl.depth, settings.depthLimit))
            return true
        }
        let wider = min(1.4 * notch.width, GuardSettings.widest)
        guard !notch.isLocked && wider > 1.02 * notch.width else { return false }
        notches[index].width = wider
        notches[index].hopsSinceChange = 0
        return true
    }

    /// If all notches are in use, merges or ends one.
    @_noLocks
    private mutating func makeRoom(for howl: Howl, _ settings: GuardSettings) {
        guard count >= GuardNotches.limit else { return }
        if let released = shallowestReleased(), notches[released].depth <= 3 {
            notches[released].free()
        } else if mergeNearest() {
            return
        } else if let released = shallowestReleased() {
            notches[released].free()
        } else if let unused = leastUsed() {
            notches[unused].free()
        }
    }

    @_noLocks
    private func shallowestReleased() -> Int? {
        var (found, least): (Int?, Double) = (nil, .infinity)
        for index in 0..<GuardNotches.slots where notches[index].state == .releasing {
            if notches[index].depth < least { (found, least) = (index, notches[index].depth) }
        }
        return found
    }

    /// Returns the notch whose latest howl is longest ago.
    @_noLocks
    private func leastUsed() -> Int? {
        var found: Int?
        var longest = -1
        for index in 0..<GuardNotches.slots
        where notches[index].state != .free && !notches[index].isLocked {
            if notches[index].idleHops > longest {
                (found, longest) = (index, notches[index].idleHops)
            }
        }
        return found
    }

    /// Merges the two notches that together cover the smallest range.
    ///
    /// - Returns: Whether there are two that are not too far from each other.
    @_noLocks
    private mutating func mergeNearest() -> Bool {
        var (first, second, least) = (0, 0, GuardSettings.widest)
        for index in 0..<GuardNotches.slots where isOpen(index) {
            for other in (index + 1)..<GuardNotches.slots where isOpen(other) {
                let range =
                    max(notches[index].high, notches[other].high)
                    - min(notches[index].low, notches[other].low)
                if range < least { (first, second, least) = (index, other, range) }
            }
        }
        guard first != second else { return false }
        let merged = notches[second]
        notches[first].cover(low: merged.low, merged.high, depth: merged.depth)
        notches[first].idleHops = min(notches[first].idleHops, merged.idleHops)
        notches[first].deepest = max(notches[first].deepest, merged.deepest)
        if merged.state == .settled { notches[first].state = .settled }
        notches[second].free()
        return true
    }

    @_noLocks
    private func isOpen(_ index: Int) -> Bool {
        notches[index].state != .free && !notches[index].isLocked
    }

    /// Returns a free slot, one whose earlier notch has faded away most; `nil` if all notches are
    /// in use.
    @_noLocks
    private func freeSlot() -> Int? {
        guard count < GuardNotches.limit else { return nil }
        var (found, highest): (Int?, Double) = (nil, -1)
        for index in 0..<GuardNotches.slots where notches[index].state == .free {
            if notches[index].gain > highest { (found, highest) = (index, notches[index].gain) }
        }
        return found
    }
}
