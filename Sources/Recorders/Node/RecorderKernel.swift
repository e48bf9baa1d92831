internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

/// Passes sound through, stores frames in the exchange, and marks those that belong to takes.
struct RecorderKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter { case recording, take }

    /// The reports `recorded`, `peak`, `rms`, `takes`, `lost-frames` and `state`, in this order.
    let reports: Buffer<Float>
    let exchange: UnsafeMutablePointer<TakeExchange>
    let channelCount: Int
    let limits: RecorderLimits
    let marks: RingProducer<TakeMark>
    /// Makes the disk's side write the pending frames; only for runs that can wait for it.
    let handOver: RTAction?
    let disk: UnsafeMutableRawPointer

    /// The number of frames since the first run.
    var now = 0
    var isRecording: Bool
    /// Whether a new take is requested.
    var takeIsRequested = false
    /// Whether recording has stopped until the user starts it again.
    ///
    /// This happens when a take has reached its maximum or could not be written.
    var isSpent = false
    var isInvalid = false
    /// Whether a take waits to start because too many have started recently.
    ///
    /// The kernel counts such a refusal only once.
    var waitsForAllowance = false
    var isWriting = false
    /// Whether frames of the take are being lost because the exchange is full.
    var isLosing = false
    var takeIsOpen = false
    /// The number of the current or last take, from 1.
    var take = 0
    private var seenFailure = 0
    /// The frames of the take before its current segment.
    var takeFrames = 0
    var segmentStart = 0
    /// The frame where the last segment of a take ended.
    var lastStop = 0
    /// The frame from which on the exchange contains every frame.
    var historyStart = 0
    /// The frame from which on frames may be waiting for the disk.
    var heldFrom = 0
    /// The first frame after the last loud one.
    var quietSince = 0
    var lostFrames = 0
    var marksPushed = 0
    private var handedOver = 0

    /// The interval in frames at which an offline run passes frames to the disk.
    private static var handOverFrames: Int { @_noLocks get { 4096 } }

    init(
        exchange: UnsafeMutablePointer<TakeExchange>, limits: RecorderLimits, isRecording: Bool,
        handOver: RTAction?, disk: UnsafeMutableRawPointer
    ) {
        self.exchange = exchange
        self.limits = limits
        self.isRecording = isRecording
        self.handOver = handOver
        self.disk = disk
        channelCount = exchange.pointee.channelCount
        marks = exchange.pointee.marks.producer
        reports = Buffer(count: 6, repeating: 0)
        report()
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let count = Int(block.frameCount)
        for channel in 0..<channelCount {
            rt_copy(block.outputs[channel], block.inputs[channel], Int64(count))
        }
        noticeFailure()
        applyParameters()
        keep(block)
        if limits.threshold != nil {
            applyThreshold(of: block)
        } else {
            endAtMaximum(before: now + count)
        }
        now += count
        exchange.pointee.writtenFrames.store(now, ordering: .releasing)
        passToDisk()
        report()
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        let isOn = value >= 0.5
        switch Parameter(rawValue: parameter) {
        case .recording:
            if isOn, !isRecording { isSpent = false }
            isRecording = isOn
        case .take:
            if isOn { takeIsRequested = true }
        case nil: return
        }
    }

    @_noLocks
    mutating func reset() {
        if isWriting { stop(at: now) }
        if takeIsOpen { finish() }
        exchange.pointee.writtenFrames.store(now, ordering: .releasing)
        takeIsRequested = false
        isSpent = false
        isInvalid = false
        historyStart = now
        quietSince = now
        lostFrames = 0
        report()
    }

    /// Offline, waits for the disk, so that no frames are lost and every render is the same.
    @_noLocks
    private mutating func passToDisk() {
        guard let handOver, now - handedOver >= Self.handOverFrames || waitingMarks() > 64 else {
            return
        }
        handedOver = now
        rt_act(handOver, disk)
    }

    @_noLocks
    private mutating func noticeFailure() {
        let failed = exchange.pointee.failedTake.load(ordering: .acquiring)
        guard failed != seenFailure else { return }
        seenFailure = failed
        guard failed == take else { return }
        isInvalid = true
        guard takeIsOpen else { return }
        isSpent = true
        if isWriting { stop(at: now) }
        finish()
    }

    @_noLocks
    private func report() {
        let rate = limits.sampleRate
        let recorded = exchange.pointee.recordedFrames.load(ordering: .relaxed)
        reports[0] = Float(Double(recorded) / rate)
        reports[1] = Float(bitPattern: exchange.pointee.peak.load(ordering: .relaxed))
        reports[2] = Float(bitPattern: exchange.pointee.rms.load(ordering: .relaxed))
        reports[3] = Float(exchange.pointee.takeCount.load(ordering: .relaxed))
        reports[4] = Float(lostFrames)
        let isArmed = isRecording && !isSpent && limits.threshold != nil
        reports[5] = isInvalid ? 3 : isWriting ? 2 : isArmed ? 1 : 0
    }
}

/// Stores frames for the disk.
extension RecorderKernel {
    /// Whether frames may be waiting for the disk.
    var isPending: Bool {
        @_noLocks get {
            isWriting || exchange.pointee.doneFrames.load(ordering: .acquiring) < lastStop
        }
    }

    private var freeFrames: Int {
        @_noLocks get {
            let capacity = exchange.pointee.capacityFrames
            guard isPending else { return capacity }
            let done = exchange.pointee.doneFrames.load(ordering: .acquiring)
            return capacity - (now - max(done, heldFrom))
        }
    }

    /// Stores a block if it is recorded or may belong to a later take.
    @_noLocks
    mutating func keep(_ block: RTBlock) {
        let count = Int(block.frameCount)
        guard isWriting || limits.preRollFrames > 0 || isRecording && limits.threshold != nil else {
            historyStart = now + count
            return
        }
        // After a loss, wait for some room, so that a slow disk causes one long gap and not many
        // short ones.
        let wanted = isLosing ? count + exchange.pointee.capacityFrames / 4 : count
        guard freeFrames >= wanted else { return lose(count) }
        if isLosing { push(.found, at: now) }
        isLosing = false
        store(block)
        historyStart = max(historyStart, now + count - exchange.pointee.capacityFrames)
    }

    @_noLocks
    private mutating func lose(_ count: Int) {
        historyStart = now + count
        guard isWriting else { return }
        if !isLosing { push(.lost, at: now) }
        isLosing = true
        lostFrames += count
    }

    @_noLocks
    private func store(_ block: RTBlock) {
        var first = 0
        while first < Int(block.frameCount) {
            let piece = exchange.pointee.piece(
                from: now + first, count: Int(block.frameCount) - first)
            for channel in 0..<channelCount {
                rt_copy(
                    exchange.pointee.samples + channel * exchange.pointee.capacityFrames
                        + piece.index,
                    block.inputs[channel] + first, Int64(piece.count))
            }
            first += piece.count
        }
    }
}
