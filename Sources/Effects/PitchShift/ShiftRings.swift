internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// The newest input and the next output of every channel of a polyphonic shifter, in rings, and the
/// position within the step.
///
/// The sound passes through the rings in pieces that end with a step at the latest. The owner does
/// its work whenever `exchange` returns at the end of a step.
struct ShiftRings: ~Copyable {
    private let channelCount: Int
    private let historyFrames: Int
    private let outputFrames: Int
    private let stepFrames: Int
    private let histories: Buffer<Float>
    private let outputs: Buffer<Float>
    /// The number of frames since the last step.
    private var stepPosition = 0
    /// The position of the oldest frame in a history, which the next input replaces.
    private(set) var historyPosition = 0
    /// The position of the next output frame.
    private(set) var outputPosition = 0
    /// The value of `historyPosition` at the latest analysis.
    private var analysedPosition = 0

    /// Creates silent rings of one transform of input and one span of output.
    init(_ lengths: ShiftLengths, channelCount: Int) {
        self.channelCount = channelCount
        historyFrames = lengths.transformFrames
        outputFrames = lengths.spanFrames
        stepFrames = lengths.stepFrames
        histories = Buffer(count: channelCount * lengths.transformFrames, repeating: 0)
        outputs = Buffer(count: channelCount * lengths.spanFrames, repeating: 0)
    }

    /// Returns the ring of the newest input frames of a channel.
    @_noLocks
    func history(_ channel: Int) -> UnsafeMutablePointer<Float> {
        histories.start + channel * historyFrames
    }

    /// Returns the ring of the next output frames of a channel.
    @_noLocks
    func output(_ channel: Int) -> UnsafeMutablePointer<Float> {
        outputs.start + channel * outputFrames
    }

    /// Returns the input frames of the step that has just ended.
    @_noLocks
    func newestStep(_ channel: Int) -> UnsafeMutablePointer<Float> {
        history(channel) + (historyPosition == 0 ? historyFrames : historyPosition) - stepFrames
    }

    /// Whether a step ended with the latest exchange.
    var isAtStep: Bool { @_noLocks get { stepPosition == 0 } }

    /// Begins a step with the next frame, as a noted state requires.
    ///
    /// This changes nothing if a step has just ended.
    @_noLocks
    mutating func align() {
        historyPosition -= historyPosition % stepFrames
        outputPosition -= outputPosition % stepFrames
        analysedPosition -= analysedPosition % stepFrames
        stepPosition = 0
    }

    /// Makes all rings silent.
    @_noLocks
    mutating func clear() {
        rt_clear(histories.start, Int64(histories.count))
        rt_clear(outputs.start, Int64(outputs.count))
        stepPosition = 0
        historyPosition = 0
        outputPosition = 0
        analysedPosition = 0
    }

    /// Stores the input of a block from a frame on, and writes its output, until the end of the step
    /// or of the block.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - first: The frame of the block.
    ///   - most: The largest number of frames.
    /// - Returns: The number of frames.
    @_noLocks
    mutating func exchange(_ block: RTBlock, from first: Int, atMost most: Int) -> Int {
        let count = min(stepFrames - stepPosition, most)
        for channel in 0..<channelCount {
            rt_copy_sound(
                history(channel) + historyPosition, block.inputs[channel] + first, Int64(count))
            rt_copy(
                block.outputs[channel] + first, output(channel) + outputPosition, Int64(count))
        }
        stepPosition = (stepPosition + count) % stepFrames
        historyPosition = (historyPosition + count) % historyFrames
        outputPosition = (outputPosition + count) % outputFrames
        return count
    }

    /// Remembers the newest frames as those from which the next output is made.
    @_noLocks
    mutating func markAnalysed() { analysedPosition = historyPosition }

    /// Raises the output to compensate for the energy that the shift has lost.
    ///
    /// - Parameters:
    ///   - level: The measurements and the gain.
    ///   - kept: The share of the power that stays below half the sample rate.
    ///   - movement: How far the level may follow, from 0 to 1.
    @_noLocks
    func keepLevel(_ level: inout LevelKeeper, kept: Float, movement: Float) {
        level.fade()
        for channel in 0..<channelCount {
            level.measure(
                output(channel), first: outputPosition, history: history(channel),
                past: analysedPosition + historyFrames - outputFrames, kept: kept)
        }
        level.settle(movement: movement)
        for channel in 0..<channelCount { level.raise(output(channel), first: outputPosition) }
    }
}
