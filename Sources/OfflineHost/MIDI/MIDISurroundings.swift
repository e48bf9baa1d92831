internal import CRealtime

/// What an offline engine gets and gives beside sound: MIDI files, and word that nobody waits.
final class MIDISurroundings {
    private let feeds: [MIDIFeed?]
    private let takes: [MIDITake?]
    private let messages: UnsafeMutablePointer<RTMessages>
    private let sinks: UnsafeMutablePointer<RTMessageSink>
    private let outside: UnsafeMutablePointer<RTOutside>

    /// - Parameters:
    ///   - feeds: One place a MIDI input of the pipeline; nil is silent.
    ///   - takes: One place a MIDI output; what goes to nil is dropped.
    init(feeds: [MIDIFeed?] = [], takes: [MIDITake?] = []) {
        self.feeds = feeds
        self.takes = takes
        messages = .allocate(capacity: max(1, feeds.count))
        messages.initialize(repeating: RTMessages(), count: max(1, feeds.count))
        sinks = .allocate(capacity: max(1, takes.count))
        sinks.initialize(repeating: RTMessageSink(), count: max(1, takes.count))
        outside = .allocate(capacity: 1)
        outside.initialize(
            to: RTOutside(
                messages: messages, inputCount: Int32(feeds.count), sinks: sinks,
                sinkCount: Int32(takes.count), isFreewheeling: true, transport: nil))
    }

    deinit {
        messages.deallocate()
        sinks.deallocate()
        outside.deallocate()
    }

    /// What belongs to a block, valid until the next call; blocks come in their order.
    func block(from frame: Int, count: Int) -> UnsafePointer<RTOutside> {
        for (place, feed) in feeds.enumerated() {
            if let feed { messages[place] = feed.messages(from: frame, count: count) }
        }
        for (place, take) in takes.enumerated() {
            if let take { sinks[place] = take.sink(from: frame) }
        }
        return UnsafePointer(outside)
    }

    /// Finishes the files.
    func close(sampleRate: Double) throws(MIDIFileFault) {
        for case let take? in takes { try take.close(sampleRate: sampleRate) }
    }
}
