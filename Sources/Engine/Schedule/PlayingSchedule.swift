internal import CRealtime

/// A schedule on the audio thread: a pointer to its data, and the handle that returns it to the
/// control side.
struct PlayingSchedule: BitwiseCopyable {
    // SAFETY: the handle is the address of a `HeldSchedule`, whose strong reference keeps the
    // schedule and the memory behind `core` alive until the control side has received and released
    // the handle.
    let core: UnsafeMutablePointer<ScheduleCore>
    let handle: UInt

    /// Creates a schedule from its handle, the address of a `HeldSchedule`; returns `nil` for 0.
    @_noLocks
    init?(handle: UInt) {
        guard let held = UnsafeMutablePointer<HeldSchedule>(bitPattern: handle) else { return nil }
        self.handle = handle
        core = held.pointee.core
    }

    var maximumFrames: Int { @_noLocks get { core.pointee.maximumFrames } }

    /// Takes over nodes and delayed paths, which run in this schedule from now on.
    @_noLocks
    func begin() {
        let (nodes, wirings) = (core.pointee.nodes, core.pointee.wirings)
        for index in 0..<core.pointee.allNodeCount { nodes[index].pointee.wire(wirings[index]) }
        for index in 0..<core.pointee.lineCount { core.pointee.lines[index].connect() }
    }

    /// Runs one cycle of at most `maximumFrames` frames.
    ///
    /// - Parameters:
    ///   - cycle: The cycle.
    ///   - slots: The engine's inputs, by slot.
    ///   - offset: The first frame of the cycle in them.
    ///   - workers: The board with the workers; `nil` for the callback alone.
    @_noLocks
    func run(
        _ cycle: UnsafePointer<RTCycle>, _ slots: UnsafePointer<UnsafePointer<Float>>,
        _ offset: Int, workers: RunningWorkers? = nil
    ) {
        for channel in 0..<core.pointee.inputCount {
            core.pointee.inputs[channel] = slots[Int(core.pointee.inputSlots[channel])] + offset
        }
        runSteps(cycle, workers)
    }

    @_noLocks
    private func runSteps(_ cycle: UnsafePointer<RTCycle>, _ workers: RunningWorkers?) {
        let frames = Int(cycle.pointee.frameCount)
        let (entries, count) = (core.pointee.entries, core.pointee.entryCount)
        let transition = core.pointee.transition
        core.pointee.inputLevel.pointee.advance(frames)
        core.pointee.levels.advance(frames)
        if !transition.pointee.isOver { transition.pointee.advance(frames) }
        core.pointee.runners.pointee.endTicks = rt_ticks()
        if let workers, let tasks = core.pointee.tasks {
            ScheduleEntry.run(entries, 0..<core.pointee.preludeCount, cycle)
            workers.run(tasks, cycle)
        } else {
            ScheduleEntry.run(entries, 0..<count, cycle)
        }
        core.pointee.activeNode.pointee.leave()
        if !transition.pointee.isOver {
            let nodeCount = core.pointee.nodeCount
            transition.pointee.settle(
                core.pointee.nodes + nodeCount, core.pointee.allNodeCount - nodeCount, frames)
        }
    }

    /// Copies the outputs to their slots.
    @_noLocks
    func copyOutputs(
        into channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) {
        for channel in 0..<core.pointee.outputCount {
            let slot = Int(core.pointee.outputSlots[channel])
            rt_copy(channels[slot], core.pointee.outputs[channel], Int64(frames))
        }
    }

    /// Adds the outputs to their slots, with one gain per frame if `gains` is not `nil`.
    @_noLocks
    func addOutputs(
        to channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ slots: Int,
        gains: UnsafePointer<Float>?, _ frames: Int
    ) {
        for channel in 0..<core.pointee.outputCount {
            let slot = Int(core.pointee.outputSlots[channel])
            // The port of the slot may have been removed.
            guard slot < slots else { continue }
            let (into, from) = (channels[slot], core.pointee.outputs[channel])
            if let gains {
                for frame in 0..<frames { into[frame] += from[frame] * gains[frame] }
            } else {
                for frame in 0..<frames { into[frame] += from[frame] }
            }
        }
    }

    /// Delivers an event of this cycle to its node; drops it if the node does not exist.
    @_noLocks
    func deliver(_ events: UnsafeMutablePointer<RTEvent>, index: Int32, node: Int32) {
        guard node >= 0, Int(node) < core.pointee.nodeCount else { return }
        core.pointee.nodes[Int(node)].pointee.add(events, index: index)
    }

    /// Clears a node's events after the cycle.
    @_noLocks
    func forgetEvents(node: Int32) {
        guard node >= 0, Int(node) < core.pointee.nodeCount else { return }
        core.pointee.nodes[Int(node)].pointee.firstEvent = -1
        core.pointee.nodes[Int(node)].pointee.lastEvent = -1
    }
}

/// The target of a schedule's handle.
struct HeldSchedule {
    let core: UnsafeMutablePointer<ScheduleCore>
    /// Keeps the schedule alive; only the control side reads it.
    let schedule: Schedule

    /// Retains a schedule for the audio thread until `release`, and returns its handle.
    static func hold(_ schedule: Schedule) -> UInt {
        let pointer = UnsafeMutablePointer<HeldSchedule>.allocate(capacity: 1)
        pointer.initialize(to: HeldSchedule(core: schedule.core, schedule: schedule))
        return UInt(bitPattern: pointer)
    }

    /// Releases a schedule that the audio thread has returned; does nothing for 0.
    static func release(_ handle: UInt) {
        guard let pointer = UnsafeMutablePointer<HeldSchedule>(bitPattern: handle) else { return }
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
