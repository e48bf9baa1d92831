internal import CRealtime
internal import Realtime

/// The partials of the latest sound, from two long transforms of its last 0.2 s.
///
/// One channel is transformed per step, so that no step costs much more than another. All channels
/// share the frequencies, so that each partial stays at its place in the stereo image.
public struct PartialCapture: ~Copyable {
    private let channelCount: Int
    private let lengths: CaptureLengths
    private let transform: RealTransform
    private let window: Buffer<Float>
    /// The level of a peak at each distance from its bin, from -1 to 1.
    private let levels: Buffer<Float>
    private let frames: Buffer<Float>
    private let early: ComplexBuffer
    /// The spectrum of each channel.
    private let spectra: Buffer<Float>
    private let power: Buffer<Float>
    /// The sums of X · conj X′ over the channels; X′ is the earlier transform.
    private let along: Buffer<Float>
    private let across: Buffer<Float>
    private let found: Buffer<Partial>
    /// The number of partials that were found.
    public private(set) var count = 0
    /// The channel that is transformed in the next step; `nil` if there is nothing to do.
    private var nextChannel: Int?

    /// The level, relative to the strongest partial, below which there is no partial: -70 dB.
    private static var quiet: Float { @_noLocks get { 1e-7 } }
    /// The largest number of partials.
    public static var limit: Int { @_noLocks get { 400 } }
    private static var levelSteps: Int { @_noLocks get { 64 } }

    /// Creates a capture.
    ///
    /// - Parameters:
    ///   - channelCount: The number of channels.
    ///   - stepFrames: The number of frames of a step, a power of two up to 512.
    public init(channelCount: Int, stepFrames: Int) {
        self.channelCount = channelCount
        lengths = CaptureLengths(stepFrames: stepFrames)
        let size = lengths.transformFrames
        transform = RealTransform(size: size)
        window = Buffer(count: size) { [lengths] frame in Float(lengths.window(frame)) }
        levels = Buffer(count: PartialCapture.levelSteps + 1) { [lengths] step in
            let distance = 2 * Double(step) / Double(PartialCapture.levelSteps) - 1
            return Float(lengths.windowLevel(at: distance))
        }
        frames = Buffer(count: size, repeating: 0)
        found = Buffer(
            count: PartialCapture.limit, repeating: Partial(bin: 0, frequency: 0, scale: 0))
        let room = transform.bins + 8
        early = ComplexBuffer(count: room)
        spectra = Buffer(count: 2 * channelCount * room, repeating: 0)
        power = Buffer(count: room, repeating: 0)
        along = Buffer(count: room, repeating: 0)
        across = Buffer(count: room, repeating: 0)
    }

    /// The number of frames that must be known when a capture begins.
    public var historyFrames: Int { lengths.transformFrames + lengths.apartFrames }

    /// Whether a capture is going on.
    public var isBusy: Bool { @_noLocks get { nextChannel != nil } }

    /// Ends a capture without a result.
    @_noLocks
    public mutating func clear() { nextChannel = nil }

    /// Begins a capture.
    @_noLocks
    public mutating func begin() {
        nextChannel = 0
        count = 0
        let bins = Int64(transform.bins)
        rt_clear(power.start, bins)
        rt_clear(along.start, bins)
        rt_clear(across.start, bins)
    }

    /// Transforms the next channel.
    ///
    /// - Parameter history: The newest `historyFrames` frames of that channel when the capture
    ///   began, oldest first.
    /// - Returns: Whether it was the last channel.
    @_noLocks
    public mutating func step(_ history: UnsafePointer<Float>) -> Bool {
        guard let channel = nextChannel else { return false }
        let (real, imaginary) = spectrum(channel)
        transformed(history, to: early.real, early.imaginary)
        transformed(history + lengths.apartFrames, to: real, imaginary)
        for bin in 0..<transform.bins {
            let (x, y) = (real[bin], imaginary[bin])
            let (u, v) = (early.real[bin], early.imaginary[bin])
            power[bin] += x * x + y * y
            along[bin] += x * u + y * v
            across[bin] += y * u - x * v
        }
        nextChannel = channel + 1 < channelCount ? channel + 1 : nil
        return nextChannel == nil
    }

    /// The channel that the next step transforms.
    public var channel: Int { @_noLocks get { nextChannel ?? 0 } }

    @_noLocks
    private func transformed(
        _ history: UnsafePointer<Float>, to real: UnsafeMutablePointer<Float>,
        _ imaginary: UnsafeMutablePointer<Float>
    ) {
        for frame in 0..<transform.size { frames[frame] = history[frame] * window[frame] }
        transform.forward(frames.start, real: real, imaginary: imaginary)
    }

