internal import CRealtime
public import Realtime

/// How the level of a partial moved in the latest spectra.
public struct PartialGrowth: BitwiseCopyable, Sendable {
    /// The slope of the line that fits the levels best, in dB per spectrum.
    public let slope: Float
    /// The rise of that line over the time, in dB.
    public let rise: Float
    /// The RMS distance of the levels from the line, in dB.
    public let deviation: Float
    /// The slope over the later half of the time, in dB per spectrum.
    public let lateSlope: Float
    /// The difference between the highest and the lowest frequency, in bins.
    public let span: Float
}

/// The present state of a partial.
public struct PartialTrack: BitwiseCopyable {
    /// The number of spectra with the partial; 0 if it is absent.
    var age = 0
    /// The frequency in bins in the latest spectrum.
    var position: Float = 0
    /// The level in dB in the latest spectrum.
    var level: Float = 0
    /// The frequency and level from which the partial has not moved since a number of spectra.
    var steadyPosition: Float = 0
    var steadyLevel: Float = 0
    var steadyHops = 0
    /// The number of spectra since the partial was seen.
    var gap = 0
}

/// The partials that are followed from one spectrum to the next, with their frequencies and levels.
public struct PartialTracks: ~Copyable {
    private let tracks: Buffer<PartialTrack>
    /// The frequencies and the levels of each track, as rings.
    private let positions: Buffer<Float>
    private let levels: Buffer<Float>
    /// The level of each partial in dB, and minus infinity where there is none.
    private let strengths: Buffer<Float>

    /// The largest number of partials.
    public static var limit: Int { @_noLocks get { 64 } }
    /// The number of spectra that are remembered.
    private static var memory: Int { @_noLocks get { 128 } }
    /// The movement of the level in dB up to which a partial is steady.
    private static var steadyDecibels: Float { @_noLocks get { 1.5 } }
    /// The number of spectra for which other sound may cover a partial.
    private static var longestGap: Int { @_noLocks get { 2 } }

    /// Creates an empty list.
    public init() {
        tracks = Buffer(count: PartialTracks.limit, repeating: PartialTrack())
        positions = Buffer(count: PartialTracks.limit * PartialTracks.memory, repeating: 0)
        levels = Buffer(count: PartialTracks.limit * PartialTracks.memory, repeating: 0)
        strengths = Buffer(count: PartialTracks.limit, repeating: 0)
    }

    /// Removes all partials.
    @_noLocks
    public func clear() { tracks.fill(with: PartialTrack()) }

    /// The largest number of words of `note`.
    public static var noteWords: Int { 5 * limit }

