internal import CRealtime

/// How fast a spectrum changes, and where between steady and moving that puts the window.
///
/// The flux is Σ|A - A′| / Σ(A + A′), with A′ the amplitudes of 512 frames (at 48 kHz) before. Under the steady window tones
/// have some 0.01, vowels 0.03, chords 0.08; drums, noise and speech 0.14 and more.
public struct SpectralFlux: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    /// Amplitudes of every second bin in the latest hops, one hop after the other, each hop's channel by channel.
    private let amplitudes: UnsafeMutablePointer<Float>
    private let paddedBins: Int
    private let channelCount: Int
    /// What was heard of the present hop: how much amplitudes changed, what they are, and the strongest power.
    private var hop: (change: Float, total: Float, strongest: Float) = (0, 0, 0)
    private let lagHops: Int
    private var oldest = 0
    /// The numerator and the denominator of the flux, over some eight hops.
    private var change: Float = 0
    private var total: Float = 0
    /// 0 where the sound is steady, 1 where it moves.
    public private(set) var movement: Float = 0
    /// The power of the strongest bin, summed over the channels.
    public private(set) var strongest: Float = 0

    /// The flux up to which a sound is steady, and from which it moves.
    private static var steady: Float { @_noLocks get { 0.10 } }
    private static var moving: Float { @_noLocks get { 0.125 } }
    /// The flux of a single hop up to which that does not count.
    private static var sudden: Float { @_noLocks get { 0.135 } }
    /// How much greater the flux is under the moving window.
    private static var excess: Float { @_noLocks get { 0.48 } }
    /// How much of what was measured is forgotten in a hop.
    private static var forgotten: Float { @_noLocks get { 0.125 } }
    /// The farthest that `movement` goes in a hop.
    private static var slide: Float { @_noLocks get { 0.125 } }

    /// A flux of silence.
    public init(_ lengths: ShiftLengths, channelCount: Int) {
        self.channelCount = channelCount
        paddedBins = lengths.paddedBins
        lagHops = 8 * lengths.stepFrames / lengths.hopFrames
        let count = lagHops * channelCount * paddedBins / 2
        amplitudes = .allocate(capacity: count)
        amplitudes.initialize(repeating: 0, count: count)
    }

    /// Frees its memory.
    public func deallocate() { amplitudes.deallocate() }

    /// Starts from silence.
    @_noLocks
    public mutating func clear() {
        rt_clear(amplitudes, Int64(lagHops * channelCount * paddedBins / 2))
        hop = (0, 0, 0)
        movement = 0
        change = 0
        total = 0
        strongest = 0
        oldest = 0
    }

    /// Takes in a channel's next spectrum, and adds its power to that of the channels before it.
    ///
    /// Each channel's changes count by themselves: in the sum of channels that have nothing in common they would even out.
    @_noLocks
    public mutating func hear(
        _ spectrum: SplitSpectrum, _ grid: SpectrumGrid, channel: Int,
        power: UnsafeMutablePointer<Float>
    ) {
        let old = amplitudes + (oldest * channelCount + channel) * (paddedBins / 2)
        var heard = HeardFlux()
        var bin = 0
        while bin < paddedBins / 2 {
            // Only every second fine bin has an amplitude: a window's main lobe is broader than that.
            let now =
                grid.isCoarse
                ? spectrum.addedPower(bin, to: power, isFirst: channel == 0)
                : rt_evens(
                    spectrum.addedPower(2 &* bin, to: power, isFirst: channel == 0),
                    spectrum.addedPower(2 &* bin &+ 4, to: power, isFirst: channel == 0))
            heard.hear(rt_root(now), old + bin)
            bin &+= 4
        }
        hop.change += rt_sum_of_lanes(heard.change)
        hop.total += rt_sum_of_lanes(heard.total)
        let most = heard.strongest.max()
        hop.strongest += most * most
    }

    /// Draws the window to where what was heard of all channels puts it.
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
        let range = SpectralFlux.moving - SpectralFlux.steady
        let wanted = max(
            (change / total - SpectralFlux.steady) / range,
            (now / flux.total - SpectralFlux.sudden) / range)
        let step = max(0, min(1, wanted)) - movement
        movement += max(-SpectralFlux.slide, min(SpectralFlux.slide, step))
    }
}

/// How much the amplitudes of every fourth bin changed, and what they are.
private struct HeardFlux {
    var change = SIMD4<Float>.zero
    var total = SIMD4<Float>.zero
    var strongest = SIMD4<Float>.zero

    /// Takes in four amplitudes, and keeps them where the old ones were.
    @_noLocks @inline(__always)
    mutating func hear(_ now: SIMD4<Float>, _ place: UnsafeMutablePointer<Float>) {
        let old = rt_load(place)
        rt_store(place, now)
        change += rt_magnitude(now - old)
        total += now + old
        strongest = rt_where(rt_above(now, strongest), now, strongest)
    }
}
