internal import CRealtime

/// A MIDI file that takes what a node gives.
final class MIDITake {
    private let path: String
    private let skippedFrames: Int
    private let lengthFrames: Int
    private var messages: [(frame: Int, bytes: [UInt8])] = []
    /// The frame at which the present block begins.
    private var blockFrame = 0

    /// - Parameters:
    ///   - path: The file, written by `close`.
    ///   - skippedFrames: How many frames are left out at the beginning.
    ///   - lengthFrames: How many count after them.
    init(path: String, skippedFrames: Int, lengthFrames: Int) {
        self.path = path
        self.skippedFrames = skippedFrames
        self.lengthFrames = lengthFrames
    }

    /// Where the messages of a block go, as long as this object lives.
    func sink(from frame: Int) -> RTMessageSink {
        blockFrame = frame
        return RTMessageSink(
            take: { context, frame, bytes, count in
                // SAFETY: the context is the take that made the sink; the renderer holds it.
                let take = Unmanaged<MIDITake>.fromOpaque(context).takeUnretainedValue()
                take.take(Int(frame), UnsafeBufferPointer(start: bytes, count: Int(count)))
                return true
            }, context: Unmanaged.passUnretained(self).toOpaque(), startFrame: 0)
    }

    private func take(_ frame: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        let place = blockFrame + frame - skippedFrames
        if (0..<lengthFrames).contains(place) { messages.append((place, Array(bytes))) }
    }

    /// Writes the file.
    func close(sampleRate: Double) throws(MIDIFileFault) {
        let writer = MIDIFileWriter(sampleRate: sampleRate)
        let contents = writer.contents(of: messages, lengthFrames: lengthFrames)
        try MIDIFileWriter.write(contents, to: path)
    }
}
