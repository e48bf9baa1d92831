/// What the audio thread tells the control side: a plain value that travels through a ring.
///
/// Levels are amplitudes, 1 is full scale. Loads are shares of the period: at 1 a cycle takes as
/// long as it lasts. Channels count through all audio inputs, or all audio outputs.
public enum Report: BitwiseCopyable, Sendable {
    /// Highest magnitude and root mean square since the last such report.
    case inputLevel(channel: Int32, peak: Float, rms: Float)
    /// As of inputs, after the limiter.
    case outputLevel(channel: Int32, peak: Float, rms: Float)
    /// The lowest gain the limiter of an output (by its place among the audio outputs) came to.
    case limited(output: Int32, gain: Float)
    /// What a node cost, on average and at worst.
    case load(node: Int32, mean: Float, worst: Float)
    /// What the whole cycle cost, on average and at worst.
    case totalLoad(mean: Float, worst: Float)
    /// A value that a node reports, by its place in the description's `reports`.
    case value(node: Int32, report: Int32, value: Float)
    /// A node put out a NaN or an infinity and was silenced for the cycle.
    case nonFinite(node: Int32)
    /// A plugin took too long again and again, at last so many periods, and is not run any more.
    case stopped(node: Int32, periods: Float)
    /// A plugin's own process gave no sound in time, so that the dry signal passes.
    case away(node: Int32)
    /// A plugin wrote beyond the end of a buffer.
    case wroteBeyond(node: Int32)
    /// A cycle that somebody waited for took longer than it lasts; the node was the costliest in it.
    case overrun(node: Int32, Lateness)
    /// A node is from now on as late as it was not when it was planned.
    case latency(node: Int32, frames: Int32)
    /// So many MIDI messages did not fit into a node's buffers since the last such report, and were dropped.
    case droppedMessages(node: Int32, count: Int32)
    /// A fade out has reached silence.
    case faded
    /// A schedule plays from now on: what is reported of nodes is of its nodes.
    case exchanged
    /// All that fades in a spliced schedule has arrived; tails may still sound.
    case spliced
    /// And all tails in it are over.
    case settled
    /// After `Command.silence`, nothing is heard any more.
    case silenced
    /// MIDI has given a value of a node another value.
    case moved(node: Int32, target: Int32, value: Float)
    /// MIDI has put on a scene, by its place.
    case sceneOn(Int32)
    /// MIDI asks for a song, by its place.
    case songWanted(Int32)
    /// MIDI asks for a command, by its place in `Pipeline.Binding.Command.allCases`.
    case performed(Int32)
    /// A control that was moved while `Command.learn` is on.
    case learned(LearnedControl)
    /// A value that the engine's ear reports, by its place in the effect's description.
    case heard(report: Int32, value: Float)
}
