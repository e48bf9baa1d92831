internal import CRealtime

/// A MIDI file that feeds the engine, with each message at the frame nearest to its time.
final class MIDIFeed {
    let lengthFrames: Int
    private let frames: [Int]
    private let messages: UnsafeMutablePointer<RTMessage>
    private let bytes: UnsafeMutablePointer<UInt8>
    private var playedCount = 0

    init(_ file: MIDIFile, sampleRate: Double) {
        lengthFrames = Self.frame(atSeconds: file.seconds, sampleRate)
        frames = file.events.map { Self.frame(atSeconds: $0.seconds, sampleRate) }
        let all = file.events.flatMap(\.bytes)
        bytes = .allocate(capacity: max(1, all.count))
        bytes.initialize(from: all, count: all.count)
        messages = .allocate(capacity: max(1, frames.count))
        var start = 0
        for (index, event) in file.events.enumerated() {
            let message = RTMessage(
                frame: 0, byteCount: Int32(event.bytes.count), bytes: bytes + start)
            (messages + index).initialize(to: message)
            start += event.bytes.count
        }
    }

    /// Returns the frame nearest to a time, at most 2^53, because a file may announce pauses of
    /// millions of years.
    private static func frame(atSeconds seconds: Double, _ sampleRate: Double) -> Int {
        Int(min(seconds * sampleRate, 0x1p53).rounded())
    }

    deinit {
        messages.deallocate()
        bytes.deallocate()
    }

    /// Returns the messages of the next frames; calls must be consecutive.
    func messages(from frame: Int, count: Int) -> RTMessages {
        let first = playedCount
        while playedCount < frames.count, frames[playedCount] < frame + count {
            messages[playedCount].frame = Int32(frames[playedCount] - frame)
            playedCount += 1
        }
        return RTMessages(
            first: messages + first, count: Int32(playedCount - first), startFrame: 0)
    }
}
