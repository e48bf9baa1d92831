internal import CRealtime

/// A MIDI file that records the output of a node.
final class MIDIOutputFile {
    private let path: String
    private let skippedFrames: Int
    private let lengthFrames: Int
    private var messages: [(frame: Int, bytes: [UInt8])] = []
    /// The first frame of the current block.
    private var blockFrame = 0

    /// Creates a recording without messages.
    ///
    /// - Parameters:
    ///   - path: The file; `close` writes it.
    ///   - skippedFrames: The number of frames to omit at the start.
    ///   - lengthFrames: The number of frames to record after them.
    init(path: String, skippedFrames: Int, lengthFrames: Int) {
        self.path = path
        self.skippedFrames = skippedFrames
        self.lengthFrames = lengthFrames
    }

    /// Returns the sink for the messages of a block; valid while this object exists.
    func sink(from frame: Int) -> RTMessageSink {
        blockFrame = frame
        return RTMessageSink(
            receive: { context, frame, bytes, count in
                // SAFETY: the context is the file that created the sink; the renderer retains it.
                let file = Unmanaged<MIDIOutputFile>.fromOpaque(context).takeUnretainedValue()
                file.receive(Int(frame), UnsafeBufferPointer(start: bytes, count: Int(count)))
                return true
            }, context: Unmanaged.passUnretained(self).toOpaque(), startFrame: 0)
    }

    private func receive(_ frame: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        let fileFrame = blockFrame + frame - skippedFrames
        if (0..<lengthFrames).contains(fileFrame) { messages.append((fileFrame, Array(bytes))) }
    }

    /// Writes the file.
    func close(sampleRate: Double) throws(MIDIFileError) {
        let writer = MIDIFileWriter(sampleRate: sampleRate)
        let contents = writer.contents(of: messages, lengthFrames: lengthFrames)
        try MIDIFileWriter.write(contents, to: path)
    }
}
