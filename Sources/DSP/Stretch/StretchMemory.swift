internal import CRealtime
internal import Realtime

/// The working memory of a time stretch, for each channel and for all channels together.
struct StretchMemory: ~Copyable {
    let transformFrames: Int
    /// The room for a spectrum, a multiple of four.
    let stride: Int
    private let frames: Buffer<Float>
    private let nowParts: ComplexBuffer
    private let previousParts: ComplexBuffer
    private let beforeParts: ComplexBuffer
    private let overlaps: Buffer<Float>
    private let paddedPower: Buffer<Float>
    /// The last output's spectra times the conjugates of the input's one hop earlier, summed over
    /// the channels.
    let match: ComplexBuffer
    /// The power of the input's spectra, of those one hop earlier, and of the last output's, summed
    /// over the channels.
    ///
    /// The first has additional zeros before and after it.
    var power: UnsafeMutablePointer<Float> { @_noLocks get { paddedPower.start + 8 } }
    let powerBefore: Buffer<Float>
    let powerPrevious: Buffer<Float>
    /// The sum of the squared windows of the overlapping frames.
    let weights: Buffer<Float>
    /// The factors of the next hop of output.
    let weightScales: Buffer<Float>

    init(transformFrames: Int, channelCount: Int) {
        self.transformFrames = transformFrames
        stride = transformFrames / 2 + 8
        frames = Buffer(count: channelCount * transformFrames, repeating: 0)
        nowParts = ComplexBuffer(count: channelCount * stride)
        previousParts = ComplexBuffer(count: channelCount * stride)
        overlaps = Buffer(count: channelCount * transformFrames, repeating: 0)
        beforeParts = ComplexBuffer(count: channelCount * stride)
        match = ComplexBuffer(count: stride)
        paddedPower = Buffer(count: stride + 16, repeating: 0)
        powerBefore = Buffer(count: stride + 8, repeating: 0)
        powerPrevious = Buffer(count: stride + 8, repeating: 0)
        weights = Buffer(count: transformFrames, repeating: 0)
        weightScales = Buffer(count: transformFrames, repeating: 0)
    }

    /// Returns the frame of a channel.
    @_noLocks
    func frame(_ channel: Int) -> UnsafeMutablePointer<Float> {
        frames.start + channel * transformFrames
    }

    /// Returns the input's spectrum.
    @_noLocks
    func now(_ channel: Int) -> RTComplexArray { part(of: nowParts, channel) }

    /// Returns the input's spectrum one output hop earlier.
    @_noLocks
    func before(_ channel: Int) -> RTComplexArray { part(of: beforeParts, channel) }

    /// Returns the spectrum of the last output frame.
    @_noLocks
    func previous(_ channel: Int) -> RTComplexArray { part(of: previousParts, channel) }

    /// Returns the unfinished output frames, the next to be finished first.
    @_noLocks
    func overlap(_ channel: Int) -> UnsafeMutablePointer<Float> {
        overlaps.start + channel * transformFrames
    }

    @_noLocks
    private func part(of array: borrowing ComplexBuffer, _ channel: Int) -> RTComplexArray {
        RTComplexArray(
            real: array.real + channel * stride, imaginary: array.imaginary + channel * stride)
    }

    /// Clears the overlapping output; all other memory is written before it is read.
    @_noLocks
    func reset() {
        rt_clear(overlaps.start, Int64(overlaps.count))
        rt_clear(weights.start, Int64(transformFrames))
    }

    @_noLocks
    func clearMatch() {
        rt_clear(match.real, Int64(stride))
        rt_clear(match.imaginary, Int64(stride))
        rt_clear(powerBefore.start, Int64(stride))
        rt_clear(powerPrevious.start, Int64(stride))
    }
}