    /// Writes the present states of the partials, and not their histories.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        for index in 0..<PartialTracks.limit {
            let track = tracks[index]
            notes.pointee.put(track.age)
            guard track.age > 0 else { continue }
            notes.pointee.put(track.position, track.level)
            notes.pointee.put(track.steadyPosition, track.steadyLevel)
            notes.pointee.put(track.steadyHops)
            notes.pointee.put(track.gap)
        }
    }

    /// Continues with noted partials.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - end: The end of the positions, in bins.
    @_noLocks
    public func follow(_ notes: UnsafeMutablePointer<StateNotes>, below end: Float) {
        for index in 0..<PartialTracks.limit {
            var track = PartialTrack()
            track.age = notes.pointee.pop(from: 0, through: 1 << 50)
            if track.age > 0 {
                (track.position, track.level) = notes.pointee.popNumbers(within: 1e5)
                track.position = min(max(track.position, 0), end)
                (track.steadyPosition, track.steadyLevel) = notes.pointee.popNumbers(within: 1e5)
                // A partial is never steady for longer than it exists.
                track.steadyHops = notes.pointee.pop(from: 0, through: track.age - 1)
                track.gap = notes.pointee.pop(from: 0, through: PartialTracks.longestGap)
            }
            tracks[index] = track
        }
    }

    /// Returns the number of spectra with a partial; 0 if this index has none.
    @_noLocks
    public func age(_ index: Int) -> Int { tracks[index].age }

    /// Returns the frequency of a partial in bins.
    @_noLocks
    public func position(_ index: Int) -> Float { tracks[index].position }

    /// Returns the level of a partial in dB.
    @_noLocks
    public func level(_ index: Int) -> Float { tracks[index].level }

    /// Returns for how many spectra a partial has been steady in frequency and level.
    @_noLocks
    public func steadyHops(_ index: Int) -> Int { tracks[index].steadyHops }

    /// Continues all partials with the peaks of the next spectrum.
    @_noLocks
    public func follow(_ spectrum: inout HowlSpectrum) {
        for index in 0..<PartialTracks.limit where tracks[index].age > 0 {
            if let peak = spectrum.takePeak(near: tracks[index].position) {
                append(spectrum[peak], to: index)
                tracks[index].gap = 0
            } else if tracks[index].gap < PartialTracks.longestGap {
                let (position, level) = (tracks[index].position, tracks[index].level)
                append(HowlPeak(position: position, level: level), to: index)
                tracks[index].gap += 1
            } else {
                tracks[index].age = 0
            }
        }
    }

    /// Begins a partial for each peak that continues none, in place of the weakest partial if there
    /// are too many.
    ///
    /// - Parameters:
    ///   - spectrum: The spectrum that the partials were continued with.
    ///   - part: The part of the peaks, from 0 to 2, in this order. The first peaks find most of the
    ///     free places, so the parts become larger.
    @_noLocks
    public func begin(_ spectrum: borrowing HowlSpectrum, part: Int) {
        for index in 0..<PartialTracks.limit {
            strengths[index] = tracks[index].age == 0 ? -.infinity : tracks[index].level
        }
        let (low, high) = (spectrum.peakCount / 12, spectrum.peakCount * 7 / 16)
        let first = part == 0 ? 0 : part == 1 ? low : high
        let end = part == 0 ? low : part == 1 ? high : spectrum.peakCount
        var weakest = weakest
        for peak in first..<end
        where spectrum.isNew(peak) && spectrum[peak].level > strengths[weakest] {
            tracks[weakest] = PartialTrack()
            append(spectrum[peak], to: weakest)
            strengths[weakest] = spectrum[peak].level
            weakest = self.weakest
        }
    }

    /// The index of the weakest partial, or of the first place without one.
    private var weakest: Int {
        @_noLocks get { Int(rt_least_place(strengths.start, Int64(PartialTracks.limit))) }
    }

    /// Lets the history of a partial begin with its latest spectrum.
    @_noLocks
    public func restart(_ index: Int) {
        let latest = HowlPeak(position: tracks[index].position, level: tracks[index].level)
        tracks[index] = PartialTrack()
        append(latest, to: index)
    }

    @_noLocks
    private func append(_ peak: HowlPeak, to index: Int) {
        var track = tracks[index]
        let place = index * PartialTracks.memory + track.age % PartialTracks.memory
        positions[place] = peak.position
        levels[place] = peak.level
        track.position = peak.position
        track.level = peak.level
        let distance = PartialTracks.magnitude(peak.position - track.steadyPosition)
        let change = PartialTracks.magnitude(peak.level - track.steadyLevel)
        if track.age > 0 && change <= PartialTracks.steadyDecibels
            && distance <= 0.1 + 0.0005 * peak.position
        {
            track.steadyHops += 1
        } else {
            track.steadyPosition = peak.position
            track.steadyLevel = peak.level
            track.steadyHops = 0
        }
        track.age += 1
        tracks[index] = track
    }

    /// Returns the rise of a partial's level between two spectra, in dB; 0 if it is younger.
    @_noLocks
    public func rise(_ index: Int, hops: Int) -> Float {
        guard tracks[index].age >= hops else { return 0 }
        return tracks[index].level - level(index, before: hops - 1)
    }

    /// Returns the level of a partial a number of spectra before the latest one.
    @_noLocks
    private func level(_ index: Int, before hops: Int) -> Float {
        let place = (tracks[index].age - 1 - hops) % PartialTracks.memory
        return levels[index * PartialTracks.memory + place]
    }

    /// Returns how a partial moved in the latest spectra.
    ///
    /// - Parameters:
    ///   - index: The partial, which is at least that old.
    ///   - hops: The number of spectra, from 2 to 128.
    /// - Returns: The line that fits the levels best, and the distances from it.
    @_noLocks
    public func growth(_ index: Int, hops: Int) -> PartialGrowth {
        let (first, age) = (index * PartialTracks.memory, tracks[index].age)
        let centre = 0.5 * Float(hops - 1)
        var (sum, product, squares): (Float, Float, Float) = (0, 0, 0)
        var (lowest, highest) = (tracks[index].position, tracks[index].position)
        for hop in 0..<hops {
            let place = first + (age - hops + hop) % PartialTracks.memory
            let time = Float(hop) - centre
            sum += levels[place]
            product += time * levels[place]
            squares += time * time
            lowest = min(lowest, positions[place])
            highest = max(highest, positions[place])
        }
        let (mean, slope) = (sum / Float(hops), product / squares)
        var deviation: Float = 0
        for hop in 0..<hops {
            let place = first + (age - hops + hop) % PartialTracks.memory
            let error = levels[place] - mean - slope * (Float(hop) - centre)
            deviation += error * error
        }
        let half = hops / 2
        let late = (tracks[index].level - level(index, before: half)) / Float(half)
        return PartialGrowth(
            slope: slope, rise: slope * Float(hops - 1),
            deviation: Float(rt_sqrt(Double(deviation / Float(hops)))), lateSlope: late,
            span: highest - lowest)
    }

    @_noLocks
    private static func magnitude(_ x: Float) -> Float { x < 0 ? -x : x }
}
