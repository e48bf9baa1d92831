internal import Processing
internal import Realtime
internal import Synchronization

/// The disk's side of one recorder: does what the marks in its exchange say.
///
/// One thread at a time may use it.
final class TakeWriter: @unchecked Sendable {
    // SAFETY: live, the disk thread alone uses what is not atomic; otherwise whoever runs the processor does.

    let exchange: UnsafeMutablePointer<TakeExchange>
    let incidents = IncidentLog()
    /// Whether the recorder is gone, so that only what it left is to be written.
    let isLeft = Atomic<Bool>(false)

    private static let pieceFrames = 4096
    private let style: TakeStyle
    private var take: Take?
    /// The present take or the last one, counted from 1.
    private var takeNumber = 0
    private var takeIsOpen = false
    private var isWriting = false
    private var isLost = false
    private var lostFrom = 0
    /// The next frame that was not yet taken.
    private var cursor = 0
    /// How many frames there were the last time.
    private var lastWritten = 0

    init(_ style: TakeStyle, capacityFrames: Int) {
        self.style = style
        exchange = .allocate(capacity: 1)
        exchange.initialize(
            to: TakeExchange(channelCount: style.channelCount, capacityFrames: capacityFrames))
    }

    deinit {
        exchange.deinitialize(count: 1)
        exchange.deallocate()
    }

    /// Writes what there is to write.
    func writeAll() {
        let written = exchange.pointee.writtenFrames.load(ordering: .acquiring)
        let marks = exchange.pointee.marks.consumer
        while let mark = marks.peek(), mark.frame <= written {
            advance(to: mark.frame)
            act(on: mark)
            _ = marks.pop()
            exchange.pointee.marksTaken.add(1, ordering: .releasing)
        }
        advance(to: written)
        // Where nothing comes any more, the header is brought up to date for the last time.
        if written == lastWritten { attempt { (take) throws(TakeFault) in try take.keep() } }
        lastWritten = written
    }

    /// Writes what there is to write, and ends the take that may be under way.
    func end() {
        writeAll()
        isWriting = false
        finish()
    }

    private func act(on mark: TakeMark) {
        switch mark.kind {
        case .start:
            cursor = mark.frame
            isWriting = true
            if !takeIsOpen { open(at: mark.frame) }
        case .stop:
            if isLost { tellLoss(upTo: mark.frame) }
            (isWriting, isLost) = (false, false)
            attempt { (take) throws(TakeFault) in try take.keep() }
        case .finish: finish()
        case .lost: (isLost, lostFrom) = (true, mark.frame)
        case .found:
            tellLoss(upTo: mark.frame)
            isLost = false
        }
    }

    // MARK: Frames

    /// Takes the frames up to one, where they are wanted.
    private func advance(to frame: Int) {
        while isWriting, cursor < frame {
            let piece = exchange.pointee.piece(
                from: cursor, count: min(frame - cursor, Self.pieceFrames))
            let isLost = isLost
            attempt { (take) throws(TakeFault) in
                if isLost {
                    try take.writeSilence(piece.count)
                } else {
                    try take.write(piece.count, from: channels(at: piece.place))
                }
            }
            cursor += piece.count
            exchange.pointee.doneFrames.store(cursor, ordering: .releasing)
        }
        publish()
    }

    private func channels(at place: Int) -> [UnsafePointer<Float>] {
        let (samples, capacity) = (exchange.pointee.samples, exchange.pointee.capacityFrames)
        return (0..<style.channelCount).map { UnsafePointer(samples + $0 * capacity + place) }
    }

    // MARK: Takes

    private func open(at frame: Int) {
        takeIsOpen = true
        takeNumber += 1
        exchange.pointee.takeCount.store(takeNumber, ordering: .relaxed)
        guard style.isKept else { return }
        let time: TakeTime =
            style.isLive ? .now : .rendered(seconds: Double(frame) / style.sampleRate)
        do throws(TakeFault) {
            let take = try Take(style, at: time, number: takeNumber)
            self.take = take
            incidents.add(.takeStarted(path: take.path))
        } catch {
            fail(error, path: style.name.pattern)
        }
        publish()
    }

    private func finish() {
        attempt { (take) throws(TakeFault) in try take.finish() }
        publish()
        if let take {
            incidents.add(
                .takeFinished(
                    path: take.path, seconds: Double(take.frameCount) / style.sampleRate,
                    peak: Double(take.levels.peakDecibels)))
        }
        take = nil
        takeIsOpen = false
    }

    /// Does something with the take, if there is one; where that fails, the take is over.
    private func attempt(_ work: (Take) throws(TakeFault) -> Void) {
        guard let take else { return }
        do throws(TakeFault) {
            try work(take)
        } catch {
            self.take = nil
            fail(error, path: take.path)
        }
    }

    private func fail(_ fault: TakeFault, path: String) {
        incidents.add(.takeStopped(path: path, reason: fault.reason))
        exchange.pointee.failedTake.store(takeNumber, ordering: .releasing)
    }

    private func tellLoss(upTo frame: Int) {
        if frame > lostFrom { incidents.add(.starved(frames: frame - lostFrom)) }
    }

    private func publish() {
        guard let take else { return }
        exchange.pointee.recordedFrames.store(take.frameCount, ordering: .relaxed)
        exchange.pointee.peak.store(take.levels.peakDecibels.bitPattern, ordering: .relaxed)
        exchange.pointee.rms.store(take.levels.rmsDecibels.bitPattern, ordering: .relaxed)
    }
}
