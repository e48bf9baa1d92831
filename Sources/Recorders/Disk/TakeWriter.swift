internal import DSP
internal import Processing
internal import Realtime
internal import Synchronization

/// The disk's side of a recorder: processes the marks and the frames in its exchange.
///
/// Only one thread at a time may use it.
final class TakeWriter: @unchecked Sendable {
    // SAFETY: live, only the disk thread uses the non-atomic state; offline, only the thread that
    // runs the processor.

    /// The memory of the exchange, which the kernel uses too.
    private let exchangeMemory: Buffer<TakeExchange>
    var exchange: UnsafeMutablePointer<TakeExchange> { exchangeMemory.start }
    let incidents = IncidentLog()
    /// The id of the recorder.
    let node: String
    /// The path of the current or last take.
    let path = TakePath()
    /// Whether the recorder has been removed, so that only its remaining frames are written.
    let isLeft = Atomic<Bool>(false)

    private static let pieceFrames = 4096
    private let style: TakeStyle
    /// The limit on new takes; `nil` offline, because no client controls the recorder there.
    private let allowance: TakeAllowance?
    private var reportedRefusals = 0
    private var take: Take?
    /// The number of the current or last take, from 1.
    private var takeNumber = 0
    private var takeIsOpen = false
    private var isWriting = false
    private var isLost = false
    private var lostFrom = 0
    /// The next frame to process.
    private var cursor = 0
    /// The number of written frames at the last call of `writeAll`.
    private var lastWritten = 0

    /// Creates a writer without a take.
    ///
    /// - Parameters:
    ///   - style: The properties of the takes.
    ///   - capacityFrames: The length of the ring, in frames.
    ///   - allowance: The limit on new takes; `nil` for none.
    ///   - node: The id of the recorder.
    /// - Throws: `PluginError` if there is not enough memory for the ring of frames.
    init(
        _ style: TakeStyle, capacityFrames: Int, allowance: TakeAllowance?, node: String
    ) throws(PluginError) {
        self.style = style
        self.node = node
        self.allowance = allowance
        let count = TakeExchange.sampleCount(
            channelCount: style.channelCount, capacityFrames: capacityFrames)
        guard let samples = SampleMemory.zeros(count) else {
            throw .noMemory(
                forBytes: count.multipliedClamped(by: MemoryLayout<Float>.stride))
        }
        exchangeMemory = Buffer(count: 1) { _ in
            TakeExchange(
                samples, channelCount: style.channelCount, capacityFrames: capacityFrames)
        }
        allowTakes()
    }

    /// Processes all pending marks and frames.
    func writeAll() {
        let written = exchange.pointee.writtenFrames.load(ordering: .acquiring)
        let marks = exchange.pointee.marks.consumer
        while let mark = marks.peek(), mark.frame <= written {
            advance(to: mark.frame)
            act(on: mark)
            _ = marks.pop()
            exchange.pointee.handledMarks.add(1, ordering: .releasing)
        }
        advance(to: written)
        // If no frames have arrived since the last call, bring the header up to date.
        if written == lastWritten { attempt { (take) throws(TakeError) in try take.keep() } }
        lastWritten = written
        allowTakes()
        reportRefusals()
    }

    /// Publishes the number of takes that are allowed so far to the audio thread.
    private func allowTakes() {
        guard let allowance else { return }
        let left = allowance.left(for: style.name.pattern)
        exchange.pointee.allowedTakes.store(takeNumber + left, ordering: .releasing)
    }

    private func reportRefusals() {
        let refusals = exchange.pointee.refusedTakes.load(ordering: .acquiring)
        guard let allowance, refusals != reportedRefusals else { return }
        reportedRefusals = refusals
        guard allowance.reportsRefusal(for: style.name.pattern) else { return }
        incidents.add(
            .takeRefused(
                reason:
                    "\(TakeAllowance.maximumAtOnce) takes were started within a minute; the next one can start in two seconds"
            ))
    }

    /// Processes all pending marks and frames, and ends an open take.
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
            if isLost { reportLoss(upTo: mark.frame) }
            (isWriting, isLost) = (false, false)
            attempt { (take) throws(TakeError) in try take.keep() }
        case .finish: finish()
        case .lost: (isLost, lostFrom) = (true, mark.frame)
        case .found:
            reportLoss(upTo: mark.frame)
            isLost = false
        }
    }

    // MARK: Frames

    /// Processes the frames up to one; writes them if they belong to a take.
    private func advance(to frame: Int) {
        while isWriting, cursor < frame {
            let piece = exchange.pointee.piece(
                from: cursor, count: min(frame - cursor, Self.pieceFrames))
            let isLost = isLost
            attempt { (take) throws(TakeError) in
                if isLost {
                    try take.writeSilence(piece.count)
                } else {
                    try take.write(piece.count, from: channels(at: piece.index))
                }
            }
            cursor += piece.count
            exchange.pointee.doneFrames.store(cursor, ordering: .releasing)
        }
        publish()
    }

    private func channels(at index: Int) -> [UnsafePointer<Float>] {
        let (samples, capacity) = (exchange.pointee.samples, exchange.pointee.capacityFrames)
        return (0..<style.channelCount).map { UnsafePointer(samples + $0 * capacity + index) }
    }

    // MARK: Takes

    private func open(at frame: Int) {
        takeIsOpen = true
        takeNumber += 1
        allowance?.spend(for: style.name.pattern)
        exchange.pointee.takeCount.store(takeNumber, ordering: .relaxed)
        guard style.isKept else { return }
        let time: TakeTime =
            style.isLive ? .now : .rendered(seconds: Double(frame) / style.sampleRate)
        do throws(TakeError) {
            let take = try Take(style, at: time, number: takeNumber)
            self.take = take
            path.set(take.path)
            incidents.add(.takeStarted(path: take.path))
        } catch {
            fail(error, path: style.name.pattern, readableSeconds: 0)
        }
        publish()
    }

    private func finish() {
        attempt { (take) throws(TakeError) in try take.finish() }
        publish()
        if let take {
            incidents.add(
                .takeFinished(
                    path: take.path, seconds: Double(take.frameCount) / style.sampleRate,
                    peak: Double(take.levels.peakDecibels)))
            reportClipping(of: take)
        }
        take = nil
        takeIsOpen = false
    }

    /// Runs an operation on the take if there is one; if it fails, the take ends.
    private func attempt(_ work: (Take) throws(TakeError) -> Void) {
        guard let take else { return }
        do throws(TakeError) {
            try work(take)
        } catch {
            self.take = nil
            fail(error, path: take.path, readableSeconds: take.readableSeconds)
            reportClipping(of: take)
        }
    }

    private func fail(_ error: TakeError, path: String, readableSeconds: Double) {
        incidents.add(
            .takeStopped(path: path, reason: error.reason, readableSeconds: readableSeconds))
        exchange.pointee.failedTake.store(takeNumber, ordering: .releasing)
    }

    private func reportClipping(of take: Take) {
        if let incident = take.clippingIncident { incidents.add(incident) }
    }

    private func reportLoss(upTo frame: Int) {
        if frame > lostFrom { incidents.add(.starved(frames: frame - lostFrom)) }
    }

    private func publish() {
        guard let take else { return }
        exchange.pointee.recordedFrames.store(take.frameCount, ordering: .relaxed)
        exchange.pointee.peak.store(take.levels.peakDecibels.bitPattern, ordering: .relaxed)
        exchange.pointee.rms.store(take.levels.rmsDecibels.bitPattern, ordering: .relaxed)
    }
}
