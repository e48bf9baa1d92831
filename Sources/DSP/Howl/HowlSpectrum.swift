internal import CRealtime
public import Realtime

/// A narrow peak of a power spectrum.
public struct HowlPeak: BitwiseCopyable, Sendable {
    /// The frequency in bins, interpolated.
    public let position: Float
    /// The level in dB; a sine of amplitude 1 has 0 dB.
    public let level: Float
}

/// The power spectrum of the latest 85 ms, its narrow peaks, and the highest levels of the time
/// before.
///
/// The caller does the work in parts, so that no block of frames bears the whole load: `begin`,
/// `transform`, `measure`, and `findPeaks` for each of three parts.
public struct HowlSpectrum: ~Copyable {
    /// The number of frames between two parts of the work.
    public let stepFrames: Int
    /// The distance of two bins in Hz.
    public let hertzPerBin: Double
    /// The time between two spectra, in seconds.
    public let hopSeconds: Double
    private let transformFrames: Int
    private let realTransform: RealTransform
    private let window: Buffer<Float>
    /// The newest frames, as a ring.
    private let ring: Buffer<Float>
    private var ringPosition = 0
    private let frames: Buffer<Float>
    private let bins: ComplexBuffer
    private let power: Buffer<Float>
    /// The highest power of each bin in the current segment of 0.46 s and in the three before it.
    private let segments: Buffer<Float>
    private var currentSegment = 0
    private var segmentHops = 0
    private let peaks: Buffer<HowlPeak>
    /// The bins of the peaks that were found last.
    private let candidates: Buffer<Int32>
    /// The index of the peak at each bin; -1 without one.
    private let peakIndices: Buffer<Int16>
    /// Whether each peak continues a partial.
    private let isFollowed: Buffer<Bool>
    /// The number of peaks.
    public private(set) var peakCount = 0
    /// The highest power of the bins that are searched.
    private var highestPower: Float = 0
    /// The highest level of the last seconds in dB; it falls by 1 dB per second.
    public private(set) var ceiling: Float = -150

    /// The number of steps from one spectrum to the next.
    public static var stepsPerHop: Int { @_noLocks get { 8 } }
    private static var segmentCount: Int { @_noLocks get { 4 } }
    private static var hopsPerSegment: Int { @_noLocks get { 43 } }
    private static var peakLimit: Int { @_noLocks get { 128 } }
    /// The power below which no bin is a peak: -90 dB.
    private static var quiet: Float { @_noLocks get { 1e-9 } }
    /// The lowest power of a peak relative to the highest: -50 dB.
    private static var weakest: Float { @_noLocks get { 1e-5 } }
    /// The lowest ratio of a peak's power to the mean of its quietest neighbours: 10 dB.
    private static var leastContrast: Float { @_noLocks get { 10 } }

    /// Creates the spectrum of silence; the rate is in frames per second.
    public init(sampleRate: Double) {
        let lengths = StretchLengths(windowSteps: 64, sampleRate: sampleRate)
        stepFrames = lengths.stepFrames
        transformFrames = lengths.transformFrames
        let size = transformFrames
        hertzPerBin = sampleRate / Double(size)
        hopSeconds = Double(HowlSpectrum.stepsPerHop * stepFrames) / sampleRate
        realTransform = RealTransform(size: size)
        // Hann's window, scaled so that a sine of amplitude 1 has the power 1.
        window = Buffer(count: size) { frame in
            let angle = 2 * Double.pi * (Double(frame) + 0.5) / Double(size)
            return Float(2 / Double(size) * (1 - rt_cos(angle)))
        }
        ring = Buffer(count: size, repeating: 0)
        frames = Buffer(count: size, repeating: 0)
        let room = size / 2 + 1 + 8
        bins = ComplexBuffer(count: room)
        power = Buffer(count: room, repeating: 0)
        segments = Buffer(count: HowlSpectrum.segmentCount * room, repeating: 0)
        peaks = Buffer(
            count: HowlSpectrum.peakLimit, repeating: HowlPeak(position: 0, level: 0))
        candidates = Buffer(count: HowlSpectrum.peakLimit + 4, repeating: 0)
        peakIndices = Buffer(count: room, repeating: -1)
        isFollowed = Buffer(count: HowlSpectrum.peakLimit, repeating: false)
    }

