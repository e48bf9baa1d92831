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
    /// Takes all outputs to silence; `Report.faded` follows.
    case fadeOut(seconds: Float)
}
