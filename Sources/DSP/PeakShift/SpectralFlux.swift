internal import CRealtime
public import Realtime

/// A measure of how fast a spectrum changes, which chooses the window between steady and moving.
///
/// The flux is Σ|A - A′| / Σ(A + A′), where A′ are the amplitudes 512 frames earlier (at 48 kHz).
/// Under the steady window, tones have a flux of about 0.01, vowels 0.03, chords 0.08; drums, noise
/// and speech have 0.14 and more.
public struct SpectralFlux: ~Copyable {
    /// Amplitudes of every second bin in the latest hops: hop after hop, and channel by channel
    /// within a hop.
    private let amplitudes: Buffer<Float>
    private let paddedBins: Int
    private let channelCount: Int
    /// The sums over the channels of the current hop: the change of the amplitudes, the amplitudes,
    /// and the strongest power.
    private var hop: (change: Float, total: Float, strongest: Float) = (0, 0, 0)
    private let lagHops: Int
    /// The relative increase of both limits of the mean flux after a sound has been steady for 170
    /// ms.
    ///
    /// The partials of a chord beat, and its flux exceeds the limit for a moment now and then. The
    /// shifter would then lose the partials that it has separated. The longer windows of quality
    /// `high` resolve the partials, and do not need it: a low vibrato would lose 5 dB.
    private let trust: Float
    private var oldest = 0
    /// The numerator and the denominator of the flux, averaged over about eight hops.
    private var change: Float = 0
    private var total: Float = 0
    /// 0 if the sound is steady, 1 if it moves.
    public private(set) var movement: Float = 0
    /// The share of the time after which a steady sound is trusted to be steady.
    private var calm: Float = 0
    /// The power of the strongest bin, summed over the channels.
    public private(set) var strongest: Float = 0

    /// The flux up to which a sound is steady, and from which it moves.
    private static var steady: Float { @_noLocks get { 0.10 } }
    private static var moving: Float { @_noLocks get { 0.125 } }
    /// The flux above which a single hop counts as movement.
    private static var sudden: Float { @_noLocks get { 0.135 } }
    /// The relative increase of the flux under the moving window.
    private static var excess: Float { @_noLocks get { 0.48 } }
    /// The share of the average that each hop replaces.
    private static var forgotten: Float { @_noLocks get { 0.125 } }
    /// The maximum change of `movement` per hop.
    private static var slide: Float { @_noLocks get { 0.125 } }

    /// Creates a flux of silence.
    public init(_ lengths: ShiftLengths, channelCount: Int) {
        self.channelCount = channelCount
        paddedBins = lengths.paddedBins
        trust = 4 * lengths.spanFrames > lengths.transformFrames ? 0 : 0.08
        lagHops = 8 * lengths.stepFrames / lengths.hopFrames
        let count = lagHops * channelCount * paddedBins / 2
        amplitudes = Buffer(count: count, repeating: 0)
    }

    /// Restarts from silence.
    @_noLocks
    public mutating func clear() {
        rt_clear(amplitudes.start, Int64(amplitudes.count))
        hop = (0, 0, 0)
        movement = 0
        calm = 0
        change = 0
        total = 0
        strongest = 0
        oldest = 0
    }

    /// The number of words of `note`.
    public static var noteWords: Int { 2 }

    /// Writes the averages, and what they have decided; between two hops.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(change, total)
        notes.pointee.put(movement, calm)
    }

    /// Continues with noted averages.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        (change, total) = notes.pointee.popNumbers(within: 1e30)
        (movement, calm) = notes.pointee.popNumbers(within: 1)
        (movement, calm) = (max(0, movement), max(0, calm))
    }

    /// Adds a channel's next spectrum, and adds its power to the sum over the channels.
    ///
    /// The changes of each channel count separately: in the sum of unrelated channels they would
    /// average out.
    @_noLocks
    public mutating func measure(
        _ spectrum: SplitSpectrum, _ grid: SpectrumGrid, channel: Int,
        power: UnsafeMutablePointer<Float>
    ) {
        let old = amplitudes.start + (oldest * channelCount + channel) * (paddedBins / 2)
        var heard = HeardFlux()
        var bin = 0
        while bin < paddedBins / 2 {
            // Only every second fine bin has a stored amplitude: the main lobe of a window is wider
            // than that.
            let now =
                grid.isCoarse
                ? spectrum.addedPower(bin, to: power, isFirst: channel == 0)
                : rt_evens(
                    spectrum.addedPower(2 &* bin, to: power, isFirst: channel == 0),
                    spectrum.addedPower(2 &* bin &+ 4, to: power, isFirst: channel == 0))
            heard.measure(rt_root(now), old + bin)
            bin &+= 4
        }
        hop.change += rt_sum_of_lanes(heard.change)
        hop.total += rt_sum_of_lanes(heard.total)
        let most = heard.strongest.max()
        hop.strongest += most * most
    }

    /// The amplitudes of every second bin of a channel's newest spectrum, until `settle`.
    @_noLocks
    public func amplitudes(channel: Int) -> UnsafePointer<Float> {
        UnsafePointer(amplitudes.start + (oldest * channelCount + channel) * (paddedBins / 2))
    }

    /// Moves `movement` towards the value that follows from the flux of all channels.
    @_noLocks
    public mutating func settle() {
        let flux = hop
        hop = (0, 0, 0)
        oldest = (oldest + 1) % lagHops
        strongest = flux.strongest
        guard flux.total > 1e-9 else { return }
        let now = flux.change / (1 + SpectralFlux.excess * movement)
        change += SpectralFlux.forgotten * (now - change)
        total += SpectralFlux.forgotten * (flux.total - total)
        let trusted = 1 + trust * calm
        let range = SpectralFlux.moving - SpectralFlux.steady
        let wanted = max(
            (change / (total * trusted) - SpectralFlux.steady) / range,
            (now / flux.total - SpectralFlux.sudden) / range)
        let step = max(0, min(1, wanted)) - movement
        movement += max(-SpectralFlux.slide, min(SpectralFlux.slide, step))
        calm = movement == 0 ? min(1, calm + 1 / Float(16 * lagHops)) : 0
    }
}

/// The sums of a spectrum's changes and amplitudes, in four lanes.
private struct HeardFlux {
    var change = SIMD4<Float>.zero
    var total = SIMD4<Float>.zero
    var strongest = SIMD4<Float>.zero

    /// Adds four amplitudes and stores them over the old ones.
    @_noLocks @inline(__always)
    mutating func measure(_ now: SIMD4<Float>, _ stored: UnsafeMutablePointer<Float>) {
        let old = rt_load(stored)
        rt_store(stored, now)
        change += rt_magnitude(now - old)
        total += now + old
        strongest = rt_where(rt_above(now, strongest), now, strongest)
    }
}
