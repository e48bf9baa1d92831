internal import CRealtime
internal import Realtime

/// The data that an offline engine exchanges in addition to audio: MIDI files, and the information
/// that rendering is not in real time.
final class MIDIContext {
    private let feeds: [MIDIFeed?]
    private let outputFiles: [MIDIOutputFile?]
    private let messages: Buffer<RTMessages>
    private let sinks: Buffer<RTMessageSink>
    private let engineCall: Buffer<RTEngineCall>

    /// Creates the context from feeds and output files.
    ///
    /// - Parameters:
    ///   - feeds: One entry per MIDI input of the pipeline; `nil` is silent.
    ///   - outputFiles: One entry per MIDI output; messages for `nil` are dropped.
    init(feeds: [MIDIFeed?] = [], outputFiles: [MIDIOutputFile?] = []) {
        self.feeds = feeds
        self.outputFiles = outputFiles
        messages = Buffer(count: feeds.count, repeating: RTMessages())
        sinks = Buffer(count: outputFiles.count, repeating: RTMessageSink())
        engineCall = Buffer(
            count: 1,
            repeating: RTEngineCall(
                messages: messages.start, inputCount: Int32(feeds.count), sinks: sinks.start,
                sinkCount: Int32(outputFiles.count), isFreewheeling: true, transport: nil))
    }

    /// Returns the MIDI of a block, valid until the next call; blocks must be consecutive.
    func block(from frame: Int, count: Int) -> UnsafePointer<RTEngineCall> {
        for (index, feed) in feeds.enumerated() {
            if let feed { messages[index] = feed.messages(from: frame, count: count) }
        }
        for (index, file) in outputFiles.enumerated() {
            if let file { sinks[index] = file.sink(from: frame) }
        }
        return UnsafePointer(engineCall.start)
    }

    /// Completes the files.
    func close(sampleRate: Double) throws(MIDIFileError) {
        for case let file? in outputFiles { try file.close(sampleRate: sampleRate) }
    }
}
