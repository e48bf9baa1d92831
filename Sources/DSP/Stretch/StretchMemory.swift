internal import CRealtime

/// What a time stretch works on, for each channel and for all together.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
struct StretchMemory: BitwiseCopyable {
    let transformFrames: Int
    /// Room for a spectrum, a multiple of four.
    let stride: Int
    private let channelCount: Int
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    private let frames: UnsafeMutablePointer<Float>
    private let nowParts: RTComplexArray
    private let previousParts: RTComplexArray
    private let beforeParts: RTComplexArray
    private let overlaps: UnsafeMutablePointer<Float>
    private let paddedPower: UnsafeMutablePointer<Float>
    /// The last output's spectra times the conjugates of the input's a hop before, summed over the channels.
    let match: RTComplexArray
    /// The power of the input's spectra, of those a hop before, and of the last output's, summed over the channels.
    ///
    /// The first has some more places, all 0, before it and behind.
    let power: UnsafeMutablePointer<Float>
    let powerBefore: UnsafeMutablePointer<Float>
    let powerPrevious: UnsafeMutablePointer<Float>
    /// The sum of the squared windows over the frames that overlap.
    let weights: UnsafeMutablePointer<Float>
    /// By what the next hop of output is multiplied.
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

    /// A frame of a channel.
    @_noLocks
    func frame(_ channel: Int) -> UnsafeMutablePointer<Float> { frames + channel * transformFrames }

    /// The input's spectrum.
    @_noLocks
    func now(_ channel: Int) -> RTComplexArray { part(of: nowParts, channel) }

    /// The input's spectrum a hop of output before.
    @_noLocks
    func before(_ channel: Int) -> RTComplexArray { part(of: beforeParts, channel) }

    /// The last output frame's spectrum.
    @_noLocks
    func previous(_ channel: Int) -> RTComplexArray { part(of: previousParts, channel) }

    /// Frames of output that are not complete, the next to leave first.
    @_noLocks
    func overlap(_ channel: Int) -> UnsafeMutablePointer<Float> {
        overlaps + channel * transformFrames
    }

    @_noLocks
    private func part(of array: RTComplexArray, _ channel: Int) -> RTComplexArray {
        RTComplexArray(
            real: array.real + channel * stride, imaginary: array.imaginary + channel * stride)
    }

    /// Forgets what was laid down; all else is written before it is read.
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
