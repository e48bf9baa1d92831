internal import Processing

/// The sizes of a looper's memory.
package struct LoopSizes: BitwiseCopyable {
    let sampleRate: Double
    let channelCount: Int
    package let fadeFrames: Int
    /// The longest loop.
    package let maximumFrames: Int
    /// The overdubbed frames that undo can hold in addition to the loop.
    let historyFrames: Int
    /// The longest round trip.
    let maximumRoundTripFrames: Int

    /// The longest round trip in seconds.
    static let maximumRoundTripSeconds = 0.4

    /// - Parameters:
    ///   - sampleRate: The sample rate in Hz.
    ///   - channelCount: The number of channels.
    ///   - maximumSeconds: The longest loop, at least 1 s.
    ///   - historySeconds: The overdubbed sound that undo can hold in addition to the loop.
    package init(
        sampleRate: Double, channelCount: Int, maximumSeconds: Double, historySeconds: Double
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        fadeFrames = LoopFade(sampleRate: sampleRate).frameCount
        maximumRoundTripFrames = Int(Self.maximumRoundTripSeconds * sampleRate)
        maximumFrames = max(
            Int(maximumSeconds * sampleRate), 2 * (maximumRoundTripFrames + 2 * fadeFrames) + 2)
        historyFrames = Int(historySeconds * sampleRate)
    }

    /// The frames of a write log: from the input one fade ahead to the input of the longest round
    /// trip.
    var logFrames: Int { maximumRoundTripFrames + 2 * fadeFrames + 2 }

    /// The frames of the input that the writer reads.
    var inputFrames: Int { fadeFrames + HalfBandFilter.reachFrames + 2 }

    /// The sizes of the pages.
    package var store: LoopStoreSize {
        LoopStoreSize(
            channelCount: channelCount, leadFrames: fadeFrames, maximumFrames: maximumFrames,
            historyFrames: historyFrames)
    }

    /// The memory in bytes.
    var byteCount: Int {
        store.byteCount.addingClamped(
            2 * WriteLog.byteCount(frames: logFrames)
                + FrameHistory.byteCount(channelCount: channelCount, frames: inputFrames)
                + FrameHistory.byteCount(channelCount: channelCount, frames: logFrames)
                + FrameHistory.byteCount(channelCount: channelCount, frames: fadeFrames + 1))
    }
}
