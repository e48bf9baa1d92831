internal import CRealtime

/// A destination of MIDI messages that checks each message of a session's outputs.
final class MessageCheck {
    /// The number of frames of the current block.
    var blockFrames: Int32 = 0
    private var lastFrame: Int32 = 0
    private var sounding: Set<UInt16> = []
    private(set) var messageCount = 0

    /// A sink that leads here, which must outlive it.
    var sink: RTMessageSink {
        RTMessageSink(
            receive: { context, frame, bytes, byteCount in
                Unmanaged<MessageCheck>.fromOpaque(context).takeUnretainedValue()
                    .receive(frame, UnsafeBufferPointer(start: bytes, count: Int(byteCount)))
                return true
            }, context: Unmanaged.passUnretained(self).toOpaque(), startFrame: 0)
    }

    /// Begins a block.
    func begin(frames: Int) { (blockFrames, lastFrame) = (Int32(frames), 0) }

    /// Requires that all notes have ended.
    func checkSilence() {
        require(sounding.isEmpty, "\(sounding.count) notes sound after their song")
    }

    private func receive(_ frame: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        messageCount += 1
        require((lastFrame..<blockFrames).contains(frame), "a message at frame \(frame)")
        lastFrame = frame
        require(!bytes.isEmpty && bytes[0] >= 0x80, "a message without a status")
        let wanted: Int? =
            switch bytes[0] {
            case 0xc0...0xdf: 2
            case 0x80...0xef: 3
            case 0xf0: nil
            case 0xf2: 3
            default: 1
            }
        require(wanted == nil || bytes.count == wanted, "\(bytes[0]) with \(bytes.count) bytes")
        let data = bytes[0] == 0xf0 ? bytes.dropFirst().dropLast() : bytes.dropFirst()
        require(data.allSatisfy { $0 < 0x80 }, "a data byte of 128 or more")
        if bytes[0] == 0xf0 { require(bytes.last == 0xf7, "an exclusive message without an end") }
        noteNotes(bytes)
    }

    private func noteNotes(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 3, bytes[0] < 0xa0 else { return }
        let note = UInt16(bytes[0] & 0x0f) << 8 | UInt16(bytes[1])
        if bytes[0] >= 0x90, bytes[2] > 0 {
            require(sounding.insert(note).inserted, "note \(note) starts while it sounds")
        } else {
            sounding.remove(note)
        }
    }
}
