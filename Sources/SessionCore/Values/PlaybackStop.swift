internal import Engine
internal import Pipelines
internal import Processing

/// The commands that stop everything that nodes play.
struct PlaybackStop {
    /// The time of `fade-all` without a value, in seconds.
    static let usualSeconds = 5.0

    /// The way in which playback stops.
    enum Manner: Equatable {
        /// Players and loopers stop at once, with a short fade against clicks.
        case now
        /// Players fade out over a time in seconds, and then stop. Loopers continue.
        case fade(seconds: Double)
    }

    private let manner: Manner

    init(_ manner: Manner) { self.manner = manner }

    /// Returns the values that stop the nodes of a pipeline, and for players the length of their
    /// fade-out in seconds.
    func changes(in pipeline: Pipeline) -> [(change: Pipeline.Change, fadeSeconds: Float?)] {
        pipeline.nodes.indices.flatMap {
            index -> [(change: Pipeline.Change, fadeSeconds: Float?)] in
            let node = pipeline.nodes[index]
            guard case .effect = node.type else { return [] }
            func change(_ parameter: Int, _ value: Float) -> Pipeline.Change {
                .init(address: .init(node: index, target: .parameter(parameter)), value: value)
            }
            if let playing = node.parameters.firstIndex(where: \.isPlaying) {
                return [(change(playing, 0), fadeSeconds)]
            }
            guard manner == .now, let stop = node.parameters.firstIndex(where: \.isStop) else {
                return []
            }
            return [(change(stop, 1), nil)]
        }
    }

    private var fadeSeconds: Float {
        switch manner {
        case .now: 0
        case .fade(let seconds): Float(seconds)
        }
    }
}

extension ParameterDescription {
    /// Whether the parameter starts and stops a player.
    fileprivate var isPlaying: Bool { name == "playing" && kind == .toggle && isTransport }
    /// Whether the parameter stops a looper.
    fileprivate var isStop: Bool { name == "stop" && isTrigger }
}
