internal import Engine
internal import Pipelines

/// Changes for an engine, ordered by frame; each is sent before the block that contains its frame.
struct ChangeScript {
    private let commands: [(frame: Int, command: Command)]
    private var sentCount = 0

    /// Creates a script of the changes that are not part of the pipeline's values at load.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline of the changes.
    ///   - changes: The changes; those with the same time keep this order.
    ///   - sampleRate: In Hz; each time is rounded to the nearest frame.
    ///   - latencies: The latencies of each node, for aligning changes with the signal: a change at
    ///     a time meets the signal that entered at that time. If `nil`, changes are not shifted, as
    ///     in live use.
    ///   - edges: Further changes, with their frames.
    init(
        for pipeline: Pipeline, _ changes: [TimedChange], sampleRate: Double,
        latencies: [Plan.NodeLatency]?,
        edges: [(frame: Int, change: Pipeline.Change)] = []
    ) {
        let entries = changes.filter { !pipeline.appliesAtLoad($0) }.map {
            (
                frame: Int((max(0, $0.seconds) * sampleRate).rounded()), change: $0.change,
                manner: $0.manner
            )
        }
        let sudden = edges.map {
            (frame: $0.frame, change: $0.change, manner: FadeManner(seconds: 0))
        }
        let timed = (sudden + entries).map { frame, change, manner in
            let delay = latencies.map { $0[change.address.node].latencyFrames(of: change) }
            let parameter = pipeline.parameter(at: change.address)
            return (
                frame: frame + (delay ?? 0), change: change, fade: Fade(manner, of: parameter)
            )
        }
        // The sort need not be stable, so the index decides between equal frames.
        commands = timed.enumerated()
            .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
            .map {
                (
                    $0.element.frame,
                    Command(
                        setting: $0.element.change, $0.element.fade, frame: $0.element.frame)
                )
            }
    }

    /// Sends the changes that are due before a frame; changes that the engine does not accept are
    /// sent with the next block.
    mutating func send(to engine: Engine, before end: Int) {
        while sentCount < commands.count, commands[sentCount].frame < end,
            engine.send(commands[sentCount].command)
        {
            sentCount += 1
        }
    }
}

extension Plan.NodeLatency {
    /// Returns the latency of the input signal at the point where a change acts: a parameter acts
    /// at the node's input, mix and bypass at its output.
    fileprivate func latencyFrames(of change: Pipeline.Change) -> Int {
        switch change.address.target {
        case .parameter: inputLatencyFrames
        case .mix, .bypass: outputLatencyFrames
        }
    }
}
