internal import CRealtime
internal import Realtime

/// A search for the lines of a sound in one Hann window of its past: the peaks of the spectrum, whose
/// lobes are then fitted together, so that close lines do not hide each other.
///
/// The work of a search is done in four calls: one `transform` per channel, `findPeaks`, `fit`, and
/// again `fit`. All channels share the frequencies.
struct LineSearch: ~Copyable {
    /// The length of the window in frames of the input.
    let windowFrames: Int
    /// The number of bins of the shift's transform per bin of this one.
    private let scale: Float
    private let channelCount: Int
    private let transform: RealTransform
    private let window: Buffer<Float>
    private let frames: Buffer<Float>
    /// The spectrum of each channel, which becomes what the lobes leave of it.
    private let spectra: Buffer<Float>
    /// The power of all channels together, after `margin` elements.
    private let powers: Buffer<Float>
    private let row: Buffer<Float>
    private let hannFit: HannFit
    /// The number of bins that are searched.
    private let bins: Int
    private let room: Int
    /// The peaks of the power, of which the strongest become lines.
    private let allPeaks: Buffer<Int32>
    /// The nearest bin of each line in the spectrum.
    private let peaks: Buffer<Int32>
    private let positions: Buffer<Float>
    /// The complex amount of each line in each channel, line by line.
    private let amounts: Buffer<SIMD2<Float>>
    /// The sum of the squares of each line's lobe at the fitted bins.
    private let energies: Buffer<Float>
    private let misfits: Buffer<Float>
    /// The number of lines of the last search.
    private(set) var count = 0

    /// The largest number of lines.
    static var limit: Int { @_noLocks get { 96 } }
    /// The power, relative to the strongest line, below which there is no line: -62 dB.
    private static var floor: Float { @_noLocks get { 6.3e-7 } }
    /// The largest change of a frequency in one fit, in bins.
    private static var step: Float { @_noLocks get { 0.25 } }
    private static var margin: Int { @_noLocks get { 16 } }

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - windowFrames: The length of the window in frames of the input.
    ///   - apart: The number of frames per point of the history.
    ///   - top: The highest frequency to search, in bins of the shift's transform.
    ///   - transformFrames: The frames of the shift's transform.
    ///   - channelCount: The number of channels.
    init(windowFrames: Int, apart: Int, top: Double, transformFrames: Int, channelCount: Int) {
        self.windowFrames = windowFrames
        self.channelCount = channelCount
        let size = windowFrames / apart
        scale = Float(transformFrames) / Float(windowFrames)
        transform = RealTransform(size: size)
        window = Buffer(count: size) { frame in
            Float((1 - rt_cos(2 * Double.pi * Double(frame) / Double(size))) / Double(size))
        }
        bins = min(transform.bins - 2, Int(top / Double(scale)) + 8)
        room = transform.bins + 2 * LineSearch.margin
        frames = Buffer(count: size, repeating: 0)
        spectra = Buffer(count: 2 * channelCount * room, repeating: 0)
        powers = Buffer(count: transform.bins + 2 * LineSearch.margin, repeating: 0)
        row = Buffer(count: HannLobe.width, repeating: 0)
        hannFit = HannFit()
        allPeaks = Buffer(count: transform.bins / 2 + 32, repeating: 0)
        peaks = Buffer(count: LineSearch.limit, repeating: 0)
        positions = Buffer(count: LineSearch.limit, repeating: 0)
        amounts = Buffer(count: LineSearch.limit * channelCount, repeating: .zero)
        energies = Buffer(count: LineSearch.limit, repeating: 1)
        misfits = Buffer(count: LineSearch.limit, repeating: 1)
    }

    private var power: UnsafeMutablePointer<Float> {
        @_noLocks @inline(__always) get { powers.start + LineSearch.margin }
    }

    /// The length of the window in points.
    var points: Int { transform.size }

    /// Discards the lines.
    @_noLocks
    mutating func clear() { count = 0 }

    /// The frequency of a line, in bins of the shift's transform.
    @_noLocks
    func frequency(_ line: Int) -> Float { positions[line] * scale }

    /// The share of the power around a line that is not one steady tone.
    @_noLocks
    func misfit(_ line: Int) -> Float { misfits[line] }

    /// The power of a line, summed over the channels.
    @_noLocks
    func strength(_ line: Int) -> Float {
        var sum: Float = 0
        for channel in 0..<channelCount { sum += squared(amounts[line * channelCount + channel]) }
        return sum
    }

    /// Transforms the newest points of a channel.
    @_noLocks
    mutating func transform(_ history: borrowing DecimatedHistory, channel: Int) {
        history.apply(window, to: frames.start)
        let spectrum = spectrum(channel)
        transform.forward(frames.start, real: spectrum.real, imaginary: spectrum.imaginary)
        if channel == 0 { rt_clear(power, Int64(transform.bins)) }
        spectrum.addPower(to: power, count: (bins + 3) & ~3)
    }

