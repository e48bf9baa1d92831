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
