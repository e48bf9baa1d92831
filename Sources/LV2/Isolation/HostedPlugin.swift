internal import CRealtime
internal import Processing
internal import Synchronization

/// A plugin in its own process, played as the messages of the other say.
final class HostedPlugin {
    private let processor: Processor
    private let state: UnsafeMutablePointer<HostedCore>
    private let inputs: HostedChannels
    private let outputs: HostedChannels
    private let traffic: UnsafeMutablePointer<HostedTraffic>

    init(_ processor: Processor, _ share: PluginShare, _ request: ProcessorRequest) {
        self.processor = processor
        let frames = request.format.maximumBlockFrames
        inputs = HostedChannels(count: request.inputChannels, frames: frames)
        outputs = HostedChannels(count: request.outputChannels, frames: frames)
        traffic = .allocate(capacity: 1)
        traffic.initialize(to: HostedTraffic(share, news: processor.news))
        state = .allocate(capacity: 1)
        state.initialize(
            to: HostedCore(
                share: share, run: processor.run, set: processor.set, plugin: processor.state,
                reports: processor.reports, inputs: inputs.places, inputCount: inputs.count,
                outputs: outputs.places, outputCount: outputs.count, traffic: traffic,
                guardOffset: frames))
        if let memory = processor.memory as? PluginMemory, memory.isMoreThanControls {
            share.keepsState.pointee.store(1, ordering: .relaxed)
        }
        share.latencyFrames.pointee.store(
            UInt32(clamping: processor.latencyFrames), ordering: .relaxed)
    }

    deinit {
        state.deallocate()
        traffic.pointee.deallocate()
        traffic.deallocate()
    }

    /// Says that it is ready, and plays until it is told to end.
    func play() {
        let share = state.pointee.share
        share.stage.pointee.store(PluginShare.Stage.ready.rawValue, ordering: .releasing)
        rt_wake(share.stage)
        rt_flush_denormals()
        while share.isToEnd.pointee.load(ordering: .sequentiallyConsistent) == 0 {
            rt_enter_realtime()
            let wantsReset = state.pointee.work()
            rt_leave_realtime()
            if wantsReset {
                processor.reset(processor.state)
                rt_flush_denormals()
                state.pointee.finishMessage()
            } else {
                state.pointee.sleep()
            }
        }
    }
}

/// Buffers of a hosted plugin, each with silence behind it.
private final class HostedChannels {
    static let guardFrames = 16

    let count: Int
    let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>

    init(count: Int, frames: Int) {
        self.count = count
        let stride = (frames + Self.guardFrames + 15) & ~15
        let total = max(1, count) * stride
        samples = UnsafeMutableRawPointer.allocate(byteCount: total * 4, alignment: 64)
            .bindMemory(to: Float.self, capacity: total)
        samples.initialize(repeating: 0, count: total)
        places = .allocate(capacity: max(1, count))
        for place in 0..<max(1, count) { (places + place).initialize(to: samples + place * stride) }
    }

    deinit {
        places.deallocate()
        samples.deallocate()
    }
}

/// All that the hosted plugin's audio thread touches.
struct HostedCore: BitwiseCopyable {
    let share: PluginShare
    let run: RTRun
    let set: RTSet
    let plugin: UnsafeMutableRawPointer
    let reports: UnsafePointer<Float>?
    let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let inputCount: Int
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let outputCount: Int
    let traffic: UnsafeMutablePointer<HostedTraffic>
    /// Where the silence behind each buffer begins, in frames.
    let guardOffset: Int

    /// Carries out all messages there are; true where the next asks for what this thread may not do while it plays: a reset.
    @_noLocks
    func work() -> Bool {
        while case let taken = share.taken.pointee.load(ordering: .relaxed),
            taken != share.posted.pointee.load(ordering: .acquiring)
        {
            let message = share.messages[Int(taken & (PluginShare.messageCapacity - 1))]
            if message.kind == ShareMessage.Kind.reset.rawValue { return true }
            carryOut(message)
            finishMessage()
        }
        return false
    }

    @_noLocks
    private func carryOut(_ message: ShareMessage) {
        switch message.kind {
        case ShareMessage.Kind.set.rawValue:
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: message.value))
            rt_set(set, plugin, message.number, value)
        case ShareMessage.Kind.midi.rawValue: traffic.pointee.takeMessage(frame: message.number)
        case ShareMessage.Kind.time.rawValue: traffic.pointee.takeTime()
        default: play(Int(message.number), at: Int(message.value))
        }
    }

    /// Tells the other side that the oldest message was carried out.
    @_noLocks
    func finishMessage() {
        let taken = share.taken.pointee.load(ordering: .relaxed)
        share.taken.pointee.store(taken &+ 1, ordering: .sequentiallyConsistent)
        let isAwaited = share.isPlayerAsleep.pointee.load(ordering: .sequentiallyConsistent)
        if isAwaited != 0 { rt_wake(share.taken) }
    }

    /// Sleeps until there is a message or the end.
    @_noLocks
    func sleep() {
        let seen = share.taken.pointee.load(ordering: .relaxed)
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
        if var beside = traffic.pointee.begin(at: frame, place: traffic) {
            withUnsafePointer(to: &beside) { beside in
                block.surroundings = beside
                rt_run(run, plugin, &block)
            }
        } else {
            rt_run(run, plugin, &block)
        }
        traffic.pointee.end(at: frame)
    }

    /// Notes that something was written behind a buffer, and clears it for those who read there.
    @_noLocks
    private func checkGuard(behind output: UnsafeMutablePointer<Float>) {
        guard !rt_are_silent_16(output + guardOffset) else { return }
        rt_clear(output + guardOffset, 16)
        share.wroteBeyond.pointee.store(1, ordering: .relaxed)
    }
}
