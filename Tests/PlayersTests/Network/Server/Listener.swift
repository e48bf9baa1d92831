import Glibc
import Players

/// Reads a stream as a player does, and records the result.
final class Listener {
    let source: NetworkSource
    private(set) var samples: [Float] = []
    private(set) var notices: [StreamNotice] = []
    /// The number of reads without data.
    private(set) var waits = 0
    /// The reason why the sound has ended; `nil` before.
    private(set) var end: StreamRead?

    init(
        _ address: String, sampleRate: Int = 48_000, channels: Int = 2,
        limits: StreamLimits = .quick, reach: HostPermissions = .allHosts
    ) throws {
        source = NetworkSource(
            try NetworkURL(address),
            format: StreamFormat(sampleRate: sampleRate, channels: channels),
            limits: limits, reach: reach)
    }

    /// The number of frames received.
    var frames: Int { samples.count / source.channels }

    /// Listens until a condition is true, the sound ends, or nothing happens for a long time.
    @discardableResult
    func listen(until isDone: (Listener) -> Bool = { _ in false }) -> Listener {
        var idle = 0
        var block = [Float](repeating: 0, count: 4800 * source.channels)
        while end == nil, idle < 10_000, !isDone(self) {
            let read = block.withUnsafeMutableBufferPointer { block in
                source.read(4800, into: block.baseAddress.unsafelyUnwrapped)
            }
            readNotices()
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
        readNotices()
        return self
    }

    /// Seeks, and discards everything received so far.
    func seek(to frame: Int) {
        source.seek(to: frame)
        samples = []
        end = nil
    }

    private func readNotices() {
        while let notice = source.nextNotice() { notices.append(notice) }
    }

    /// The titles received so far.
    var titles: [String] {
        notices.compactMap { if case .title(let text) = $0 { text } else { nil } }
    }

    /// The reasons for reconnections.
    var reasons: [String] {
        notices.compactMap { if case .reconnecting(_, let reason) = $0 { reason } else { nil } }
    }
}

extension StreamLimits {
    /// The timing used on stage, but quicker, except for stalls, which a busy machine may seem to
    /// have.
    static var quick: StreamLimits {
        var limits = StreamLimits()
        limits.bufferSeconds = 0.5
        limits.longestBufferSeconds = 2
        limits.firstPauseSeconds = 0.05
        limits.longestPauseSeconds = 0.4
        limits.attempts = 3
        return limits
    }

    /// The same timing, with a short limit for stalls.
    static var watchful: StreamLimits {
        var limits = quick
        limits.stallSeconds = 1
        return limits
    }
}
