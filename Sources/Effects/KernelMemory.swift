internal import DSP
internal import Processing

/// Estimates the memory of a kernel whose size does not depend on its settings.
///
/// Such a kernel consists of dozens of small arrays. Their total size is an affine function of the
/// number of channels and of the step length. The factors were measured; a test compares the
/// estimates with the bytes that are allocated.
struct KernelMemory: Sendable {
    /// The bytes of the effect and of each channel that do not depend on the sample rate.
    private let bytes: (base: Int, channel: Int)
    /// Additional bytes for a step of 64 frames, the step at 44.1 and 48 kHz; proportional to the
    /// step length.
    private let stepBytes: (base: Int, channel: Int)
    /// Returns the frames of a step at a sample rate in Hz.
    private let stepFrames: @Sendable (Double) -> Int

    /// Returns the estimate for a processor, in bytes.
    @Sendable
    func byteCount(_ request: ProcessorRequest) -> Int {
        let channels = max(request.inputChannels, request.outputChannels)
        let steps = stepFrames(request.format.sampleRate)
        func sum(_ part: (base: Int, channel: Int)) -> Int {
            part.channel.multipliedClamped(by: channels).addingClamped(part.base)
        }
        return (sum(stepBytes).multipliedClamped(by: steps) / 64).addingClamped(sum(bytes))
    }

    /// Creates the estimate for a kernel whose size does not depend on the sample rate.
    private init(base: Int, channel: Int) {
        bytes = (base, channel)
        stepBytes = (0, 0)
        stepFrames = { _ in 0 }
    }

    private init(
        base: Int, channel: Int, stepBase: Int, stepChannel: Int,
        stepFrames: @escaping @Sendable (Double) -> Int
    ) {
        bytes = (base, channel)
        stepBytes = (stepBase, stepChannel)
        self.stepFrames = stepFrames
    }

    static let gain = KernelMemory(base: 500, channel: 50)
    static let meter = KernelMemory(base: 500, channel: 50)
    static let mixer = KernelMemory(base: 1500, channel: 300)
    static let filter = KernelMemory(base: 3000, channel: 500)
    static let tuner = KernelMemory(base: 185_000, channel: 0)
    static let frequencyShift = KernelMemory(
        base: 500, channel: 700, stepBase: 0, stepChannel: 400,
        stepFrames: { StretchLengths.stepFrames(sampleRate: $0) })
    static let musicShift = KernelMemory(
        base: 120_000, channel: 105_000, stepBase: 225_000, stepChannel: 78_000,
        stepFrames: { ShiftLengths(sampleRate: $0, quality: .live).stepFrames })
    static let fastShift = KernelMemory(
        base: 362_000, channel: 48_600, stepBase: 116_000, stepChannel: 36_100,
        stepFrames: { ShiftLengths(sampleRate: $0, quality: .fast).stepFrames })
    static let voiceShift = KernelMemory(
        base: 44_000, channel: 0, stepBase: 2000, stepChannel: 67_000,
        stepFrames: { StretchLengths.stepFrames(sampleRate: $0) })
    static let tune = KernelMemory(
        base: 47_000, channel: 0, stepBase: 2000, stepChannel: 67_000,
        stepFrames: { StretchLengths.stepFrames(sampleRate: $0) })
    /// Without the voices.
    static let harmony = KernelMemory(
        base: 26_000, channel: 0, stepBase: 2000, stepChannel: 67_000,
        stepFrames: { StretchLengths.stepFrames(sampleRate: $0) })
    static let freeze = KernelMemory(
        base: 90_000, channel: 14_000, stepBase: 330_000, stepChannel: 140_000,
        stepFrames: { StretchLengths.stepFrames(sampleRate: $0) })
    static let feedbackGuard = KernelMemory(
        base: 80_000, channel: 300, stepBase: 180_000, stepChannel: 0,
        stepFrames: { StretchLengths.stepFrames(sampleRate: $0) })
    /// Without the capture ring, whose length is a setting.
    static let timeStretch = KernelMemory(
        base: 10_000, channel: 4000, stepBase: 395_000, stepChannel: 286_000,
        stepFrames: { StretchLengths.stepFrames(sampleRate: $0) })
}
