internal import Engine
internal import Pipelines

/// Changes for an engine, ordered by frame; each is sent before the block that contains its frame.
struct ChangeScript {
    private let pipeline: Pipeline
    private let latencies: [Plan.NodeLatency]?
    private var commands: [(frame: Int, command: Command)] = []
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
    ///   - levels: The scenes to whose gains the level moves, with their frames at the outputs.
    init(
        for pipeline: Pipeline, _ changes: [TimedChange], sampleRate: Double,
        latencies: [Plan.NodeLatency]?,
        edges: [(frame: Int, change: Pipeline.Change)] = [],
        levels: [(frame: Int, scene: Int)] = []
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
        self.pipeline = pipeline
        self.latencies = latencies
        // The sort need not be stable, so the index decides between equal frames.
        let moves = levels.map(Self.command)
        commands = ((sudden + entries).map(command) + moves).enumerated()
            .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
            .map(\.element)
    }

    /// Returns the command of a change, and its frame.
    private func command(
        _ frame: Int, _ change: Pipeline.Change, _ manner: FadeManner
    ) -> (frame: Int, command: Command) {
        let delay = latencies.map { $0[change.address.node].latencyFrames(of: change) } ?? 0
        let fade = Fade(manner, of: pipeline.parameter(at: change.address))
        return (frame + delay, Command(setting: change, fade, frame: frame + delay))
    }

    /// Returns the command that moves the level to the gain of a scene, and its frame.
    private static func command(
        _ move: (frame: Int, scene: Int)
    ) -> (frame: Int, command: Command) {
        (
            move.frame,
            .sceneLevel(Int32(clamping: move.scene), frame: UInt64(clamping: move.frame))
        )
    }

    /// Adds a move of the level to the gain of a scene, behind all changes of the same frame.
    mutating func addLevel(ofScene scene: Int, atFrame frame: Int) {
        insert(Self.command((frame, scene)))
    }

    /// Adds the changes of a scene that follows another one at a frame, behind all changes of the
    /// same frame.
    mutating func add(_ changes: [TimedChange], atFrame frame: Int) {
        for change in changes {
            insert(command(frame, change.change, change.manner))
        }
    }

    private mutating func insert(_ added: (frame: Int, command: Command)) {
        let index = commands[sentCount...].firstIndex { $0.frame > added.frame }
        commands.insert(added, at: index ?? commands.endIndex)
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
