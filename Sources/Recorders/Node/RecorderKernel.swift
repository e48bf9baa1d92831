internal import CRealtime
internal import Realtime
internal import Synchronization

/// Passes sound on to the bit, leaves what is to be recorded in the exchange, and says by marks what belongs to takes.
struct RecorderKernel: ~Copyable {
    /// `recorded`, `peak`, `rms`, `takes`, `lost-frames`, `state`, as the description lists them.
    let reports: UnsafeMutablePointer<Float>
    let exchange: UnsafeMutablePointer<TakeExchange>
    let channelCount: Int
    let limits: RecorderLimits
    let marks: RingProducer<TakeMark>
    /// Has the disk's side take what there is; for runs that may wait for it.
    let handOver: RTAction?
    let disk: UnsafeMutableRawPointer

    /// Frames since the first run.
    var now = 0
    var isRecording: Bool
    /// Where the parameter `take` stands.
    private var takeSwitch: Bool
    var takeIsAsked = false
    /// Nothing more is recorded until somebody asks again: the take came to its maximum, or could not be written.
    var isSpent = false
    var isFaulty = false
    var isWriting = false
    var isLosing = false
    var takeIsOpen = false
    /// The present take or the last one, counted from 1.
    var take = 0
    var seenFailure = 0
    /// Of the take, before the present piece of it.
    var takeFrames = 0
    var segmentStart = 0
    /// Where the last piece of a take ended.
    var lastStop = 0
    /// From where on the exchange holds every frame.
    var historyStart = 0
    /// From where on frames may wait for the disk.
    var heldFrom = 0
    /// The first frame after the last loud one.
    var quietSince = 0
    var lostFrames = 0
    var marksPushed = 0
    private var handedOver = 0

    /// How often that is.
    private static var handOverFrames: Int { @_noLocks get { 4096 } }

    init(
        exchange: UnsafeMutablePointer<TakeExchange>, limits: RecorderLimits, isRecording: Bool,
        takeSwitch: Bool, handOver: RTAction?, disk: UnsafeMutableRawPointer
    ) {
        self.exchange = exchange
        self.limits = limits
        self.isRecording = isRecording
        self.takeSwitch = takeSwitch
        self.handOver = handOver
        self.disk = disk
        channelCount = exchange.pointee.channelCount
        marks = exchange.pointee.marks.producer
        reports = .allocate(capacity: 6)
        reports.initialize(repeating: 0, count: 6)
        report()
    }

    deinit { reports.deallocate() }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let count = Int(block.frameCount)
        for channel in 0..<channelCount {
            rt_copy(block.outputs[channel], block.inputs[channel], Int64(count))
        }
        noticeFailure()
        followWishes()
        keep(block)
        if limits.threshold != nil {
            followLevel(of: block)
        } else {
            endAtMaximum(before: now + count)
        }
        now += count
        exchange.pointee.writtenFrames.store(now, ordering: .releasing)
        passToDisk()
        report()
    }

    @_noLocks
    mutating func set(_ parameter: Int32, _ value: Float) {
        let isOn = value >= 0.5
        if parameter == 0 {
            if isOn, !isRecording { isSpent = false }
            isRecording = isOn
        } else if parameter == 1 {
            if isOn, !takeSwitch { takeIsAsked = true }
            takeSwitch = isOn
        }
    }

    @_noLocks
    mutating func reset() {
        if isWriting { stop(at: now) }
        if takeIsOpen { finish() }
        exchange.pointee.writtenFrames.store(now, ordering: .releasing)
        takeIsAsked = false
        isSpent = false
        isFaulty = false
        historyStart = now
        quietSince = now
        lostFrames = 0
        report()
    }

    /// Outside of live sound the disk is waited for, so that nothing is lost and every render is the same.
    @_noLocks
    private mutating func passToDisk() {
        guard let handOver, now - handedOver >= Self.handOverFrames || waiting() > 64 else {
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
        isFaulty = true
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
        reports[5] = isFaulty ? 3 : isWriting ? 2 : isArmed ? 1 : 0
    }
}
