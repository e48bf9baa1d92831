internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

/// The audio thread's side of an isolated plugin, which runs in its own process.
///
/// It consists of plain values and of pointers that `IsolatedPlugin` owns. Each run posts its input
/// and reads the plugin's output, either of the previous block or of the same cycle. If the plugin
/// has not rendered that output in time, the run outputs silence and sets `missedOutput`.
struct IsolatedCore: Kernel, BitwiseCopyable {
    /// Returns how far a delayed plugin may fall behind, in frames; beyond that, input is dropped.
    static func backlogFrames(blockFrames: Int) -> Int { max(2 * blockFrames, 2048) }

    /// Shared memory that passes between the audio thread and the guardian.
    struct Handover: ~Copyable {
        /// The memory of a new process, as the address of its `PluginShare`.
        let incoming = Atomic<UInt>(0)
        /// The memory of the previous process, which the audio thread has released.
        let outgoing = Atomic<UInt>(0)
    }

    /// The bits of the current parameter values, followed by the bypass flag.
    ///
    /// The guardian reads them for a new process.
    let values: UnsafeMutablePointer<Atomic<UInt32>>
    let parameterCount: Int
    let handover: UnsafeMutablePointer<Handover>
    let missedOutput: UnsafeMutablePointer<UInt32>
    let reports: UnsafeMutablePointer<Float>
    /// The latency that the separate process adds, in frames.
    let delayFrames: Int
    private let isLive: Bool
    private let backlogFrames: Int
    private let nanosecondsPerFrame: Double
    private var share: UnsafeMutablePointer<PluginShare>
    private var traffic: IsolatedTraffic
    private let isTrigger: UnsafeMutablePointer<Bool>
    /// The bits of each parameter that were last sent to the process.
    private let sent: UnsafeMutablePointer<UInt32>
    private var hasUnsent = false
    /// The frame of the next run.
    private var frame = 0
    /// The end of the last gap, as a frame: input before it was dropped, at least in part.
    private var gapEnd = 0
    /// The frame before which the output is silent on purpose, because of a reset.
    private var silenceEnd = 0

    init(
        _ owned: IsolatedMemory, _ request: ProcessorRequest,
        share: UnsafeMutablePointer<PluginShare>
    ) {
        (values, sent) = (owned.values.start, owned.sent.start)
        isTrigger = owned.isTrigger.start
        parameterCount = request.parameters.count
        (handover, missedOutput) = (owned.handover.start, owned.missedOutput.start)
        reports = owned.reports.start
        isLive = request.format.isLive
        delayFrames = request.isolation == .sameCycle ? 0 : request.format.maximumBlockFrames
        backlogFrames = Self.backlogFrames(blockFrames: request.format.maximumBlockFrames)
        nanosecondsPerFrame = 1e9 / request.format.sampleRate
        traffic = IsolatedTraffic(owned, delayFrames: delayFrames)
        self.share = share
    }

    /// The latency of the plugin, plus the latency of the way to its process and back, in frames.
    var latencyFrames: Int { Int(traffic.latencyFrames) }

    /// LV2 has no way to state a tail.
    var tailFrames: Int? { nil }

