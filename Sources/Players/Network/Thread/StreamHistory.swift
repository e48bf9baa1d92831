/// The facts about a stream over all attempts, and the decision after each attempt.
struct StreamHistory {
    /// The decision when an attempt delivers no more sound.
    enum NextStep: Equatable {
        case end
        case reconnect(String)
        case fail(String)
    }

    /// The sample rate in Hz.
    let sampleRate: Int
    /// The next frame of the stream.
    var positionFrames = 0
    /// Whether there has been any sound.
    var hadSound = false
    /// The total number of frames; `nil` if there is no end or the length is not known yet.
    private(set) var frameCount: Int?
    /// Whether the stream is an HLS playlist.
    private(set) var isPlaylist = false

    /// Whether ffmpeg can seek; not if the length is unknown or estimated from the bytes.
    ///
    /// In an MP3 file without a seek table, ffmpeg would miss the position if the server does not
    /// support range requests.
    private(set) var isSeekable = true

    /// The largest difference between a container's length and the sound's, caused by padding.
    private static let toleranceSeconds = 0.25

    /// The accepted durations, up to a year; a longer one counts as unknown.
    private static let longestSeconds = 0.0...31_536_000

    /// Whether the stream has no end.
    var isLive: Bool { hadSound && frameCount == nil }

    /// Creates the history of a stream that has not started.
    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Stores the facts of an attempt whose sound is about to arrive.
    mutating func learn(_ facts: StreamFacts) {
        guard facts.format != nil, frameCount == nil else { return }
        isPlaylist = facts.isPlaylist
        let seconds = facts.durationSeconds.flatMap { Self.longestSeconds.contains($0) ? $0 : nil }
        isSeekable = seconds != nil && !facts.isEstimated
        guard !facts.isStation, let seconds else { return }
        frameCount = Int((seconds * Double(sampleRate)).rounded())
    }

    /// Stores the actual end.
    mutating func finish() { frameCount = positionFrames }

    /// Decides what to do after an attempt that delivers no more sound.
    func nextStep(after facts: StreamFacts, arrivedFrames: Int) -> NextStep {
        guard hadSound else {
            return facts.isHopeless ? .fail(facts.reason) : .reconnect(facts.reason)
        }
        guard let frameCount else {
            // A server that sends chunks marks the end of the body; stations have no end.
            let isEnd = facts.isClean && !facts.isStation && !facts.isPlaylist
            return isEnd ? .end : .reconnect(facts.reason)
        }
        // If segments of an HLS playlist are missing, less sound arrives than the playlist states.
        if facts.isPlaylist && arrivedFrames == 0 { return .end }
        return isEnd(facts, frameCount: frameCount) ? .end : .reconnect(facts.reason)
    }

    private func isEnd(_ facts: StreamFacts, frameCount: Int) -> Bool {
        let missing = Double(frameCount - positionFrames) / Double(sampleRate)
        let isWhole = missing <= Self.toleranceSeconds
        if isWhole && !facts.isEstimated { return true }
        return facts.isClean && (isWhole || facts.isEstimated || isPlaylist)
    }
}
