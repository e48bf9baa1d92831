/// The position of an external transport at the start of the next call of the engine.
public struct ExternalMoment: BitwiseCopyable, Sendable {
    /// The frame of the transport.
    public let frame: Int64
    /// The number of frames in the last call, by which a rolling transport has moved.
    public let frameCount: Int
    /// Whether the transport is rolling.
    public let isRolling: Bool
    /// Whether the transport states that the frame does not follow from the one before it.
    public let isNew: Bool

    /// Creates a position; the parameters have the meaning of the properties.
    @_noLocks
    public init(frame: Int64, frameCount: Int, isRolling: Bool, isNew: Bool) {
        self.frame = frame
        self.frameCount = frameCount
        self.isRolling = isRolling
        self.isNew = isNew
    }
}

/// The beats that this program gives to the frames of an external transport, as its timebase master.
///
/// A new tempo continues from the beat of its frame. After a relocation, the beat is the one that
/// the frame has if all frames from 0 on have the present tempo.
struct TimebaseBeats: BitwiseCopyable {
    /// A larger difference from the beat of a MIDI clock is a jump of the clock.
    ///
    /// The first ticks at a slower tempo count too much until the tempo is known: up to four ticks, a
    /// sixth of a beat. That must not move the beat backwards.
    private static var jumpBeats: Double { @_noLocks get { 0.25 } }

    /// The tempo that was announced last, in beats per minute; 0 before the first announcement.
    private(set) var beatsPerMinute = 0.0
    private var framesPerMinute = 1.0
    /// A frame, and its beat.
    private var originFrame: Int64 = 0
    private var originBeats = 0.0
    /// The position and the beat of the last announcement.
    private var last = ExternalMoment(frame: 0, frameCount: 0, isRolling: false, isNew: false)
    private var lastBeats = 0.0

    /// Whether beats have been announced.
    var hasAnnounced: Bool { @_noLocks get { beatsPerMinute > 0 } }

    /// Returns the beat of a frame, at the tempo that was announced last.
    @_noLocks
    func beats(atFrame frame: Int64) -> Double {
        originBeats + Double(frame &- originFrame) * beatsPerMinute / framesPerMinute
    }

    /// Returns the beat at the start of the next call, and applies a new tempo from there on.
    ///
    /// - Parameters:
    ///   - moment: The position of the transport at the start of the next call.
    ///   - tempo: The tempo from then on, in beats per minute.
    ///   - rate: The frames per minute.
    ///   - steeredBeats: The beat that a MIDI clock states; `nil` without a clock.
    /// - Returns: The beats since the beginning.
    @_noLocks
    mutating func announce(
        _ moment: ExternalMoment, beatsPerMinute tempo: Double, framesPerMinute rate: Double,
        steeredBeats: Double?
    ) -> Double {
        if isRelocation(moment) {
            (originFrame, originBeats) = (0, 0)
            (beatsPerMinute, framesPerMinute) = (tempo, rate)
            lastBeats = beats(atFrame: moment.frame)
        } else if tempo != beatsPerMinute || rate != framesPerMinute {
            setOrigin(moment.frame, beats(atFrame: moment.frame))
            (beatsPerMinute, framesPerMinute) = (tempo, rate)
        }
        if let steeredBeats { steer(to: steeredBeats, at: moment.frame) }
        last = moment
        lastBeats = beats(atFrame: moment.frame)
        return lastBeats
    }

    @_noLocks
    private func isRelocation(_ moment: ExternalMoment) -> Bool {
        guard hasAnnounced, !moment.isNew else { return true }
        return moment.frame != last.frame
            && moment.frame != last.frame &+ Int64(moment.frameCount)
    }

    /// Follows the beat of a MIDI clock; its small corrections never move the beat backwards.
    @_noLocks
    private mutating func steer(to steeredBeats: Double, at frame: Int64) {
        let isJump = abs(steeredBeats - beats(atFrame: frame)) >= Self.jumpBeats
        setOrigin(frame, isJump ? steeredBeats : max(steeredBeats, lastBeats))
    }

    @_noLocks
    private mutating func setOrigin(_ frame: Int64, _ beats: Double) {
        (originFrame, originBeats) = (frame, beats)
    }
}