    /// Renders a block.
    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let frames = Int(block.pointee.frameCount)
        guard frames > 0 else { return }
        adoptNewProcess()
        // Offline, the run waits until the guardian has given up the process: the render then
        // fails with the reason.
        let isThere =
            isLive
            ? !share.pointee.ledger.pointee.isGone
            : share.pointee.ledger.pointee.isLost.load(ordering: .relaxed) == 0
        let wasIdle = playedFrames == postedFrames
        if isThere { post(block, frames) }
        if isThere, isLive ? delayFrames == 0 && wasIdle : true {
            wait(for: frame + frames - delayFrames)
        }
        deliver(block, frames, isThere: isThere)
        if isThere { share.pointee.ledger.pointee.endCycle() }
        frame += frames
    }

    /// Sets a parameter by its index, or forwards the plugin's bypass.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        let index = parameter == bypass ? parameterCount : Int(parameter)
        guard index >= 0, index < parameterCount || parameter == bypass else { return }
        guard !isTrigger[index] else {
            // A trigger acts once, so a new process must not receive it.
            _ = share.pointee.post(message(index, value.bitPattern), leaving: 64)
            return
        }
        values[index].store(value.bitPattern, ordering: .relaxed)
        send(index)
    }

    /// The number of the bypass in `set`; its value follows the parameters' values.
    private var bypass: Int32 { @_noLocks get { Int32(RTTargetBypass.rawValue) } }

    /// Resets the plugin to its initial state; its earlier output is no longer heard.
    mutating func reset() {
        silenceEnd = frame
        _ = share.pointee.post(
            .init(kind: ShareMessage.Kind.reset.rawValue, number: 0, value: 0), leaving: 0)
    }

    // MARK: To the plugin

    /// Switches to a process that the guardian started to replace a lost one.
    @_noLocks
    private mutating func adoptNewProcess() {
        guard handover.pointee.incoming.load(ordering: .relaxed) != 0 else { return }
        let handle = handover.pointee.incoming.exchange(0, ordering: .acquiring)
        guard let new = UnsafeMutablePointer<PluginShare>(bitPattern: handle) else { return }
        handover.pointee.outgoing.store(UInt(bitPattern: share), ordering: .releasing)
        share = new
        // It has rendered nothing: output that depends on earlier input is missing.
        (frame, gapEnd, silenceEnd) = (0, 0, .min)
        for index in 0...parameterCount { sent[index] = .max }
        hasUnsent = true
        traffic.begin(latencyFrames: share.pointee.reportedLatencyFrames)
    }

    @_noLocks
    private mutating func post(_ block: UnsafePointer<RTBlock>, _ frames: Int) {
        if hasUnsent { sendAll() }
        traffic.post(block, at: frame, to: share.pointee)
        let message = ShareMessage(
            kind: ShareMessage.Kind.run.rawValue, number: Int32(frames),
            value: UInt64(frame))
        let hasRoom = postedFrames - playedFrames + frames <= backlogFrames
        if hasRoom {
            for channel in 0..<Int(block.pointee.inputCount) {
                share.pointee.write(channel, at: frame, block.pointee.inputs[channel], frames)
            }
        }
        if hasRoom, share.pointee.post(message, leaving: 0) {
            share.pointee.ledger.pointee.postedFrames.store(frame + frames, ordering: .relaxed)
        } else {
            gapEnd = frame + frames
        }
        wakePlugin()
    }

    @_noLocks
    private func wakePlugin() {
        let isAsleep = share.pointee.isHostAsleep.pointee.load(ordering: .sequentiallyConsistent)
        if isAsleep != 0 { rt_wake(share.pointee.posted) }
    }

    /// Sends one parameter to the process; leaves room for a run.
    @_noLocks
    private mutating func send(_ parameter: Int) {
        let bits = values[parameter].load(ordering: .relaxed)
        if share.pointee.post(message(parameter, bits), leaving: 64) {
            sent[parameter] = bits
        } else {
            hasUnsent = true
        }
    }

    /// Returns the message that sets a parameter.
    @_noLocks
    private func message(_ parameter: Int, _ bits: UInt32) -> ShareMessage {
        ShareMessage(
            kind: ShareMessage.Kind.set.rawValue,
            number: parameter < parameterCount ? Int32(parameter) : bypass, value: UInt64(bits))
    }

    @_noLocks
    private mutating func sendAll() {
        hasUnsent = false
        for index in 0...parameterCount
        where sent[index] != values[index].load(ordering: .relaxed) {
            send(index)
        }
    }

    // MARK: From the plugin

    /// The end of the input that was posted, as a frame.
    private var postedFrames: Int {
        @_noLocks get { share.pointee.ledger.pointee.postedFrames.load(ordering: .relaxed) }
    }

    /// The end of the output that the plugin has rendered, as a frame.
    private var playedFrames: Int { @_noLocks get { share.pointee.playedCount } }

    /// Waits until the plugin has rendered up to a frame.
    ///
    /// A live run waits at most for half the duration of the missing frames. An offline run waits
    /// until the plugin has rendered or its process is lost.
    @_noLocks
    private func wait(for end: Int) {
        let missing = Double(max(0, end - playedFrames))
        share.pointee.wait(
            until: end,
            timeoutNanoseconds: isLive ? UInt64(missing * nanosecondsPerFrame / 2) : .max)
    }

    /// Copies the plugin's output to the block, or writes silence and sets `missedOutput`.
    @_noLocks
    private mutating func deliver(_ block: UnsafePointer<RTBlock>, _ frames: Int, isThere: Bool) {
        let start = frame - delayFrames
        let silentFrames = max(0, min(frames, silenceEnd == .min ? 0 : silenceEnd - start))
        let isPlayed =
            silentFrames == frames
            || playedFrames >= start + frames && start + silentFrames >= gapEnd
        let isHere = isThere && isPlayed
        missedOutput.pointee = isHere ? 0 : 1
        if isThere {
            traffic.deliver(block, from: start, silentFrames: silentFrames, share.pointee)
        }
        for channel in 0..<Int(block.pointee.outputCount) {
            let out = block.pointee.outputs[channel]
            let firstFrames = isHere ? silentFrames : frames
            rt_clear(out, Int64(firstFrames))
            guard firstFrames < frames else { continue }
            share.pointee.read(
                Int(block.pointee.inputCount) + channel, at: start + firstFrames,
                out + firstFrames, frames - firstFrames)
        }
        if isHere { rt_copy(reports, share.pointee.reports, Int64(share.pointee.size.reportCount)) }
    }
}
