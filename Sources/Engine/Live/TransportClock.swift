internal import CRealtime

/// The single source of tempo and transport for all nodes that follow them.
///
/// It is the engine's own clock, rolling from the first frame, until an external transport is in
/// use. The external transport applies from the first cycle in which it rolls, has beats, or is at
/// a frame other than 0.
struct TransportClock: BitwiseCopyable {
    /// How far beats may deviate before they count as a jump; external beats are rounded to ticks.
    private static var toleranceBeats: Double { @_noLocks get { 0.02 } }
    private static var beatsPerBar: Double { @_noLocks get { 4 } }
    /// The valid ranges of external beats; outside them the clock uses its own tempo.
    private static var minimumBeatsPerMinute: Double { @_noLocks get { 0.001 } }
    private static var maximumBeatsPerMinute: Double { @_noLocks get { 100_000 } }
    private static var minimumBeatsPerBar: Double { @_noLocks get { 1.0 / 1024 } }
    private static var maximumBeatsPerBar: Double { @_noLocks get { 1_000_000 } }
    private static var maximumBarBeats: Double { @_noLocks get { 1e9 } }

    /// The state at the first frame of the current piece; its address is constant.
    let now: UnsafeMutablePointer<RTTransport>
    private var beatsPerMinute: Double
    private var framesPerMinute: Double
    private var frame: Int64 = 0
    /// The frame at which tempo or sample rate last changed, and its beat.
    private var originFrame: Int64 = 0
    private var originBeats = 0.0
    private var followsExternal = false
    /// Whether a MIDI clock determines the tempo and the beat at present.
    private(set) var isSteered = false
    /// Whether a MIDI clock has determined the beat; an external transport no longer applies then.
    private var hasBeenSteered = false
    private var isOwnRolling = true
    /// The frames for which the engine's own clock has stood still.
    private var stoppedFrames: Int64 = 0
    private var expectedFrame: Int64 = 0
    private var expectedBeats = 0.0
    /// Whether this program provides the beats of the external transport.
    private(set) var isLeading = false
    private var timebase = TimebaseBeats()

    init(beatsPerMinute: Double, sampleRate: Float, arena: Arena) {
        now = arena.allocate(1, RTTransport())
        self.beatsPerMinute = beatsPerMinute
        framesPerMinute = Double(sampleRate) * 60
    }

    /// Changes the tempo from the next piece on, in beats per minute.
    @_noLocks
    mutating func setTempo(_ beatsPerMinute: Double) {
        guard beatsPerMinute.isFinite, beatsPerMinute > 0, !isSteered else { return }
        settle()
        self.beatsPerMinute = beatsPerMinute
    }

    /// Continues with another schedule; a tempo that was set live remains if both schedules have
    /// the same tempo.
    @_noLocks
    mutating func follow(_ new: ScheduleCore, after old: ScheduleCore) {
        settle()
        framesPerMinute = Double(new.rate.sampleRate) * 60
        if new.beatsPerMinute != old.beatsPerMinute, !isSteered {
            beatsPerMinute = new.beatsPerMinute
        }
        if new.clockInput < 0 { (hasBeenSteered, isOwnRolling) = (false, true) }
    }

    // MARK: MIDI clock

    /// The engine's own tempo in beats per minute, which applies unless an external transport has
    /// one.
    var ownTempo: Double { @_noLocks get { beatsPerMinute } }

    /// Follows a MIDI clock for the next piece.
    ///
    /// Small differences of the beat are corrected in small steps, which nodes do not take for a
    /// jump.
    ///
    /// - Parameters:
    ///   - tempo: The tempo of the clock, in beats per minute.
    ///   - beats: The beat of the clock at the start of the piece.
    ///   - isRolling: Whether the song runs.
    @_noLocks
    mutating func steer(beatsPerMinute tempo: Double, beats: Double, isRolling: Bool) {
        settle()
        beatsPerMinute = tempo
        let error = beats - originBeats
        let isJump = !isSteered || !isRolling || !isOwnRolling || abs(error) > 0.1
        originBeats += isJump ? error : max(-0.0005, min(0.0005, error * 0.05))
        (isSteered, hasBeenSteered, isOwnRolling) = (true, true, isRolling)
    }

    /// Continues with the last tempo and beat.
    @_noLocks
    mutating func endSteering() { isSteered = false }

    // MARK: Timebase master

    /// States whether this program provides the beats of the external transport; it then ignores
    /// the beats that come back.
    @_noLocks
    mutating func lead(_ isOn: Bool) {
        if isOn, !isLeading { timebase = TimebaseBeats() }
        isLeading = isOn
    }

    /// Returns the beats of the external transport for the next call.
    ///
    /// - Parameter moment: The position of the external transport at the start of the next call.
    /// - Returns: The position with its beats.
    @_noLocks
    mutating func announce(_ moment: ExternalMoment) -> RTTransport {
        // A MIDI clock moves the beat of the session independently of the external frames.
        let isSteering = hasBeenSteered && isOwnRolling && moment.isRolling
        let beats = timebase.announce(
            moment, beatsPerMinute: beatsPerMinute, framesPerMinute: framesPerMinute,
            steeredBeats: isSteering ? ownBeats : nil)
        return ownTransport(
            moment.frame, beats: beats, beatsPerMinute: beatsPerMinute, isRolling: moment.isRolling)
    }

