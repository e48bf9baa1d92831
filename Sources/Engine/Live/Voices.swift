internal import CRealtime
internal import Realtime

/// The schedules that sound: the one that plays first, then those that ring out, the latest first.
struct Voices: BitwiseCopyable {
    /// As many as sound at once.
    static var most: Int { @_noLocks get { 4 } }

    private let places: UnsafeMutablePointer<Voice>
    private(set) var count = 1

    init(_ schedule: PlayingSchedule, arena: Arena) {
        places = arena.allocate(Self.most, Voice(schedule, swelling: false))
    }

    /// The one that plays.
    var playing: PlayingSchedule { @_noLocks get { places[0].schedule } }

    subscript(place: Int) -> UnsafeMutablePointer<Voice> { @_noLocks get { places + place } }

    /// Whether the one that plays is all that is heard, and fully.
    var isAlone: Bool {
        @_noLocks get { count == 1 && places[0].output.isResting && places[0].output.value == 1 }
    }

    /// The most frames that all of them may be given.
    var maximumFrames: Int {
        @_noLocks get {
            var frames = Int.max
            for place in 0..<count { frames = min(frames, places[place].schedule.maximumFrames) }
            return frames
        }
    }

    /// Puts another schedule in the place of the one that plays, which gives it all that stays.
    @_noLocks
    func splice(_ schedule: PlayingSchedule) {
        // The one before may still swell in.
        schedule.core.pointee.inputLevel.pointee.follow(playing.core.pointee.inputLevel)
        places[0].schedule = schedule
        schedule.core.pointee.begin()
    }

    /// Puts another schedule in the place of one of which nothing is heard.
    ///
    /// Its input swells in: where echoes repeat it, no edge is repeated.
    @_noLocks
    func replace(_ schedule: PlayingSchedule) {
        splice(schedule)
        letIn()
    }

    /// Lets the input of the one that plays in from nothing.
    @_noLocks
    func letIn() {
        let core = playing.core
        core.pointee.inputLevel.pointee.rise(frames: core.pointee.rate.exchangeFrames)
    }

    /// Lets the one that plays ring out beside another.
    ///
    /// - Returns: Whether there was room; where not, the one that has rung longest ends soon.
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

    /// Ends all that rings out.
    @_noLocks
    func hush() { for place in 1..<max(1, count) { places[place].end() } }

    /// Takes the last schedule out that has ended, if there is one.
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
