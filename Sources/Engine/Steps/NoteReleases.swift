internal import CRealtime

/// MIDI that releases all held notes, on every channel.
enum NoteReleases {
    /// Returns "sustain off" and "all notes off" for each channel, at a block's first frame.
    static func messages(in arena: Arena) -> RTMessages {
        let bytes = (0..<16).flatMap { channel -> [UInt8] in
            let status = 0xB0 | UInt8(channel)
            return [status, 64, 0, status, 123, 0]
        }
        let address = arena.copy(bytes)
        let messages = (0..<bytes.count / 3).map {
            RTMessage(frame: 0, byteCount: 3, bytes: address + 3 * $0)
        }
        return RTMessages(
            first: arena.copy(messages), count: Int32(messages.count), startFrame: 0)
    }
}
