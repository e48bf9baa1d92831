internal import CRealtime

/// The working memory of a time stretch, for each channel and for all channels together.
///
/// The object does not free its memory automatically: its creator calls `deallocate`.
struct StretchMemory: BitwiseCopyable {
    let transformFrames: Int
    /// The room for a spectrum, a multiple of four.
    let stride: Int
    private let channelCount: Int
    // SAFETY: the buffers are allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    private let frames: UnsafeMutablePointer<Float>
    private let nowParts: RTComplexArray
    private let previousParts: RTComplexArray
    private let beforeParts: RTComplexArray
    private let overlaps: UnsafeMutablePointer<Float>
    private let paddedPower: UnsafeMutablePointer<Float>
    /// The last output's spectra times the conjugates of the input's one hop earlier, summed over
    /// the channels.
    let match: RTComplexArray
    /// The power of the input's spectra, of those one hop earlier, and of the last output's, summed
    /// over the channels.
    ///
    /// The first has additional zeros before and after it.
    let power: UnsafeMutablePointer<Float>
    let powerBefore: UnsafeMutablePointer<Float>
    let powerPrevious: UnsafeMutablePointer<Float>
    /// The sum of the squared windows of the overlapping frames.
    let weights: UnsafeMutablePointer<Float>
    /// The factors of the next hop of output.
    let weightScales: UnsafeMutablePointer<Float>

    init(transformFrames: Int, channelCount: Int) {
        self.transformFrames = transformFrames
        self.channelCount = channelCount
        stride = transformFrames / 2 + 8
        frames = zeros(channelCount * transformFrames)
        nowParts = complexZeros(channelCount * stride)
        previousParts = complexZeros(channelCount * stride)
        overlaps = zeros(channelCount * transformFrames)
        beforeParts = complexZeros(channelCount * stride)
        match = complexZeros(stride)
        paddedPower = zeros(stride + 16)
        power = paddedPower + 8
        powerBefore = zeros(stride + 8)
        powerPrevious = zeros(stride + 8)
        weights = zeros(transformFrames)
        weightScales = zeros(transformFrames)
    }

    func deallocate() {
        for place in [
            frames, overlaps, paddedPower, powerBefore, powerPrevious, weights, weightScales,
        ] {
            place.deallocate()
        }
        for place in [nowParts, previousParts, beforeParts, match] { deallocateComplex(place) }
    }

    /// Returns the frame of a channel.
    @_noLocks
    func frame(_ channel: Int) -> UnsafeMutablePointer<Float> { frames + channel * transformFrames }

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
        overlaps + channel * transformFrames
    }

    @_noLocks
    private func part(of array: RTComplexArray, _ channel: Int) -> RTComplexArray {
        RTComplexArray(
            real: array.real + channel * stride, imaginary: array.imaginary + channel * stride)
    }

    /// Clears the overlapping output; all other memory is written before it is read.
    @_noLocks
    func reset() {
        rt_clear(overlaps, Int64(channelCount * transformFrames))
        rt_clear(weights, Int64(transformFrames))
    }

    @_noLocks
    func clearMatch() {
        rt_clear(match.real, Int64(stride))
        rt_clear(match.imaginary, Int64(stride))
        rt_clear(powerBefore, Int64(stride))
        rt_clear(powerPrevious, Int64(stride))
    }
}
