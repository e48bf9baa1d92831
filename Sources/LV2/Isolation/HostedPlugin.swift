internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

/// A plugin in its own process, run according to the messages of the other process.
final class HostedPlugin {
    private let processor: Processor
    private let state: Buffer<HostedCore>
    private let inputs: HostedChannels
    private let outputs: HostedChannels
    private let traffic: Buffer<HostedTraffic>

    init(_ processor: Processor, _ share: PluginShare, _ request: ProcessorRequest) {
        self.processor = processor
        let frames = request.format.maximumBlockFrames
        inputs = HostedChannels(count: request.inputChannels, frames: frames)
        outputs = HostedChannels(count: request.outputChannels, frames: frames)
        traffic = Buffer(count: 1) { _ in HostedTraffic(share, status: processor.status) }
        state = Buffer(
            count: 1,
            repeating: HostedCore(
                share: share, kernel: processor.kernel,
                reports: processor.reports, inputs: inputs.starts.start, inputCount: inputs.count,
                outputs: outputs.starts.start, outputCount: outputs.count, traffic: traffic.start,
                guardOffset: frames))
        if let memory = processor.memory as? PluginMemory, memory.isMoreThanControls {
            share.keepsState.pointee.store(1, ordering: .relaxed)
        }
        share.latencyFrames.pointee.store(
            UInt32(clamping: processor.latencyFrames), ordering: .relaxed)
    }

    /// Reports that the plugin is ready, and runs it until the other process asks it to end.
    ///
    /// - Returns: `true` if it was asked to end; `false` if the shared memory was overwritten.
    func play() -> Bool {
        let share = state[0].share
        share.stage.pointee.store(PluginShare.Stage.ready.rawValue, ordering: .releasing)
        rt_wake(share.stage)
        rt_flush_denormals()
        while share.shouldEnd.pointee.load(ordering: .sequentiallyConsistent) == 0 {
            rt_enter_realtime()
            let next = state[0].work()
            rt_leave_realtime()
            switch next {
            case .reset:
                processor.kernel.reset()
                rt_flush_denormals()
                state[0].finishMessage()
            case .message: state[0].sleep()
            case .damage: return false
            }
        }
        return true
    }
}

/// The buffers of a hosted plugin, each followed by a silent guard area.
private final class HostedChannels {
    static let guardFrames = 16

    let count: Int
    /// The first sample of each buffer; at least one.
    let starts: Buffer<UnsafeMutablePointer<Float>>
    private let memory: Buffer<CacheLine>

    init(count: Int, frames: Int) {
        self.count = count
        let stride = (frames + Self.guardFrames + 15) & ~15
        let total = max(1, count) * stride
        memory = Buffer(byteCount: total * 4)
        let samples = memory.address.bindMemory(to: Float.self, capacity: total)
        starts = Buffer(count: max(1, count)) { samples + $0 * stride }
    }
}

/// The data that the hosted plugin's audio thread uses.
struct HostedCore: BitwiseCopyable {
    let share: PluginShare
    let kernel: KernelReference
    let reports: UnsafePointer<Float>?
    let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let inputCount: Int
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let outputCount: Int
    let traffic: UnsafeMutablePointer<HostedTraffic>
    /// The start of the guard area behind each buffer, in frames.
    let guardOffset: Int

    /// The next step of the process after it has carried out all pending messages.
    enum Next {
        /// Wait for another message.
        case message
        /// Reset the plugin, which this thread must not do in its real-time section.
        case reset
        /// End, because no host posts such a message, or that many messages.
        case damage
    }

    /// Carries out all pending messages, and returns the next step.
    @_noLocks
    func work() -> Next {
        while case let handledCount = localHandledCount,
            case let waiting = share.posted.pointee.load(ordering: .acquiring) &- handledCount,
            waiting != 0
        {
            guard waiting <= PluginShare.messageCapacity else { return .damage }
            let message = share.messages[Int(handledCount & (PluginShare.messageCapacity - 1))]
            if message.kind == ShareMessage.Kind.reset.rawValue { return .reset }
            guard carryOut(message) else { return .damage }
            finishMessage()
        }
        return .message
    }

