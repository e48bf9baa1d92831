internal import Pipelines

/// The contents of a standard MIDI file: messages ordered by time.
package struct MIDIFile {
    /// One message.
    package struct Event: Equatable {
        /// The time from the start of the file.
        package var seconds: Double
        /// The bytes as sent over a cable, starting with the status; system exclusive messages are
        /// complete.
        package var bytes: [UInt8]

        package init(seconds: Double, bytes: [UInt8]) {
            self.seconds = seconds
            self.bytes = bytes
        }
    }

    package let events: [Event]
    /// The end of the longest track.
    package let seconds: Double

    /// Reads a file of format 0 or 1.
    ///
    /// - Throws: `MIDIFileError` with the position of the byte that is wrong.
    init(path: String) throws(MIDIFileError) {
        try self.init(bytes: try Self.contents(of: path), path: path)
    }

    /// Parses a file's contents.
    package init(bytes: [UInt8], path: String) throws(MIDIFileError) {
        var reader = MIDIFileReader(bytes, path: path)
        let (tracks, division) = try reader.tracks()
        let times = TempoMap(tracks.flatMap(\.tempos), division)
        // The sort need not be stable, so the index decides between equal ticks; this keeps the
        // order of the tracks.
        events = tracks.flatMap(\.messages).enumerated()
            .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
            .map { Event(seconds: times.seconds(at: $0.element.tick), bytes: $0.element.bytes) }
        seconds = times.seconds(at: tracks.map(\.endTick).max() ?? 0)
    }

    /// The largest accepted file, in bytes; a larger one contains more messages than any instrument
    /// plays.
    private static let longestBytes = 64 << 20

    private static func contents(of path: String) throws(MIDIFileError) -> [UInt8] {
        do throws(UnreadableFile) {
            let bytes = try FileContents(path: path, limitBytes: longestBytes).bytes
            guard bytes.count <= longestBytes else {
                throw UnreadableFile(path, reason: "it is larger than 64 MiB")
            }
            return bytes
        } catch {
            throw MIDIFileError(path: path, reason: error.reason)
        }
    }
}

/// The unit of a MIDI file's ticks.
enum MIDIDivision: Equatable {
    /// The number of ticks per quarter note, whose duration the tempo defines.
    case quarter(Int)
    /// The number of ticks per second.
    case second(Double)
}

/// Maps the ticks of a MIDI file to times.
struct TempoMap {
    /// The start of each section with a constant tick duration.
    private var pieces: [(tick: Int, seconds: Double, secondsPerTick: Double)]

    /// Creates a map from tempo changes.
    ///
    /// - Parameters:
    ///   - tempos: The changes in any order; the last of those at the same tick applies.
    ///   - division: The unit of the ticks.
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

    /// Returns the time of a tick, in seconds from the start of the file.
    func seconds(at tick: Int) -> Double {
        var low = 0, high = pieces.count
        // Search for the last section that starts at or before the tick.
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].tick <= tick { low = middle } else { high = middle }
        }
        let piece = pieces[low]
        return piece.seconds + Double(tick - piece.tick) * piece.secondsPerTick
    }
}
