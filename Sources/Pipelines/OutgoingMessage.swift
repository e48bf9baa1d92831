extension Pipeline {
    /// A MIDI message that a scene sends when it is called, or a song when it starts.
    public struct Message: Sendable, Equatable, Codable {
        /// The index in the pipeline's `outputs` of a MIDI output.
        public var output: Int
        /// The whole message with its status byte, from 2 through 1,024 bytes.
        public var bytes: [UInt8]
        /// For the start of a note, the time until its end, in seconds; `nil` if the note sounds
        /// until it is ended by another message or the end of the song.
        public var noteSeconds: Double?

        /// Creates a message from its properties.
        public init(output: Int, bytes: [UInt8], noteSeconds: Double? = nil) {
            self.output = output
            self.bytes = bytes
            self.noteSeconds = noteSeconds
        }

        /// The maximum number of bytes of a system exclusive message.
        public static let maximumBytes = 1024
        /// The maximum number of bytes of all messages in one `send`.
        public static let maximumBytesPerSend = 4096
    }
}

/// System exclusive messages as text: `F0 7E 7F 09 01 F7`.
enum SystemExclusive {
    /// Returns the bytes of a text; `nil` if the text is not one whole message of at most
    /// `Pipeline.Message.maximumBytes` bytes.
    ///
    /// Each byte has two hexadecimal digits. White space between bytes is ignored.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            if let digit = digit(character) {
                guard let first = high else {
                    high = digit
                    continue
                }
                bytes.append(first << 4 | digit)
                high = nil
                guard bytes.count <= Pipeline.Message.maximumBytes else { return nil }
            } else {
                guard high == nil, [0x20, 0x09, 0x0A, 0x0D].contains(character) else { return nil }
            }
        }
        guard high == nil, bytes.count > 2, bytes.first == 0xF0, bytes.last == 0xF7,
            bytes.dropFirst().dropLast().allSatisfy({ $0 < 0x80 })
        else { return nil }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }
}