    @_noLocks @inline(__always)
    private func spectrum(_ channel: Int) -> SplitSpectrum {
        let real = spectra.start + 2 * channel * room + LineSearch.margin
        return SplitSpectrum(real: real, imaginary: real + room)
    }

    /// Finds the peaks of the transformed channels; if there are too many, the weakest ones are left
    /// out.
    @_noLocks
    mutating func findPeaks() {
        count = 0
        let strongest = strongest(power, count: bins)
        guard strongest >= 1e-16 else { return }
        var threshold = strongest * LineSearch.floor
        let finder = PeakFinder(
            power: power, threshold: threshold, reach: 1,
            turned: RTTurned(along: power, across: power, bins: 0, hop: 0))
        let found = finder.find(bins: bins, to: allPeaks.start)
        while !choose(found, above: threshold) { threshold *= 2 }
        for line in 0..<count {
            let bin = Int(peaks[line])
            let below = Float(rt_sqrt(Double(power[bin - 1] / power[bin])))
            let above = Float(rt_sqrt(Double(power[bin + 1] / power[bin])))
            let side = max(below, above)
            // Exact for the lobe of one line.
            let offset = min(max((2 * side - 1) / (1 + side), -0.5), 0.5)
            positions[line] = Float(bin) + (above > below ? offset : -offset)
        }
    }

    /// Chooses the peaks above a power; returns `false` if there are too many.
    @_noLocks
    private mutating func choose(_ found: Int, above threshold: Float) -> Bool {
        count = 0
        for index in 0..<found where power[Int(allPeaks[index])] > threshold {
            guard count < LineSearch.limit else { return false }
            peaks[count] = allPeaks[index]
            count += 1
        }
        return true
    }

    /// Improves the frequency and the amounts of one line after the other, each by one Gauss-Newton
    /// step on what the other lines leave of the spectrum.
    ///
    /// - Parameter isFirst: Whether the lines have no amounts yet.
    @_noLocks
    mutating func fit(isFirst: Bool) {
        for line in 0..<count { fit(line, isFirst) }
    }

    @_noLocks @inline(__always)
    private mutating func fit(_ line: Int, _ isFirst: Bool) {
        let position = positions[line]
        let middle = Int(position + 0.5)
        hannFit.prepare(Float(middle) - position, middle: middle)
        if !isFirst { hannFit.lobe.write(Float(middle) - position, to: row.start) }
        var (step, weight): (Float, Float) = (0, 1e-30)
        for channel in 0..<channelCount {
            if !isFirst { add(amounts[line * channelCount + channel], channel, around: middle) }
            let bins = spectrum(channel).starting(at: middle - HannFit.reach)
            let (amount, moved) = (hannFit.amount(bins), hannFit.movement(bins))
            step += moved.x * amount.x + moved.y * amount.y
            weight += squared(amount)
        }
        step = min(max(step / weight, -LineSearch.step), LineSearch.step)
        positions[line] = min(max(position + step, 0.5), Float(bins - 2))
        take(line)
    }

    /// Takes a line out of the spectra.
    @_noLocks @inline(__always)
    private mutating func take(_ line: Int) {
        let position = positions[line]
        let middle = Int(position + 0.5)
        hannFit.prepare(Float(middle) - position, middle: middle)
        hannFit.lobe.write(Float(middle) - position, to: row.start)
        energies[line] = hannFit.energy
        for channel in 0..<channelCount {
            let amount = hannFit.amountAlone(spectrum(channel).starting(at: middle - HannFit.reach))
            amounts[line * channelCount + channel] = amount
            add(-amount, channel, around: middle)
        }
    }

    /// Measures how much of the power around each line is not one steady tone.
    @_noLocks
    mutating func judge() {
        for line in 0..<count {
            let position = positions[line]
            let middle = Int(position + 0.5)
            guard abs(position - Float(peaks[line])) <= 1 else {
                misfits[line] = 1
                continue
            }
            var left: Float = 0
            let lowest = max(HannFit.reach, middle) - HannFit.reach
            for channel in 0..<channelCount {
                let spectrum = spectrum(channel)
                for bin in lowest...middle + HannFit.reach { left += squared(spectrum[bin]) }
            }
            misfits[line] = left / (strength(line) * energies[line] + 1e-30)
        }
    }

    @_noLocks @inline(__always)
    private func squared(_ number: SIMD2<Float>) -> Float {
        number.x * number.x + number.y * number.y
    }

    /// Adds the row of a line times an amount to a channel's spectrum.
    @_noLocks @inline(__always)
    private func add(_ amount: SIMD2<Float>, _ channel: Int, around middle: Int) {
        let bins = spectrum(channel).starting(at: middle - HannLobe.reach)
        for column in stride(from: 0, to: HannLobe.width, by: 4) {
            let value = rt_load(row.start + column)
            rt_store(bins.real + column, rt_load(bins.real + column) + value * amount.x)
            rt_store(
                bins.imaginary + column, rt_load(bins.imaginary + column) + value * amount.y)
        }
    }
}
