/// A request from the control side to the audio thread: a plain value that travels through a ring.
public enum Command: BitwiseCopyable, Sendable {
    /// Sets a value of a node.
    ///
    /// `target` is the index of a parameter, or an `RTTarget`. `frame` counts from the engine's
    /// first frame; the engine applies a change whose frame has passed at once. The engine carries
    /// out commands in the order in which they were sent, so a command for a later frame delays
    /// those behind it.
    case set(node: Int32, target: Int32, value: Float, frame: UInt64)
    /// Moves a value of a node from its current value to another over a time.
    ///
    /// A fade or a set of the same value replaces a running fade. `target` and `frame` have the
    /// same meaning as in `set`.
    case fade(node: Int32, target: Int32, value: Float, Fade, frame: UInt64)
    /// Changes the tempo that nodes follow, in beats per minute, if no external transport sets one.
    case tempo(beatsPerMinute: Double)
    /// Informs the nodes that follow the tempo of the frames from playback until the sound that was
    /// played with it arrives at the inputs.
    case roundTrip(frames: Int32)
    /// Fades all outputs from silence, or from the current level of a running fade, to full level.
    case fadeIn(seconds: Float)
    /// Fades all outputs to silence; `Report.faded` follows.
    ///
    /// With 0 seconds the outputs are silent at once and the inputs ramp up from silence. Use this
    /// after the signal was cut off abruptly.
    case fadeOut(seconds: Float)
    /// Applies a scene of the current pipeline, given by its index in the pipeline.
    case scene(Int32)
    /// Moves the level of the song to the gain of a scene, given by its index in the pipeline, without
    /// the scene's values; `frame` has the same meaning as in `set`.
    case sceneLevel(Int32, frame: UInt64)
    /// Sends the messages of a scene, given by its index in the pipeline, without its values.
    case sceneMessages(Int32)
    /// Cancels the scene that would follow automatically.
    case cancelFollow
    /// Replaces the current schedule by the one with this handle; only `Engine` sends this command.
    case exchange(handle: UInt, Exchange)
    /// Fades out all replaced schedules that still ring out.
    case endTails
    /// Mutes or unmutes all outputs.
    case mute(Bool)
    /// Changes the master gain of all outputs, in dB; -120 is silence.
    case masterGain(decibels: Float)
    /// Selects the input slot for the engine's input monitor; -1 for none.
    case monitor(slot: Int32)
    /// Copies the output of a node, given by its index, for `Engine.readTap`; -1 for no node.
    case tap(slot: Int32, node: Int32)
    /// Starts or stops waiting for the next MIDI control that moves; `Report.learned` reports it.
    case learn(Bool)
    /// Reports levels this many times per second; 0 means the usual rate. Levels of nodes are only
    /// measured on request.
    case levelRate(perSecond: Int32, ofNodes: Bool = false)
    /// Presses a computer key, given by its number in `ComputerKey`, for the bindings to it.
    case pressKey(Int32)
    /// Stops a node of the current schedule that has a cheaper variant, given by its index, at once and
    /// with a crossfade to its dry signal; `Report.halted` follows. With `false`, a halted node runs
    /// again.
    ///
    /// The audio thread does the same itself if cycles are late (`Engine.haltNodes`).
    case halt(node: Int32, Bool)
    /// Silences all outputs at once and keeps them silent until `resume`; `Report.silenced`
    /// follows.
    case silence
    /// Ends the silence that `silence` started.
    case resume

    /// How one schedule replaces another.
    public enum Exchange: BitwiseCopyable, Sendable {
        /// The new schedule takes over the nodes that stay; changes are faded within the new
        /// schedule.
        case splice
        /// The old schedule receives silence and rings out for at most `tailFrames` frames, in
        /// parallel with the new one.
        case ringOut(tailFrames: Int64)
        /// As `ringOut`, for another song: it sends its messages and the messages of the scene that
        /// it begins with, given by its index; -1 for none.
        case song(tailFrames: Int64, scene: Int32)
        /// As `splice`, for another song with the same outer level: it sends its messages and the
        /// messages of the scene that it begins with, given by its index; -1 for none.
        case outerSong(scene: Int32)
        /// The old schedule stops at once: for when the outputs are silent.
        case replace
    }
}
