/// Parses a standard MIDI file.
struct MIDIFileReader {
    private let bytes: [UInt8]
    private let path: String
    private var offset = 0
    /// The end of the current chunk.
    private var end: Int

    init(_ bytes: [UInt8], path: String) {
        self.bytes = bytes
        self.path = path
        end = bytes.count
    }

    /// Returns the tracks and the unit of their ticks.
    mutating func tracks() throws(MIDIFileError) -> ([MIDITrack], MIDIDivision) {
        guard bytes.starts(with: "MThd".utf8) else {
            throw error(at: 0, "not a standard MIDI file: it does not start with \"MThd\"")
        }
        offset = 4
        let headerEnd = try chunkEnd()
        let format = try number(2)
        guard format < 2 else {
            throw error(
                at: offset - 2, "MIDI file format \(format) is not supported (only 0 and 1)")
        }
        let trackCount = try number(2)
        let division = try division()
        offset = headerEnd
        var tracks: [MIDITrack] = []
        while tracks.count < trackCount {
            let start = offset
            end = bytes.count
            guard bytes.count - offset >= 8 else {
                throw error(
                    at: bytes.count, "the file ends after \(tracks.count) of \(trackCount) tracks")
            }
            let isTrack = bytes[start..<start + 4].elementsEqual("MTrk".utf8)
            offset = start + 4
            end = try chunkEnd()
            if isTrack { tracks.append(try track()) }
            offset = end
        }
        return (tracks, division)
    }

    private mutating func division() throws(MIDIFileError) -> MIDIDivision {
        let value = try number(2)
        guard value & 0x8000 == 0 else {
            let frames = 256 - value >> 8, ticks = value & 0xff
            guard [24, 25, 29, 30].contains(frames), ticks > 0 else {
                throw error(at: offset - 2, "invalid tick length")
            }
            return .second((frames == 29 ? 30_000 / 1001 : Double(frames)) * Double(ticks))
        }
        guard value > 0 else { throw error(at: offset - 2, "a quarter note has 0 ticks") }
        return .quarter(value)
    }

    // MARK: Tracks

    private mutating func track() throws(MIDIFileError) -> MIDITrack {
        var track = MIDITrack()
        var runningStatus: UInt8?
        var hasEnded = false
        while offset < end, !hasEnded {
            track.endTick += try variableNumber()
            let start = offset
            let first = try byte()
            switch first {
            case 0xff: hasEnded = try meta(&track)
            case 0xf0, 0xf7:
                runningStatus = nil
                try exclusive(first, &track)
            case 0xf1...0xfe:
                throw error(at: start, "status \(first) is not allowed in a MIDI file")
            case 0x80...:
                runningStatus = first
                try message(first, &track)
            default:
                guard let status = runningStatus else {
                    throw error(at: start, "expected a status byte, found \(first)")
                }
                offset = start
                try message(status, &track)
            }
        }
        return track
    }

    private mutating func message(_ status: UInt8, _ track: inout MIDITrack) throws(MIDIFileError) {
        var bytes = [status]
        for _ in 0..<((0xc0..<0xe0).contains(status) ? 1 : 2) {
            let value = try byte()
            guard value < 0x80 else {
                throw error(at: offset - 1, "expected a data byte (0 to 127), found \(value)")
            }
            bytes.append(value)
        }
        track.messages.append(.init(tick: track.endTick, bytes: bytes))
    }

    /// Reads a system exclusive message or a part of one, or bytes that are sent unchanged.
    private mutating func exclusive(
        _ first: UInt8, _ track: inout MIDITrack
    ) throws(MIDIFileError) {
        let data = try data()
        if first == 0xf0 {
            track.messages.append(.init(tick: track.endTick, bytes: [0xf0] + data))
        } else if let last = track.messages.last?.bytes, last[0] == 0xf0, last.last != 0xf7 {
            track.messages[track.messages.count - 1].bytes += data
            track.messages[track.messages.count - 1].tick = track.endTick
        } else if !data.isEmpty {
            track.messages.append(.init(tick: track.endTick, bytes: Array(data)))
        }
    }

    /// Reads a meta event, of which only the tempo is used; returns `true` at the end of the track.
    private mutating func meta(_ track: inout MIDITrack) throws(MIDIFileError) -> Bool {
        let type = try byte()
        let start = offset
        let data = try data()
        if type == 0x51 {
            let tempo = data.reduce(0) { $0 << 8 | Int($1) }
            guard data.count == 3, tempo > 0 else {
                throw error(at: start, "a tempo must be a 3-byte number above 0")
            }
            track.tempos.append(.init(tick: track.endTick, microsecondsPerQuarter: tempo))
        }
        return type == 0x2f
    }

    // MARK: Bytes

    private mutating func byte() throws(MIDIFileError) -> UInt8 {
        guard offset < end else {
            throw error(
                at: offset, end == bytes.count ? "the file ends here" : "the track ends here")
        }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func number(_ byteCount: Int) throws(MIDIFileError) -> Int {
        var value = 0
        for _ in 0..<byteCount { value = value << 8 | Int(try byte()) }
        return value
    }

    /// Reads a variable-length number: up to 4 bytes with 7 bits each; all bytes except the last
    /// have the eighth bit set.
    private mutating func variableNumber() throws(MIDIFileError) -> Int {
        var value = 0
        let start = offset
        for _ in 0..<4 {
            let next = try byte()
            value = value << 7 | Int(next & 0x7f)
            if next < 0x80 { return value }
        }
        throw error(at: start, "a number has more than 4 bytes")
    }

    private mutating func data() throws(MIDIFileError) -> ArraySlice<UInt8> {
        let start = offset
        let count = try variableNumber()
        guard count <= end - offset else {
            throw error(
                at: start,
                "the track declares \(count) bytes, but only \(end - offset) remain")
        }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// Reads the length of a chunk and returns the position of its end.
    private mutating func chunkEnd() throws(MIDIFileError) -> Int {
        let start = offset
        let count = try number(4)
        guard count <= bytes.count - offset else {
            throw error(
                at: start,
                "the file declares \(count) bytes, but only \(bytes.count - offset) remain")
        }
        return offset + count
    }

    private func error(at byte: Int, _ reason: String) -> MIDIFileError {
        MIDIFileError(path: path, byte: byte, reason: reason)
    }
}
