internal import Glibc

/// Writes messages as a standard MIDI file of format 0 whose ticks are frames.
package struct MIDIFileWriter {
    /// The most ticks that a file's quarter may have.
    private static let mostTicks = 32_767

    private let ticksPerQuarter: Int
    private let microsecondsPerQuarter: Int

    /// - Parameter sampleRate: Frames a second, a whole number.
    package init(sampleRate: Double) {
        var divisor = 2
        while Int(sampleRate) / divisor > Self.mostTicks { divisor *= 2 }
        ticksPerQuarter = max(1, Int(sampleRate) / divisor)
        microsecondsPerQuarter = Int((Double(ticksPerQuarter) / sampleRate * 1e6).rounded())
    }

    /// The file's contents.
    ///
    /// - Parameters:
    ///   - messages: In the order of their frames.
    ///   - lengthFrames: When the track ends.
    /// - Returns: All bytes of the file.
    package func contents(
        of messages: [(frame: Int, bytes: [UInt8])], lengthFrames: Int
    ) -> [UInt8] {
        var track: [UInt8] = [0, 0xff, 0x51, 3] + Self.number(microsecondsPerQuarter, 3)
        var last = 0
        for message in messages where message.bytes.first.map({ $0 >= 0x80 }) == true {
            track += Self.variableNumber(message.frame - last) + Self.event(message.bytes)
            last = message.frame
        }
        track += Self.variableNumber(max(0, lengthFrames - last)) + [0xff, 0x2f, 0]
        return Array("MThd".utf8) + Self.number(6, 4) + Self.number(0, 2) + Self.number(1, 2)
            + Self.number(ticksPerQuarter, 2) + Array("MTrk".utf8) + Self.number(track.count, 4)
            + track
    }

    /// Writes the contents to a file.
    ///
    /// - Throws: `MIDIFileFault` where that fails.
    static func write(_ contents: [UInt8], to path: String) throws(MIDIFileFault) {
        guard let file = fopen(path, "wb") else { throw writeFault(path) }
        let count = fwrite(contents, 1, contents.count, file)
        guard fclose(file) == 0, count == contents.count else { throw writeFault(path) }
    }

    private static func writeFault(_ path: String) -> MIDIFileFault {
        MIDIFileFault(path: path, reason: String(cString: strerror(errno)), isWriting: true)
    }

    /// A message of a channel as it is, any other one behind its length.
    private static func event(_ bytes: [UInt8]) -> [UInt8] {
        if bytes[0] < 0xf0 { return bytes }
        if bytes[0] == 0xf0 { return [0xf0] + variableNumber(bytes.count - 1) + bytes.dropFirst() }
        return [0xf7] + variableNumber(bytes.count) + bytes
    }

    private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func variableNumber(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 0x7f)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }
}