    /// Updates the transport state for the start of a piece.
    ///
    /// - Parameters:
    ///   - external: The external transport of the call.
    ///   - offset: The frames from the start of the call to the start of the piece.
    @_noLocks
    mutating func begin(_ external: UnsafePointer<RTEngineCall>?, offset: Int) {
        var next = position(external?.pointee.transport, offset)
        next.isFreewheeling = external?.pointee.isFreewheeling ?? false
        next.revision = now.pointee.revision
        if !continues(next) { next.revision = next.revision == .max ? 1 : next.revision + 1 }
        now.pointee = next
    }

    /// Advances by the frames of a piece.
    @_noLocks
    mutating func advance(_ frames: Int) {
        frame += Int64(frames)
        if !isOwnRolling {
            settleStopped()
            stoppedFrames += Int64(frames)
        }
        let isRolling = now.pointee.isRolling
        expectedFrame = now.pointee.frame + (isRolling ? Int64(frames) : 0)
        let passed = Double(frames) * now.pointee.beatsPerMinute / framesPerMinute
        expectedBeats = beats(of: now.pointee) + (isRolling ? passed : 0)
    }

    @_noLocks
    private mutating func position(
        _ external: UnsafePointer<RTTransport>?, _ offset: Int
    ) -> RTTransport {
        guard !hasBeenSteered, let external, uses(external.pointee) else {
            return ownTransport(
                frame - stoppedFrames, beats: ownBeats, beatsPerMinute: beatsPerMinute,
                isRolling: isOwnRolling)
        }
        var given = external.pointee
        let passed = given.isRolling ? offset : 0
        given.frame &+= Int64(passed)
        if isLeading, timebase.hasAnnounced {
            return ownTransport(
                given.frame, beats: timebase.beats(atFrame: given.frame),
                beatsPerMinute: timebase.beatsPerMinute, isRolling: given.isRolling)
        }
        guard !isLeading, hasUsableBeats(given) else {
            let beats = Double(given.frame) * beatsPerMinute / framesPerMinute
            return ownTransport(
                given.frame, beats: beats, beatsPerMinute: beatsPerMinute,
                isRolling: given.isRolling)
        }
        given.barBeat += Double(passed) * given.beatsPerMinute / framesPerMinute
        // A division, because a loop over the bars would block the callback for as many bars as
        // another program announces.
        if given.barBeat >= given.beatsPerBar {
            let bars = rt_floor(given.barBeat / given.beatsPerBar)
            given.barBeat = max(0, given.barBeat - bars * given.beatsPerBar)
            given.bar += Int64(bars)
        }
        return given
    }

    /// Returns whether the beats of an external transport are usable, because any program may set
    /// them to any number.
    @_noLocks
    private func hasUsableBeats(_ time: RTTransport) -> Bool {
        // Comparisons with NaN fail.
        time.hasBeats && time.beatsPerMinute >= Self.minimumBeatsPerMinute
            && time.beatsPerMinute <= Self.maximumBeatsPerMinute
            && time.beatsPerBar >= Self.minimumBeatsPerBar
            && time.beatsPerBar <= Self.maximumBeatsPerBar
            && abs(time.barBeat) <= Self.maximumBarBeats
    }

    /// Returns whether the external transport applies; once it has applied, it always does.
    @_noLocks
    private mutating func uses(_ external: RTTransport) -> Bool {
        // The program's own beats are no sign that another program uses the transport.
        let hasBeats = external.hasBeats && !isLeading
        if external.isRolling || hasBeats || external.frame != 0 { followsExternal = true }
        return followsExternal
    }

    @_noLocks
    private func ownTransport(
        _ frame: Int64, beats: Double, beatsPerMinute: Double, isRolling: Bool
    ) -> RTTransport {
        let bar = Int64(max(0, beats / Self.beatsPerBar))
        return RTTransport(
            revision: 0, isRolling: isRolling, isFreewheeling: false, hasBeats: true, beatUnit: 4,
            frame: frame, bar: bar, barBeat: beats - Double(bar) * Self.beatsPerBar,
            beatsPerBar: Self.beatsPerBar, beatsPerMinute: beatsPerMinute)
    }

    /// Returns whether a state follows from the previous one by the frames that have passed.
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

    /// The engine's own beat, counted from the last change of tempo or sample rate, so that it does
    /// not depend on how the frames are split into calls.
    private var ownBeats: Double {
        @_noLocks get {
            originBeats + Double(frame - originFrame) * beatsPerMinute / framesPerMinute
        }
    }

    /// Keeps the beat while the clock stands still.
    @_noLocks
    private mutating func settleStopped() { originFrame = frame }

    @_noLocks
    private mutating func settle() {
        originBeats = ownBeats
        originFrame = frame
    }
}
