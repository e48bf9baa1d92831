internal import CRealtime

/// A schedule as the audio thread holds it: a pointer to what it runs, and the handle by which it
/// goes back.
struct PlayingSchedule: BitwiseCopyable {
    // SAFETY: the handle is an unbalanced retain of the `Schedule` object, so what `core` leads to
    // lives until the control side has got the handle back and released it.
    let core: UnsafeMutablePointer<ScheduleCore>
    let handle: UInt

    /// A schedule from its handle: the address of a `HeldSchedule`; nil for 0.
    @_noLocks
    init?(handle: UInt) {
        guard let held = UnsafeMutablePointer<HeldSchedule>(bitPattern: handle) else { return nil }
        self.handle = handle
        core = held.pointee.core
    }

    var maximumFrames: Int { @_noLocks get { core.pointee.maximumFrames } }

    /// Runs one cycle on the outside inputs from a frame on.
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

    /// Adds the outputs to their slots, with a gain for each frame where there are gains.
    @_noLocks
    func addOutputs(
        to channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ slots: Int,
        gains: UnsafePointer<Float>?, _ frames: Int
    ) {
        for channel in 0..<core.pointee.outputCount {
            let slot = Int(core.pointee.outputSlots[channel])
            // The slot's port may be gone.
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

/// What a schedule's handle leads to.
struct HeldSchedule {
    let core: UnsafeMutablePointer<ScheduleCore>
    /// Keeps the schedule alive; only the control side reads it.
    let schedule: Schedule

    /// Holds a schedule for the audio thread until `release`.
    static func hold(_ schedule: Schedule) -> UInt {
        let place = UnsafeMutablePointer<HeldSchedule>.allocate(capacity: 1)
        place.initialize(to: HeldSchedule(core: schedule.core, schedule: schedule))
        return UInt(bitPattern: place)
    }

    /// Gives up a schedule that the audio thread has let go of; 0 is none.
    static func release(_ handle: UInt) {
        guard let place = UnsafeMutablePointer<HeldSchedule>(bitPattern: handle) else { return }
        place.deinitialize(count: 1)
        place.deallocate()
    }
}
