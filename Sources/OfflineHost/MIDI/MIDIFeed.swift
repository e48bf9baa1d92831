internal import CRealtime
internal import Realtime

/// A MIDI file that feeds the engine, with each message at the frame nearest to its time.
final class MIDIFeed {
    let lengthFrames: Int
    private let frames: [Int]
    private let messages: Buffer<RTMessage>
    /// The bytes of all messages, to which `messages` points.
    private let bytes: Buffer<UInt8>
    private var playedCount = 0

    init(_ file: MIDIFile, sampleRate: Double) {
        lengthFrames = Self.frame(atSeconds: file.seconds, sampleRate)
        frames = file.events.map { Self.frame(atSeconds: $0.seconds, sampleRate) }
        bytes = Buffer(file.events.flatMap(\.bytes))
        var next = UnsafePointer(bytes.start)
        messages = Buffer(
            file.events.map { event in
                defer { next += event.bytes.count }
                return RTMessage(frame: 0, byteCount: Int32(event.bytes.count), bytes: next)
            })
    }

    /// Returns the frame nearest to a time, at most 2^53, because a file may announce pauses of
    /// millions of years.
    private static func frame(atSeconds seconds: Double, _ sampleRate: Double) -> Int {
        Int(min(seconds * sampleRate, 0x1p53).rounded())
    }

    /// Returns the messages of the next frames; calls must be consecutive.
    func messages(from frame: Int, count: Int) -> RTMessages {
        let first = playedCount
        while playedCount < frames.count, frames[playedCount] < frame + count {
            messages[playedCount].frame = Int32(frames[playedCount] - frame)
            playedCount += 1
        }
        return RTMessages(
            first: messages.start + first, count: Int32(playedCount - first), startFrame: 0)
    }
}