    /// The number of messages carried out, from this process's private ledger.
    private var localHandledCount: UInt32 {
        @_noLocks get { share.ledger.pointee.messageCount.load(ordering: .relaxed) }
    }

    /// Carries out a message; returns `false` if it is invalid.
    @_noLocks
    private func carryOut(_ message: ShareMessage) -> Bool {
        switch message.kind {
        case ShareMessage.Kind.set.rawValue:
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: message.value))
            kernel.set(message.number, to: value)
        case ShareMessage.Kind.midi.rawValue: traffic.pointee.receiveMessage(frame: message.number)
        case ShareMessage.Kind.time.rawValue: traffic.pointee.receiveTime()
        case ShareMessage.Kind.run.rawValue:
            let frames = Int(message.number), frame = Int(truncatingIfNeeded: message.value)
            guard frames > 0, frames <= guardOffset, frame >= 0, frame <= .max - frames else {
                return false
            }
            play(frames, at: frame)
        default: return false
        }
        return true
    }

    /// Reports to the other side that the oldest message was carried out.
    @_noLocks
    func finishMessage() {
        let handledCount = localHandledCount &+ 1
        share.ledger.pointee.messageCount.store(handledCount, ordering: .relaxed)
        share.handledCount.pointee.store(handledCount, ordering: .sequentiallyConsistent)
        let isAwaited = share.isPlayerAsleep.pointee.load(ordering: .sequentiallyConsistent)
        if isAwaited != 0 { rt_wake(share.handledCount) }
    }

    /// Sleeps until a message or the request to end arrives.
    @_noLocks
    func sleep() {
        let seen = localHandledCount
        share.isHostAsleep.pointee.store(1, ordering: .sequentiallyConsistent)
        let isIdle = share.posted.pointee.load(ordering: .sequentiallyConsistent) == seen
        if isIdle { rt_wait_while(share.posted, seen, 500_000_000) }
        share.isHostAsleep.pointee.store(0, ordering: .relaxed)
    }

    @_noLocks
    private func play(_ frames: Int, at frame: Int) {
        for channel in 0..<inputCount { share.read(channel, at: frame, inputs[channel], frames) }
        outputs.withMemoryRebound(to: UnsafeMutablePointer<Float>.self, capacity: outputCount) {
            outputs in
            inputs.withMemoryRebound(to: UnsafePointer<Float>.self, capacity: inputCount) {
                inputs in
                var block = RTBlock(
                    frameCount: Int32(frames), inputCount: Int32(inputCount),
                    outputCount: Int32(outputCount), inputs: inputs, outputs: outputs)
                runPlugin(&block, at: frame)
            }
        }
        for channel in 0..<outputCount {
            share.write(inputCount + channel, at: frame, outputs[channel], frames)
            checkGuard(behind: outputs[channel])
        }
        if let reports { rt_copy(share.reports, reports, Int64(share.size.reportCount)) }
        share.playedFrames.pointee.store(UInt64(frame + frames), ordering: .sequentiallyConsistent)
    }

    @_noLocks
    private func runPlugin(_ block: inout RTBlock, at frame: Int) {
        if var context = traffic.pointee.begin(at: frame, address: traffic) {
            withUnsafePointer(to: &context) { context in
                block.context = context
                kernel.run(&block)
            }
        } else {
            kernel.run(&block)
        }
        traffic.pointee.end(at: frame)
    }

    /// Checks for writes beyond the end of a buffer, notes one, and clears the guard area.
    @_noLocks
    private func checkGuard(behind output: UnsafeMutablePointer<Float>) {
        guard !rt_are_silent_16(output + guardOffset) else { return }
        rt_clear(output + guardOffset, 16)
        share.wroteBeyond.pointee.store(1, ordering: .relaxed)
    }
}
