internal import CRealtime
internal import Realtime

/// The active schedules: the current one first, then those that ring out, the latest first.
struct Voices: BitwiseCopyable {
    /// The maximum number of active schedules.
    static var most: Int { @_noLocks get { 4 } }

    private let places: UnsafeMutablePointer<Voice>
    private(set) var count = 1

    init(_ schedule: PlayingSchedule, arena: Arena) {
        places = arena.allocate(Self.most, Voice(schedule, swelling: false))
    }

    /// The current schedule.
    var playing: PlayingSchedule { @_noLocks get { places[0].schedule } }

    subscript(place: Int) -> UnsafeMutablePointer<Voice> { @_noLocks get { places + place } }

    /// Whether only the current schedule is audible, at full level.
    var isAlone: Bool {
        @_noLocks get { count == 1 && places[0].output.isResting && places[0].output.value == 1 }
    }

    /// The maximum number of frames that all active schedules accept per cycle.
    var maximumFrames: Int {
        @_noLocks get {
            var frames = Int.max
            for place in 0..<count { frames = min(frames, places[place].schedule.maximumFrames) }
            return frames
        }
    }

    /// Replaces the current schedule by one that takes over the nodes that stay.
    @_noLocks
    func splice(_ schedule: PlayingSchedule) {
        // The previous schedule may still be ramping up.
        schedule.core.pointee.inputLevel.pointee.follow(playing.core.pointee.inputLevel)
        places[0].schedule = schedule
        schedule.core.pointee.begin()
    }

    /// Replaces a schedule that is not audible.
    ///
    /// The input of the new schedule ramps up, so that echoes do not repeat an edge.
    @_noLocks
    func replace(_ schedule: PlayingSchedule) {
        splice(schedule)
        letIn()
    }

    /// Ramps the input of the current schedule up from silence.
    @_noLocks
    func letIn() {
        let core = playing.core
        core.pointee.inputLevel.pointee.rise(frames: core.pointee.rate.exchangeFrames)
    }

    /// Activates another schedule and lets the current one ring out.
    ///
    /// - Returns: Whether there was room. If not, the schedule that has rung out for the longest
    ///   time fades out.
    @_noLocks
    mutating func push(_ schedule: PlayingSchedule, tailFrames: Int64) -> Bool {
        guard count < Self.most else {
            places[count - 1].end()
            return false
        }
        places[0].leave(tailFrames: tailFrames)
        for place in stride(from: count, to: 0, by: -1) { places[place] = places[place - 1] }
        places[0] = Voice(schedule, swelling: true)
        count += 1
        return true
    }

    /// Fades out all schedules that ring out.
    @_noLocks
    func hush() { for place in 1..<max(1, count) { places[place].end() } }

    /// Removes and returns a schedule that has ended; returns `nil` if no schedule has ended.
    @_noLocks
    mutating func takeEnded() -> PlayingSchedule? {
        for place in 1..<max(1, count) where places[place].hasEnded {
            let ended = places[place].schedule
            for next in place..<count - 1 { places[next] = places[next + 1] }
            count -= 1
            return ended
        }
        return nil
    }
}
