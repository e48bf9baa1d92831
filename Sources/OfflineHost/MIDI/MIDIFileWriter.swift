internal import Glibc
internal import SoundFiles
internal import Platform

/// Writes messages as a standard MIDI file of format 0 whose ticks are frames.
package struct MIDIFileWriter {
    /// The maximum number of ticks per quarter note in a file.
    private static let maximumTicks = 32_767
    /// The maximum number of ticks between two events, which are written as four bytes of seven
    /// bits.
    private static let maximumPauseTicks = 0x0fff_ffff

    private let ticksPerQuarter: Int
    private let microsecondsPerQuarter: Int

    /// Creates a writer.
    ///
    /// - Parameter sampleRate: In Hz, a whole number.
    package init(sampleRate: Double) {
        var divisor = 2
        while Int(sampleRate) / divisor > Self.maximumTicks { divisor *= 2 }
        ticksPerQuarter = max(1, Int(sampleRate) / divisor)
        microsecondsPerQuarter = Int((Double(ticksPerQuarter) / sampleRate * 1e6).rounded())
    }

    /// Returns the file's contents.
    ///
    /// - Parameters:
    ///   - messages: The messages, ordered by frame.
    ///   - lengthFrames: The end of the track.
    /// - Returns: All bytes of the file.
    package func contents(
        of messages: [(frame: Int, bytes: [UInt8])], lengthFrames: Int
    ) -> [UInt8] {
        var track: [UInt8] = [0, 0xff, 0x51, 3] + Self.number(microsecondsPerQuarter, 3)
        var last = 0
        for message in messages where message.bytes.first.map({ $0 >= 0x80 }) == true {
            track += Self.pause(message.frame - last) + Self.event(message.bytes)
            last = message.frame
        }
        track += Self.pause(max(0, lengthFrames - last)) + [0xff, 0x2f, 0]
        return Array("MThd".utf8) + Self.number(6, 4) + Self.number(0, 2) + Self.number(1, 2)
            + Self.number(ticksPerQuarter, 2) + Array("MTrk".utf8) + Self.number(track.count, 4)
            + track
    }

    /// Writes the contents to a file.
    ///
    /// - Throws: `MIDIFileError` if the file cannot be written.
    static func write(_ contents: [UInt8], to path: String) throws(MIDIFileError) {
        if let reason = OutputPath.error(of: path) {
            throw MIDIFileError(path: path, reason: reason, isWriting: true)
        }
        guard let file = fopen(path, "wb") else { throw writeError(path) }
        let count = fwrite(contents, 1, contents.count, file)
        guard fclose(file) == 0, count == contents.count else { throw writeError(path) }
    }

    private static func writeError(_ path: String) -> MIDIFileError {
        MIDIFileError(path: path, reason: SystemError.last.message, isWriting: true)
    }

    /// Returns the ticks before an event; values above 28 bits are divided by empty text events,
    /// which are inaudible.
    private static func pause(_ ticks: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = ticks
        while rest > maximumPauseTicks {
            bytes += variableNumber(maximumPauseTicks) + [0xff, 0x01, 0]
            rest -= maximumPauseTicks
        }
        return bytes + variableNumber(rest)
    }

    /// Returns a channel message unchanged, and any other bytes preceded by their length.
    private static func event(_ bytes: [UInt8]) -> [UInt8] {
        if isChannelMessage(bytes) { return bytes }
        if bytes[0] == 0xf0 { return [0xf0] + variableNumber(bytes.count - 1) + bytes.dropFirst() }
        return [0xf7] + variableNumber(bytes.count) + bytes
    }

    /// Returns whether the bytes are one complete channel message; the output of a plugin may be
    /// anything.
    private static func isChannelMessage(_ bytes: [UInt8]) -> Bool {
        guard (0x80..<0xf0).contains(bytes[0]) else { return false }
        let byteCount = (0xc0..<0xe0).contains(bytes[0]) ? 2 : 3
        return bytes.count == byteCount && bytes.dropFirst().allSatisfy { $0 < 0x80 }
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