    /// The peaks, from low to high frequencies.
    public subscript(index: Int) -> HowlPeak { @_noLocks get { peaks[index] } }

    /// The highest level of the latest spectrum, in dB.
    public var highestLevel: Float { @_noLocks get { HowlSpectrum.decibels(highestPower) } }

    /// The number of bins up to the highest one that can be a peak.
    private var endBin: Int { @_noLocks get { transformFrames / 2 - 8 } }
    /// The end of the positions of peaks, in bins.
    public var endPosition: Float { @_noLocks get { Float(endBin) } }

    /// Returns the spectrum to that of silence.
    @_noLocks
    public mutating func reset() {
        rt_clear(ring.start, Int64(ring.count))
        rt_clear(power.start, Int64(power.count))
        ringPosition = 0
        highestPower = 0
        ceiling = -150
        forget()
    }

    /// Forgets the highest levels of the time before, and the peaks.
    @_noLocks
    public mutating func forget() {
        rt_clear(segments.start, Int64(segments.count))
        currentSegment = 0
        segmentHops = 0
        clearPeaks()
    }

    /// The number of words of `note`.
    public static var noteWords: Int { 2 }

    /// Writes what does not follow from the latest spectra; before the first part of the work.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(segmentHops)
        notes.pointee.put(ceiling, 0)
    }

    /// Continues from noted values, before the first part of the work.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        segmentHops = notes.pointee.pop(from: 0, through: HowlSpectrum.hopsPerSegment - 1)
        ceiling = notes.pointee.popNumbers(within: 1000).0
        ringPosition -= ringPosition % stepFrames
    }

    /// Appends samples, which must be finite and not go beyond the end of a step.
    @_noLocks
    public mutating func push(_ samples: UnsafePointer<Float>, _ count: Int) {
        rt_copy(ring.start + ringPosition, samples, Int64(count))
        ringPosition = (ringPosition + count) % transformFrames
    }

    /// Takes the newest frames, in the window, and begins to transform them.
    @_noLocks
    public mutating func begin() {
        let old = transformFrames - ringPosition
        let (samples, newest) = (frames.start, ring.start + ringPosition)
        for frame in 0..<old { samples[frame] = newest[frame] * window[frame] }
        for frame in 0..<ringPosition {
            samples[old &+ frame] = ring[frame] * window[old &+ frame]
        }
        realTransform.begin(samples)
    }

    /// Continues the transform.
    @_noLocks
    public mutating func transform() {
        realTransform.transformPairs(real: bins.real, imaginary: bins.imaginary)
    }

    /// Measures the power of all bins, and keeps the highest.
    @_noLocks
    public mutating func measure() {
        realTransform.separate(real: bins.real, imaginary: bins.imaginary)
        segmentHops += 1
        if segmentHops == HowlSpectrum.hopsPerSegment {
            segmentHops = 0
            currentSegment = (currentSegment + 1) % HowlSpectrum.segmentCount
            rt_clear(segments.start + currentSegment * power.count, Int64(power.count))
        }
        let (real, imaginary) = (bins.real, bins.imaginary)
        let (levels, highest) = (power.start, segments.start + currentSegment * power.count)
        for bin in 0..<realTransform.bins {
            let square = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
            levels[bin] = square
            highest[bin] = square > highest[bin] ? square : highest[bin]
        }
        clearPeaks()
        ceiling = max(ceiling - Float(hopSeconds), -150)
    }

    /// Searches one of the three parts of the spectrum for peaks, the lowest first.
    ///
    /// - Parameters:
    ///   - part: The part, from 0 to 2.
    ///   - lowest: The lowest frequency of a peak, in Hz.
    ///   - highest: The highest frequency of a peak, in Hz.
    @_noLocks
    public mutating func findPeaks(part: Int, lowest: Double, highest: Double) {
        let first = max(4, Int(lowest / hertzPerBin))
        let end = max(first, min(endBin, Int(min(highest / hertzPerBin, 1e6)) + 1))
        if part == 0 {
            highestPower = rt_highest(power.start + first, Int64(end - first))
            ceiling = max(ceiling, highestLevel)
        }
        // The parts are unequal, because the steps have other work too.
        let (low, high) = (transformFrames / 16, transformFrames * 17 / 64)
        let start = part == 0 ? first : min(max(part == 1 ? low : high, first), end)
        let stop = part == 2 ? end : min(max(part == 0 ? low : high, first), end)
        let least = max(HowlSpectrum.quiet, HowlSpectrum.weakest * highestPower)
        let limits = RTPeakLimits(power: least, ratio: 0.5 * HowlSpectrum.leastContrast)
        let count = rt_find_peaks(
            power.start, Int64(start), Int64(stop), limits, candidates.start,
            Int64(HowlSpectrum.peakLimit - peakCount))
        for index in 0..<Int(count) { add(Int(candidates[index])) }
    }

    /// Adds the peak at a bin.
    @_noLocks
    private mutating func add(_ bin: Int) {
        let maximum = rt_maximum(power.start, Int64(bin))
        peaks[peakCount] = HowlPeak(
            position: Float(bin) + maximum.offset, level: 3.0103 * maximum.level)
        peakIndices[bin] = Int16(truncatingIfNeeded: peakCount)
        isFollowed[peakCount] = false
        peakCount += 1
    }

    @_noLocks
    private mutating func clearPeaks() {
        for index in 0..<peakIndices.count { peakIndices[index] = -1 }
        peakCount = 0
    }

    /// Returns the index of the peak next to a position in bins, and marks it as followed; `nil` if
    /// none is less than one bin away.
    @_noLocks
    public mutating func takePeak(near position: Float) -> Int? {
        let bin = Int(position + 0.5)
        var (nearest, bound): (Int?, Float) = (nil, 1)
        for candidate in max(0, bin - 2)...(bin + 2) where peakIndices[candidate] >= 0 {
            let index = Int(peakIndices[candidate])
            guard !isFollowed[index] else { continue }
            let difference = peaks[index].position - position
            let distance = difference < 0 ? -difference : difference
            if distance < bound { (nearest, bound) = (index, distance) }
        }
        if let nearest { isFollowed[nearest] = true }
        return nearest
    }

    /// Returns whether a peak has not been followed yet.
    @_noLocks
    public func isNew(_ index: Int) -> Bool { !isFollowed[index] }

    /// Returns the level at a frequency in bins, in dB: that of the strongest of three bins.
    @_noLocks
    public func level(at position: Float) -> Float {
        HowlSpectrum.decibels(HowlSpectrum.highest(power.start, near(position)))
    }

    /// Returns the highest level at a frequency in bins, in dB, in a time of 1.4 s that ended up to
    /// 0.46 s ago.
    @_noLocks
    public func earlierLevel(at position: Float) -> Float {
        var highest: Float = 0
        for segment in 0..<HowlSpectrum.segmentCount where segment != currentSegment {
            let first = segments.start + segment * power.count
            highest = max(highest, HowlSpectrum.highest(first, near(position)))
        }
        return HowlSpectrum.decibels(highest)
    }

    /// Returns the bin next to a position whose neighbours exist.
    @_noLocks
    private func near(_ position: Float) -> Int {
        min(max(Int(position + 0.5), 1), transformFrames / 2 - 1)
    }

    @_noLocks
    private static func highest(_ power: UnsafePointer<Float>, _ bin: Int) -> Float {
        max(power[bin - 1], max(power[bin], power[bin + 1]))
    }

    /// Returns a power in dB.
    @_noLocks
    private static func decibels(_ power: Float) -> Float {
        Float(4.3429448190325175 * rt_log(Double(power) + 1e-20))
    }
}
