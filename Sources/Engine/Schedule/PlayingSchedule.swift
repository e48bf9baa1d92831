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

    /// Runs one cycle on the engine's inputs, from frame `offset` on.
    @_noLocks
    func run(
        _ cycle: UnsafeMutablePointer<RTCycle>, _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ offset: Int
    ) {
        for channel in 0..<core.pointee.inputCount {
            core.pointee.inputs[channel] = inputs[Int(core.pointee.inputSlots[channel])] + offset
        }
        core.pointee.run(cycle)
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
