/// A report from the audio thread to the control side: a plain value that travels through a ring.
///
/// Levels are amplitudes; 1 is full scale. Loads are shares of the period: at 1 a cycle takes
/// exactly its period. Channels are slots of the engine ports.
public enum Report: BitwiseCopyable, Sendable {
    /// The peak magnitude and the root mean square of an input channel since the last such report.
    case inputLevel(channel: Int32, peak: Float, rms: Float)
    /// The same for an output channel, measured after the limiter.
    case outputLevel(channel: Int32, peak: Float, rms: Float)
    /// The same for an output channel of a node, if such levels were requested.
    case nodeLevel(node: Int32, channel: Int32, peak: Float, rms: Float)
    /// The lowest gain of an output's limiter since the last report; `output` is the index among
    /// the audio outputs of the engine ports.
    case limited(output: Int32, gain: Float)
    /// The load of a node: mean and maximum.
    case load(node: Int32, mean: Float, worst: Float)
    /// The load of the whole cycle: mean and maximum.
    case totalLoad(mean: Float, worst: Float)
    /// The mean load of a core that runs nodes: 0 is the callback's, the others are the workers'.
    case coreLoad(core: Int32, mean: Float)
    /// A value that a node reports; `report` is its index in the description's `reports`.
    case value(node: Int32, report: Int32, value: Float)
    /// A node produced NaN or infinity and was silenced for the cycle.
    case nonFinite(node: Int32)
    /// A plugin took too long repeatedly and no longer runs; `periods` is the time of its last run.
    case stopped(node: Int32, periods: Float)
    /// A plugin's separate process did not deliver its output in time, so the dry signal passes.
    case away(node: Int32)
    /// A plugin wrote beyond the end of a buffer.
    case wroteBeyond(node: Int32)
    /// A real-time cycle took longer than its period; `node` is its slowest node.
    case overrun(node: Int32, Overrun)
    /// A node was stopped because cycles were late, and passes its dry signal until an exchange. The
    /// report is repeated after `exchanged` if the new schedule does not reduce the node.
    case halted(node: Int32)
    /// A node's latency has changed since the pipeline was planned.
    case latency(node: Int32, frames: Int32)
    /// The number of MIDI messages dropped since the last such report, because they did not fit
    /// into a node's buffers.
    case droppedMessages(node: Int32, count: Int32)
    /// A fade-out has reached silence.
    case faded
    /// A new schedule is active: later reports about nodes refer to its nodes.
    case exchanged
    /// All crossfades in a spliced schedule have ended; tails may still ring out.
    case spliced
    /// All tails in a spliced schedule have ended.
    case settled
    /// The outputs are silent after `Command.silence`.
    case silenced
    /// A MIDI binding changed a value of a node.
    case boundValueChanged(node: Int32, target: Int32, value: Float)
    /// The current value of a fade that moves to `goal`, or its end.
    ///
    /// A fade ends when it reaches its goal, and when something else sets the value.
    case fading(node: Int32, target: Int32, value: Float, goal: Float, isOver: Bool)
    /// A MIDI binding applied a scene, or a scene followed another one; given by its index.
    case sceneApplied(Int32)
    /// A MIDI binding requests a scene that changes settings, given by its index.
    case sceneRequested(Int32)
    /// A MIDI binding requests a song, given by its index.
    case songRequested(Int32)
    /// A MIDI binding requests a command, given by its index in
    /// `Pipeline.Binding.Command.allCases`.
    case commandRequested(Int32)
    /// A MIDI binding, given by its index in the pipeline, requests a step that depends on the state
    /// of the session.
    case stepRequested(binding: Int32)
    /// A control moved while `Command.learn` was on.
    case learned(LearnedControl)
    /// The tempo follows a MIDI clock and has changed, or the clock has ended; the tempo is the
    /// engine's, in beats per minute.
    case clock(beatsPerMinute: Double, isPresent: Bool)
    /// A value that the input monitor reports; `report` is its index in the effect's description.
    case monitorValue(report: Int32, value: Float)
}
