import Glibc
import Players

/// Reads a stream as a player does, and remembers what came.
final class Listener {
    let source: NetworkSource
    private(set) var samples: [Float] = []
    private(set) var notices: [StreamNotice] = []
    /// How often there was nothing yet.
    private(set) var waits = 0
    /// Why there is no more sound; nil while there is.
    private(set) var end: StreamRead?

    init(
        _ address: String, sampleRate: Int = 48_000, channels: Int = 2,
        patience: StreamPatience = .quick
    ) throws {
        source = NetworkSource(
            try NetworkURL(address),
            format: StreamFormat(sampleRate: sampleRate, channels: channels),
            patience: patience)
    }

    /// Frames that came.
    var frames: Int { samples.count / source.channels }

    /// Listens until something is true, or there is no more sound, or nothing happens for long.
    @discardableResult
    func listen(until isDone: (Listener) -> Bool = { _ in false }) -> Listener {
        var idle = 0
        var block = [Float](repeating: 0, count: 4800 * source.channels)
        while end == nil, idle < 10_000, !isDone(self) {
            let read = block.withUnsafeMutableBufferPointer { block in
                source.read(4800, into: block.baseAddress.unsafelyUnwrapped)
            }
            takeNotices()
            switch read {
            case .frames(let count):
                samples += block[..<(count * source.channels)]
                idle = 0
            case .waiting:
                waits += 1
                idle += 1
                usleep(2000)
            case .ended, .failed: end = read
            }
        }
        takeNotices()
        return self
    }

    /// Goes on from another place, as if nothing had come so far.
    func seek(to frame: Int) {
        source.seek(to: frame)
        samples = []
        end = nil
    }

    private func takeNotices() {
        while let notice = source.nextNotice() { notices.append(notice) }
    }

    /// The titles so far.
    var titles: [String] {
        notices.compactMap { if case .title(let text) = $0 { text } else { nil } }
    }

    /// The reasons why it was connected anew.
    var reasons: [String] {
        notices.compactMap { if case .reconnecting(_, let reason) = $0 { reason } else { nil } }
    }
}

extension StreamPatience {
    /// As on stage, but quicker; stalls, which a busy machine may seem to have, aside.
    static var quick: StreamPatience {
        var patience = StreamPatience()
        patience.bufferSeconds = 0.5
        patience.longestBufferSeconds = 2
        patience.firstPauseSeconds = 0.05
        patience.longestPauseSeconds = 0.4
        patience.attempts = 3
        return patience
    }

    /// The same, and it does not wait long where nothing comes.
    static var watchful: StreamPatience {
        var patience = quick
        patience.stallSeconds = 1
        return patience
    }
}
