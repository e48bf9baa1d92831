/// What is known of a stream over all attempts, and what follows from the end of one.
struct StreamStory {
    /// What to do when there is no more sound.
    enum Turn: Equatable {
        case end
        case again(String)
        case fail(String)
    }

    /// Frames a second.
    let sampleRate: Int
    /// The next frame.
    var positionFrames = 0
    /// Whether there was any sound at all.
    var hadSound = false
    /// Frames of the whole; nil where it has no end, or where that is not known yet.
    private(set) var frameCount: Int?
    /// Whether it comes in parts of a list (HLS).
    private(set) var isPlaylist = false

    /// Whether ffmpeg finds a place in it: not where the length is unknown or reckoned from the bytes.
    ///
    /// In MP3 without a table it then misses the place at servers that give no parts of a file.
    private(set) var hasPlaces = true

    /// How far a container's own length may be from the sound's: padding of some codecs.
    private static let toleranceSeconds = 0.25

    /// Whether it has no end.
    var isLive: Bool { hadSound && frameCount == nil }

    /// A story that has not begun.
    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Learns from an attempt, whose sound is about to come.
    mutating func learn(_ facts: StreamFacts) {
        guard facts.format != nil, frameCount == nil else { return }
        isPlaylist = facts.isPlaylist
        hasPlaces = facts.durationSeconds != nil && !facts.isEstimated
        guard !facts.isStation, let seconds = facts.durationSeconds else { return }
        frameCount = Int((seconds * Double(sampleRate)).rounded())
    }

    /// Takes note of the real end.
    mutating func finish() { frameCount = positionFrames }

    /// What follows from an attempt that gave all that it could.
    func turn(after facts: StreamFacts, cameFrames: Int) -> Turn {
        guard hadSound else { return facts.isHopeless ? .fail(facts.reason) : .again(facts.reason) }
        guard let frameCount else {
            // Who sends in chunks says when all were sent; stations never are done.
            let isEnd = facts.isClean && !facts.isStation && !facts.isPlaylist
            return isEnd ? .end : .again(facts.reason)
        }
        // Where parts of a list are missing, less comes than the list says.
        if facts.isPlaylist && cameFrames == 0 { return .end }
        return isEnd(facts, frameCount: frameCount) ? .end : .again(facts.reason)
    }

    private func isEnd(_ facts: StreamFacts, frameCount: Int) -> Bool {
        let missing = Double(frameCount - positionFrames) / Double(sampleRate)
        let isWhole = missing <= Self.toleranceSeconds
        if isWhole && !facts.isEstimated { return true }
        return facts.isClean && (isWhole || facts.isEstimated || isPlaylist)
    }
}
