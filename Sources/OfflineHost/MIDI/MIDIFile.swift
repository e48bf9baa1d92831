internal import Glibc

/// What a standard MIDI file plays: messages in the order of their times.
package struct MIDIFile {
    /// One message.
    package struct Event: Equatable {
        /// From the beginning.
        package var seconds: Double
        /// As it goes over a cable, its status first; system exclusive ones whole.
        package var bytes: [UInt8]

        package init(seconds: Double, bytes: [UInt8]) {
            self.seconds = seconds
            self.bytes = bytes
        }
    }

    package let events: [Event]
    /// When the last track ends.
    package let seconds: Double

    /// Reads a file of format 0 or 1.
    ///
    /// - Throws: `MIDIFileFault` with the byte that shows what is wrong.
    init(path: String) throws(MIDIFileFault) {
        try self.init(bytes: try Self.contents(of: path), path: path)
    }

    /// Reads a file's contents.
    package init(bytes: [UInt8], path: String) throws(MIDIFileFault) {
        var reader = MIDIFileReader(bytes, path: path)
        let (tracks, division) = try reader.tracks()
        let times = TempoMap(tracks.flatMap(\.tempos), division)
        // The sort need not be stable; the place decides between equals, and so the tracks' order.
        events = tracks.flatMap(\.messages).enumerated()
            .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
            .map { Event(seconds: times.seconds(at: $0.element.tick), bytes: $0.element.bytes) }
        seconds = times.seconds(at: tracks.map(\.endTick).max() ?? 0)
    }

    private static func contents(of path: String) throws(MIDIFileFault) -> [UInt8] {
        guard let file = fopen(path, "rb") else {
            throw MIDIFileFault(path: path, reason: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 {
            bytes += piece[..<count]
        }
        guard ferror(file) == 0 else {
            throw MIDIFileFault(path: path, reason: "it cannot be read")
        }
        return bytes
    }
}

/// How long a tick of a MIDI file lasts.
enum MIDIDivision: Equatable {
    /// Ticks of a quarter, whose length the tempo says.
    case quarter(Int)
    /// Ticks of a second.
    case second(Double)
}

/// The times of a MIDI file's ticks.
struct TempoMap {
    /// From these ticks on a tick has this length.
    private var pieces: [(tick: Int, seconds: Double, secondsPerTick: Double)]

    /// - Parameters:
    ///   - tempos: In any order; of those at one tick the last holds.
    ///   - division: What a tick is.
    init(_ tempos: [MIDITrack.Tempo], _ division: MIDIDivision) {
        guard case .quarter(let ticks) = division else {
            if case .second(let ticks) = division {
                pieces = [(0, 0, 1 / ticks)]
            } else {
                pieces = []
            }
            return
        }
        let length = { (microseconds: Int) in Double(microseconds) / 1e6 / Double(ticks) }
        pieces = [(0, 0, length(500_000))]
        let sorted = tempos.enumerated().sorted {
            ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
        }
        for tempo in sorted.map(\.element) {
            pieces.append(
                (tempo.tick, seconds(at: tempo.tick), length(tempo.microsecondsPerQuarter)))
        }
    }

    /// When a tick is, in seconds from the beginning.
    func seconds(at tick: Int) -> Double {
        var low = 0, high = pieces.count
        // The last piece that begins at the tick or before it.
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].tick <= tick { low = middle } else { high = middle }
        }
        let piece = pieces[low]
        return piece.seconds + Double(tick - piece.tick) * piece.secondsPerTick
    }
}
