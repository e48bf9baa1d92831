internal import CRealtime

/// The input, delayed, where nothing is done to it: a copy to the bit, and faded in and out as the complement of a grain's half.
struct DelayedInput: BitwiseCopyable {
    private enum State { case silent, fading, open }

    private var state = State.open
    /// The peak of the grain that the fade completes.
    private var centreFrame = 0
    private var centreShare: Float = 0
    private var slope: Float = 0
    private var isRising = false
    /// When the present fade is done.
    private(set) var endFrame = 0
    /// How many frames late it is.
    let delayFrames: Int

    init(delayFrames: Int) { self.delayFrames = delayFrames }

    @_noLocks
    mutating func reset() {
        state = .open
        endFrame = 0
    }

    /// Fades out as a grain comes in, or in as it goes out.
    @_noLocks
    mutating func fade(with grain: VoiceGrain, isRising: Bool) {
        state = .fading
        centreFrame = grain.centreFrame
        centreShare = grain.centreShare
        self.isRising = isRising
        slope = isRising ? grain.rightSlope : grain.leftSlope
        endFrame = isRising ? grain.endFrame : grain.centreFrame + 1
    }

    /// Rests where the fade is done by this frame.
    @_noLocks
    mutating func settle(by frame: Int) {
        if state == .fading && endFrame <= frame { state = isRising ? .open : .silent }
    }

    /// Begins a chunk's sum.
    @_noLocks
    func begin(_ chunk: GrainChunk, history: VoiceHistory, channel: Int) {
        let source = history.place(channel: channel, frame: chunk.firstFrame - delayFrames)
        switch state {
        case .open: rt_copy(chunk.sum, source, Int64(chunk.count))
        case .silent: rt_clear(chunk.sum, Int64(chunk.count))
        case .fading: begin(chunk, faded: source)
        }
    }

    @_noLocks
    private func begin(_ chunk: GrainChunk, faded source: UnsafePointer<Float>) {
        for index in stride(from: 0, to: chunk.count, by: 4) {
            let first = Float(chunk.firstFrame + index - centreFrame)
            let place = ((SIMD4<Float>(0, 1, 2, 3) + first) - centreShare) * slope
            let half =
                isRising
                ? place.replacing(with: SIMD4(repeating: 0), where: place .< 0)
                : place.replacing(with: SIMD4(repeating: 0), where: place .> 0)
            let samples = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<Float>.self)
            UnsafeMutableRawPointer(chunk.sum + index).storeBytes(
                of: samples * (1 - HannWindow.value(at: half)), as: SIMD4<Float>.self)
        }
    }
}
