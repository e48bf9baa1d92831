internal import CRealtime

/// The wiring of a node in a schedule: its buffers, and the shared state in which it reports its
/// progress.
struct NodeWiring: BitwiseCopyable {
    // The fields that every cycle reads come first.
    let units: UnsafeMutablePointer<NodeStep.Unit>
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The measurement that all steps share.
    let stepMeter: UnsafeMutablePointer<StepMeter>
    /// The state of each runner, and its active-node marker.
    let runners: UnsafeMutablePointer<RunnerState>
    let activeNode: UnsafeMutablePointer<ActiveNodeMarker>
    /// The deadlines: whether there are any, and how often the machine has missed them.
    let deadlines: UnsafeMutablePointer<CycleDeadlines>
    /// The node's index in the schedule.
    let number: Int32
    let parameterCount: Int32
    /// The last output of the node, from which it is continued if the callback halts the node; `nil` if
    /// the node has no cheaper variant, so that it cannot be halted.
    let lastOutput: UnsafeMutablePointer<OutputSubstitute>?
    /// One entry per output channel.
    let dry: UnsafeMutablePointer<WetDry.Sources>
    /// Whether the node receives silence until it has rung out.
    let isLeaving: Bool
    /// Whether the node is always bypassed according to its file, so that its latency delays no
    /// signal.
    let isAlwaysBypassed: Bool
    /// Whether the node passes its dry signal and does not run, because the machine is too slow.
    let isPaused: Bool
    /// Whether the node has no input, neither audio nor MIDI, so that silence at its input would
    /// not end it.
    let isSource: Bool
    /// The maximum length of the tail of a node that is being removed, in frames.
    let tailFrames: Int
    /// Whether the tail of a node that is being removed ends now.
    let endsTail: Bool
    let messageInput: Int
    let messageOutput: Int
    /// MIDI that releases all held notes.
    let releases: UnsafeMutablePointer<RTMessages>

    /// Returns the wiring of a node that has not been wired yet; such a node must not run.
    static func none(in arena: Arena) -> NodeWiring {
        let room = UnsafeMutableRawPointer(arena.allocate(1, UInt64(0)))
        // SAFETY: a node is wired before it runs, so nothing reads or writes through these
        // pointers.
        func none<Element: ~Copyable>() -> UnsafeMutablePointer<Element> {
            room.bindMemory(to: Element.self, capacity: 0)
        }
        return NodeWiring(
            units: none(), outputs: none(), stepMeter: none(), runners: none(),
            activeNode: none(),
            deadlines: none(),
            number: -1, parameterCount: 0, lastOutput: nil, dry: none(), isLeaving: false,
            isAlwaysBypassed: false, isPaused: false, isSource: false,
            tailFrames: 0, endsTail: false, messageInput: -1, messageOutput: -1, releases: none())
    }
}