    @_noLocks
    private func spectrum(_ channel: Int) -> (
        UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
    ) {
        let room = transform.bins + 8
        let real = spectra.start + 2 * channel * room
        return (real, real + room)
    }

    /// Finds the partials after the last channel; if there are too many, the weakest ones are left
    /// out.
    @_noLocks
    public mutating func find() {
        let threshold = threshold()
        count = 0
        for bin in 3..<transform.bins - 3 where isPeak(bin, threshold) {
            let distance = distance(bin)
            // A side lobe has the frequency of the partial that it belongs to.
            guard abs(distance) <= 1 else { continue }
            found[count] = partial(bin, distance)
            count += 1
        }
    }

    /// Returns a partial, the lowest first.
    public subscript(index: Int) -> Partial { @_noLocks get { found[index] } }

    /// Returns the lowest threshold, in steps of 3 dB, above which there is room for all peaks.
    @_noLocks
    private func threshold() -> Float {
        var strongest: Float = 0
        for bin in 3..<transform.bins - 3 { strongest = max(strongest, power[bin]) }
        var threshold = max(strongest * PartialCapture.quiet, 1e-12)
        while true {
            var peaks = 0
            for bin in 3..<transform.bins - 3 where isPeak(bin, threshold) { peaks += 1 }
            if peaks <= PartialCapture.limit { return threshold }
            threshold *= 2
        }
    }

    @_noLocks @inline(__always)
    private func isPeak(_ bin: Int, _ threshold: Float) -> Bool {
        let here = power[bin]
        return here > threshold && here > power[bin - 1] && here >= power[bin + 1]
    }

    /// Returns the distance of a partial from its bin, in bins.
    @_noLocks
    private func distance(_ bin: Int) -> Double {
        let apart = Double(lengths.apartFrames)
        let size = Double(transform.size)
        let expected = Double(bin) * apart / size
        let turns = rt_atan2(Double(across[bin]), Double(along[bin])) / (2 * Double.pi)
        let off = turns - expected
        return (off - rt_round(off)) * size / apart
    }

    @_noLocks
    private func partial(_ bin: Int, _ distance: Double) -> Partial {
        let level = levels[Int((distance + 1) / 2 * Double(PartialCapture.levelSteps) + 0.5)]
        return Partial(
            bin: bin, frequency: (Double(bin) + distance) / Double(transform.size),
            scale: 2 / level)
    }

    /// Returns the amplitude and phase of a partial in a channel, as a complex number.
    @_noLocks
    public func amplitude(_ partial: Partial, channel: Int) -> SIMD2<Float> {
        let (real, imaginary) = spectrum(channel)
        return SIMD2(real[partial.bin], imaginary[partial.bin]) * partial.scale
    }
}

/// A steady sine of a captured sound.
public struct Partial: BitwiseCopyable {
    let bin: Int
    /// In cycles per frame.
    public let frequency: Double
    /// The amplitude of a sine whose bin has the value 1.
    let scale: Float
}

/// The lengths of a capture: 171 ms of sound at 48 kHz, the newest part of which counts most.
private struct CaptureLengths: BitwiseCopyable {
    let stepFrames: Int

    var transformFrames: Int { 128 * stepFrames }
    /// The distance between the two transforms: the longer, the more exact are the frequencies, as
    /// long as a partial turns by less than half a turn more or less than its bin.
    var apartFrames: Int { @_noLocks get { 16 * stepFrames } }
    /// The number of frames in which the window falls at its end.
    private var fallFrames: Int { 16 * stepFrames }

    /// Returns the window at a frame: it rises slowly and falls fast.
    func window(_ frame: Int) -> Double {
        let rise = transformFrames - fallFrames
        let phase =
            frame < rise
            ? (Double(frame) + 0.5) / Double(rise)
            : (Double(transformFrames - frame) - 0.5) / Double(fallFrames)
        let sine = rt_sin(0.5 * Double.pi * phase)
        return sine * sine
    }

    /// Returns the magnitude of the window's transform at a distance in bins.
    func windowLevel(at distance: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for frame in 0..<transformFrames {
            let angle = 2 * Double.pi * distance * Double(frame) / Double(transformFrames)
            real += window(frame) * rt_cos(angle)
            imaginary += window(frame) * rt_sin(angle)
        }
        return rt_sqrt(real * real + imaginary * imaginary)
    }
}
