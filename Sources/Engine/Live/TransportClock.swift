internal import CRealtime

/// Where time stands: the one place that holds tempo and transport, for all that plays in time.
///
/// It is the engine's own, rolling from its first frame, until others use theirs: the one from outside holds from the
/// first cycle in which it rolls, has beats, or stands elsewhere than at its beginning.
struct TransportClock: BitwiseCopyable {
    /// How far beats may be off before it counts as a jump: those from outside are rounded to ticks.
    private static var toleranceBeats: Double { @_noLocks get { 0.02 } }
    private static var beatsPerBar: Double { @_noLocks get { 4 } }

    /// The state at the first frame of the piece that is rendered; it does not move.
    let now: UnsafeMutablePointer<RTTransport>
    private var beatsPerMinute: Double
    private var framesPerMinute: Double
    private var frame: Int64 = 0
    /// A frame, and the beat that it is: where tempo or rate last changed.
    private var originFrame: Int64 = 0
    private var originBeats = 0.0
    private var followsOutside = false
    private var expectedFrame: Int64 = 0
    private var expectedBeats = 0.0

    init(beatsPerMinute: Double, sampleRate: Float, arena: Arena) {
        now = arena.allocate(1, RTTransport())
        self.beatsPerMinute = beatsPerMinute
        framesPerMinute = Double(sampleRate) * 60
    }

    /// Goes on at another tempo from the next piece on.
    @_noLocks
    mutating func setTempo(_ beatsPerMinute: Double) {
        guard beatsPerMinute.isFinite, beatsPerMinute > 0 else { return }
        settle()
        self.beatsPerMinute = beatsPerMinute
    }

    /// Goes on with another schedule: a tempo that was set live holds where both have the same.
    @_noLocks
    mutating func follow(_ new: ScheduleCore, after old: ScheduleCore) {
        settle()
        framesPerMinute = Double(new.rate.sampleRate) * 60
        if new.beatsPerMinute != old.beatsPerMinute { beatsPerMinute = new.beatsPerMinute }
    }

    /// Takes in where time stands at the beginning of a piece.
    ///
    /// - Parameters:
    ///   - outside: What the call came with.
    ///   - offset: Frames from the call's first to the piece's.
    @_noLocks
    mutating func begin(_ outside: UnsafePointer<RTOutside>?, offset: Int) {
        var next = position(outside?.pointee.transport, offset)
        next.isFreewheeling = outside?.pointee.isFreewheeling ?? false
        next.revision = now.pointee.revision
        if !continues(next) { next.revision = next.revision == .max ? 1 : next.revision + 1 }
        now.pointee = next
    }

    /// Goes on by the frames of a piece.
    @_noLocks
    mutating func advance(_ frames: Int) {
        frame += Int64(frames)
        let isRolling = now.pointee.isRolling
        expectedFrame = now.pointee.frame + (isRolling ? Int64(frames) : 0)
        let passed = Double(frames) * now.pointee.beatsPerMinute / framesPerMinute
        expectedBeats = beats(of: now.pointee) + (isRolling ? passed : 0)
    }

    @_noLocks
    private mutating func position(
        _ outside: UnsafePointer<RTTransport>?, _ offset: Int
    ) -> RTTransport {
        guard let outside, uses(outside.pointee) else {
            return place(frame, beats: ownBeats, isRolling: true)
        }
        var given = outside.pointee
        let passed = given.isRolling ? offset : 0
        given.frame += Int64(passed)
        guard given.hasBeats, given.beatsPerMinute > 0, given.beatsPerBar > 0 else {
            let beats = Double(given.frame) * beatsPerMinute / framesPerMinute
            return place(given.frame, beats: beats, isRolling: given.isRolling)
        }
        given.barBeat += Double(passed) * given.beatsPerMinute / framesPerMinute
        while given.barBeat >= given.beatsPerBar {
            given.barBeat -= given.beatsPerBar
            given.bar += 1
        }
        return given
    }

    /// Whether the transport from outside counts; once it did, it does for good.
    @_noLocks
    private mutating func uses(_ outside: RTTransport) -> Bool {
        if outside.isRolling || outside.hasBeats || outside.frame != 0 { followsOutside = true }
        return followsOutside
    }

    @_noLocks
    private func place(_ frame: Int64, beats: Double, isRolling: Bool) -> RTTransport {
        let bar = Int64(max(0, beats / Self.beatsPerBar))
        return RTTransport(
            revision: 0, isRolling: isRolling, isFreewheeling: false, hasBeats: true, beatUnit: 4,
            frame: frame, bar: bar, barBeat: beats - Double(bar) * Self.beatsPerBar,
            beatsPerBar: Self.beatsPerBar, beatsPerMinute: beatsPerMinute)
    }

    /// Whether a state is the last one after the frames that have passed.
    @_noLocks
    private func continues(_ next: RTTransport) -> Bool {
        let last = now.pointee
        return last.revision != 0 && next.isRolling == last.isRolling
            && next.frame == expectedFrame && next.beatsPerMinute == last.beatsPerMinute
            && next.beatsPerBar == last.beatsPerBar && next.beatUnit == last.beatUnit
            && abs(beats(of: next) - expectedBeats) < Self.toleranceBeats
    }

    @_noLocks
    private func beats(of time: RTTransport) -> Double {
        Double(time.bar) * time.beatsPerBar + time.barBeat
    }

    /// Counted from where tempo or rate last changed, so that it does not depend on how frames are split into calls.
    private var ownBeats: Double {
        @_noLocks get {
            originBeats + Double(frame - originFrame) * beatsPerMinute / framesPerMinute
        }
    }

    @_noLocks
    private mutating func settle() {
        originBeats = ownBeats
        originFrame = frame
    }
}
