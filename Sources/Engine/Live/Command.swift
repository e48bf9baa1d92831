/// What the control side asks of the audio thread: a plain value that travels through a ring.
public enum Command: BitwiseCopyable, Sendable {
    /// Moves a value of a node.
    ///
    /// `target` is a parameter's place, or an `RTTarget`. `frame` counts from the engine's first
    /// frame; a frame that is past means at once. Commands are carried out in the order sent, so
    /// one for a later frame holds up those behind it.
    case set(node: Int32, target: Int32, value: Float, frame: UInt64)
    /// Changes the tempo of what plays in time, in beats a minute, where no transport from outside has its own.
    case tempo(beatsPerMinute: Double)
    /// Brings all outputs from silence, or from wherever a fade is, to full level.
    case fadeIn(seconds: Float)
    /// Takes all outputs to silence; `Report.faded` follows. Where the time is 0 it does so at once, and lets the inputs swell
    /// in: for when what was played has torn off.
    case fadeOut(seconds: Float)
    /// Puts on a scene of what plays, by its place in the pipeline.
    case scene(Int32)
    /// Puts a schedule in the place of what plays, by its handle; sent by `Engine` alone.
    case exchange(handle: UInt, Exchange)
    /// Ends all that still sounds of schedules that were exchanged.
    case hush
    /// Lets all outputs fall silent, or come back.
    case mute(Bool)
    /// Brings all outputs to another level: an amplitude factor.
    case masterGain(Float)
    /// Hears an input by its slot with the engine's ear; -1 for none.
    case hear(slot: Int32)
    /// Begins or ends to wait for the MIDI control that is moved next; `Report.learned` tells it.
    case learn(Bool)
    /// Takes all outputs to silence at once and lets nothing through until `resume`; `Report.silenced` follows.
    case silence
    /// Ends `silence`.
    case resume

    /// How one schedule takes over from another.
    public enum Exchange: BitwiseCopyable, Sendable {
        /// Nodes that stay are handed over; what changes is faded within the new schedule.
        case splice
        /// The old one is fed silence and rings out, at most so many frames, beside the new one.
        case ringOut(tailFrames: Int64)
        /// The old one is gone at once: for when nothing is heard.
        case replace
    }
}
