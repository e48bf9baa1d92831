internal import CRealtime

/// How a node is wired in a schedule: what it works on, and where it tells how it fares.
struct NodeWiring: BitwiseCopyable {
    // What every cycle reads stands first.
    let units: UnsafeMutablePointer<NodeStep.Unit>
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// When the step before ended; one place for all steps.
    let lap: UnsafeMutablePointer<UInt64>
    /// Where it is told that the node runs.
    let whereabouts: UnsafeMutablePointer<Whereabouts>
    /// Whether the clock counts.
    let isOnDuty: UnsafeMutablePointer<Bool>
    /// The node's number in the schedule.
    let number: Int32
    let parameterCount: Int32
    /// One an output channel.
    let dry: UnsafeMutablePointer<WetDry.Sources>
    /// Whether it is fed silence until it has rung out.
    let isLeaving: Bool
    /// Whether nothing comes in, neither sound nor MIDI, so that silence at its input would not end it.
    let isSource: Bool
    /// How long it may ring on then.
    let tailFrames: Int
    let messageInput: Int
    let messageOutput: Int
    /// MIDI that lets go of all held notes.
    let releases: UnsafeMutablePointer<RTMessages>

    /// What a node has before it is wired; it may not run.
    static func none(in arena: Arena) -> NodeWiring {
        let room = UnsafeMutableRawPointer(arena.allocate(1, UInt64(0)))
        // SAFETY: a node is wired before it runs, so that nothing reads or writes through these.
        return NodeWiring(
            units: room.assumingMemoryBound(to: NodeStep.Unit.self),
            outputs: room.assumingMemoryBound(to: UnsafeMutablePointer<Float>.self),
            lap: room.assumingMemoryBound(to: UInt64.self),
            whereabouts: room.assumingMemoryBound(to: Whereabouts.self),
            isOnDuty: room.assumingMemoryBound(to: Bool.self), number: -1, parameterCount: 0,
            dry: room.assumingMemoryBound(to: WetDry.Sources.self), isLeaving: false,
            isSource: false, tailFrames: 0, messageInput: -1, messageOutput: -1,
            releases: room.assumingMemoryBound(to: RTMessages.self))
    }
}
