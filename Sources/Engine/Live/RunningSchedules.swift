internal import CRealtime
internal import Realtime

/// The running schedules: the current one first, then those that ring out, the latest first.
struct RunningSchedules: BitwiseCopyable {
    /// The maximum number of running schedules.
    static var most: Int { @_noLocks get { 4 } }

    private let schedules: UnsafeMutablePointer<RunningSchedule>
    private(set) var count = 1

    init(_ schedule: PlayingSchedule, arena: Arena) {
        schedules = arena.allocate(Self.most, RunningSchedule(schedule, fadingIn: false))
    }

    /// The current schedule.
    var playing: PlayingSchedule { @_noLocks get { schedules[0].schedule } }

    subscript(index: Int) -> UnsafeMutablePointer<RunningSchedule> {
        @_noLocks get { schedules + index }
    }

    /// Whether only the current schedule is audible, at full level.
    var isAlone: Bool {
        @_noLocks get {
            count == 1 && schedules[0].output.isResting && schedules[0].output.value == 1
        }
    }

    /// The maximum number of frames that all running schedules accept per cycle.
    var maximumFrames: Int {
        @_noLocks get {
            var frames = Int.max
            for index in 0..<count { frames = min(frames, schedules[index].schedule.maximumFrames) }
            return frames
        }
    }

    /// Replaces the current schedule by one that takes over the nodes that stay.
    @_noLocks
    func splice(_ schedule: PlayingSchedule) {
        // The previous schedule may still be ramping up.
        schedule.core.pointee.inputLevel.pointee.follow(playing.core.pointee.inputLevel)
        schedules[0].follow(schedule)
        schedule.begin()
    }

    /// Replaces a schedule that is not audible.
    ///
    /// The input of the new schedule ramps up, so that echoes do not repeat an edge.
    @_noLocks
    func replace(_ schedule: PlayingSchedule) {
        splice(schedule)
        rampInputsUp()
    }

    /// Ramps the input of the current schedule up from silence.
    @_noLocks
    func rampInputsUp() {
        let core = playing.core
        core.pointee.inputLevel.pointee.fadeIn(frames: core.pointee.rate.exchangeFrames)
    }

    /// Activates another schedule and lets the current one ring out.
    ///
    /// - Returns: Whether there was room. If not, the schedule that has rung out for the longest
    ///   time fades out.
    @_noLocks
    mutating func push(_ schedule: PlayingSchedule, tailFrames: Int64) -> Bool {
        guard count < Self.most else {
            schedules[count - 1].end()
            return false
        }
        for index in 1..<max(1, count) { schedules[index].fadeInputWithTheNext() }
        schedules[0].leave(tailFrames: tailFrames)
        for index in stride(from: count, to: 0, by: -1) { schedules[index] = schedules[index - 1] }
        schedules[0] = RunningSchedule(schedule, fadingIn: true)
        count += 1
        return true
    }

    /// Fades out all schedules that ring out.
    @_noLocks
    func endTails() { for index in 1..<max(1, count) { schedules[index].end() } }

    /// Removes and returns a schedule that has ended; returns `nil` if no schedule has ended.
    @_noLocks
    mutating func popEnded() -> PlayingSchedule? {
        for index in 1..<max(1, count) where schedules[index].hasEnded {
            let ended = schedules[index].schedule
            for next in index..<count - 1 { schedules[next] = schedules[next + 1] }
            count -= 1
            return ended
        }
        return nil
    }
}
