internal import Engine
internal import Pipelines

/// Changes for an engine, in the order of their frames, sent ahead of the block that each falls in.
struct ChangeScript {
    private let commands: [(frame: Int, command: Command)]
    private var sentCount = 0

    /// The changes that come after load.
    ///
    /// - Parameters:
    ///   - changes: In the order that holds for those of one time.
    ///   - sampleRate: Frames a second; a time falls on the nearest frame.
    ///   - latencies: For each node, how late the input's sound is there; with them, a change at a time meets the
    ///     sound that came in at that time. Nil sends each at its own time, as in live playing.
    ///   - edges: Further changes, by their frames.
    init(
        _ changes: [TimedChange], sampleRate: Double, latencies: [Plan.NodeLatency]?,
        edges: [(frame: Int, change: Pipeline.Change)] = []
    ) {
        let entries = changes.filter { $0.seconds > 0 }.map {
            (frame: Int(($0.seconds * sampleRate).rounded()), change: $0.change)
        }
        let timed = (edges + entries).map { frame, change in
            let late = latencies.map { $0[change.address.node].lateness(of: change) }
            return (frame: frame + (late ?? 0), change: change)
        }
        // The sort need not be stable, so the place decides between equals.
        commands = timed.enumerated()
            .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
            .map {
                ($0.element.frame, Command(setting: $0.element.change, frame: $0.element.frame))
            }
    }

    /// Sends what is due before a frame; what the engine does not take goes with the next block.
    mutating func send(to engine: Engine, before end: Int) {
        while sentCount < commands.count, commands[sentCount].frame < end,
            engine.send(commands[sentCount].command)
        {
            sentCount += 1
        }
    }
}

extension Plan.NodeLatency {
    /// How late the input's sound is where a change acts: parameters at the node's input, mix and bypass at its output.
    fileprivate func lateness(of change: Pipeline.Change) -> Int {
        switch change.address.target {
        case .parameter: inputLatencyFrames
        case .mix, .bypass: outputLatencyFrames
        }
    }
}
