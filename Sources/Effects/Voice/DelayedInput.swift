internal import CRealtime
internal import Realtime

/// The delayed input while nothing changes it: an exact copy, faded in and out as the complement of
/// half a grain.
struct DelayedInput: BitwiseCopyable {
    private enum State { case silent, fading, open }

    private var state = State.open
    /// The centre of the grain that the fade complements.
    private var centreFrame = 0
    private var centreShare: Float = 0
    private var slope: Float = 0
    private var isRising = false
    /// The frame at which the current fade ends.
    private(set) var endFrame = 0
    /// The delay in frames.
    let delayFrames: Int

    init(delayFrames: Int) { self.delayFrames = delayFrames }

    @_noLocks
    mutating func reset() {
        state = .open
        endFrame = 0
    }

    /// The number of words of `note`.
    static var noteWords: Int { 4 }

    /// Writes the fade.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        let number = state == .silent ? 0 : state == .fading ? 1 : 2
        notes.pointee.put(number * 2 + (isRising ? 1 : 0))
        notes.pointee.put(centreFrame)
        notes.pointee.put(endFrame)
        notes.pointee.put(centreShare, slope)
    }

    /// Continues with a noted fade.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let word = notes.pointee.pop(from: 0, through: 5)
        state = word < 2 ? .silent : word < 4 ? .fading : .open
        isRising = word & 1 != 0
        centreFrame = notes.pointee.pop(from: -1 << 50, through: 1 << 50)
        endFrame = notes.pointee.pop(from: -1 << 50, through: 1 << 50)
        (centreShare, slope) = notes.pointee.popNumbers(within: 1e6)
    }

    /// Starts a fade-out during a grain's left half, or a fade-in during its right half.
    @_noLocks
    mutating func fade(with grain: VoiceGrain, isRising: Bool) {
        state = .fading
        centreFrame = grain.centreFrame
        centreShare = grain.centreShare
        self.isRising = isRising
        slope = isRising ? grain.rightSlope : grain.leftSlope
        endFrame = isRising ? grain.endFrame : grain.centreFrame + 1
    }

    /// Ends the fade if it is complete at this frame.
    @_noLocks
    mutating func settle(by frame: Int) {
        if state == .fading && endFrame <= frame { state = isRising ? .open : .silent }
    }

    /// Writes the chunk's first term, to which the grains are added.
    @_noLocks
    func begin(_ chunk: GrainChunk, history: borrowing VoiceHistory, channel: Int) {
        let source = history.address(channel: channel, frame: chunk.firstFrame - delayFrames)
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
            let position = ((SIMD4<Float>(0, 1, 2, 3) + first) - centreShare) * slope
            let half =
                isRising
                ? position.replacing(with: SIMD4(repeating: 0), where: position .< 0)
                : position.replacing(with: SIMD4(repeating: 0), where: position .> 0)
            let samples = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<Float>.self)
            UnsafeMutableRawPointer(chunk.sum + index).storeBytes(
                of: samples * (1 - HannWindow.value(at: half)), as: SIMD4<Float>.self)
        }
    }
}
