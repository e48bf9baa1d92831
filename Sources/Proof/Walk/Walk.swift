public import SessionCore
internal import Pipelines
internal import Processing

/// Everything that `prove` plays of a night, in order.
///
/// It depends only on the songs, so each run of the same files plays the same steps.
public struct Walk: Sendable, Equatable {
    /// The steps, in the order in which they are played.
    public private(set) var steps: [Step] = []

    /// Plans the walk through all songs that can play.
    ///
    /// Each song begins after its predecessor. In a song, all scenes are called in order, then in
    /// reverse order; then each node is bypassed and replaced, and each binding acts. At the end,
    /// the songs begin in reverse order, so that each change between neighbours is played in both
    /// directions. If a binding has `go` or `back`, these changes are made by both of them too.
    ///
    /// What belongs to the setlist, such as its nodes, is examined in the first song only.
    public init(through songs: SongCollection) {
        let playable = songs.songs.indices.filter { songs.songs[$0].isPlayable }
        var isFirst = true
        var jumps: Set<Int> = []
        for index in playable {
            let song = songs.songs[index]
            steps.append(Self.start(of: song, index))
            steps += SongWalk(song, isFirst: isFirst).steps
            let targets = song.jumps.filter {
                $0 != index && playable.contains($0) && jumps.insert($0).inserted
            }
            for target in targets {
                steps.append(Self.start(of: songs.songs[target], target))
                steps.append(Self.start(of: song, index))
            }
            isFirst = false
        }
        let hasCues = playable.contains { songs.songs[$0].stepsThroughCues }
        for (index, next) in zip(playable, playable.dropFirst()).reversed() {
            if hasCues { addCues(between: index, next, songs.songs) }
            steps.append(Self.start(of: songs.songs[index], index))
        }
    }

    /// Leaves a song at its first cue by `back`, and returns to it by `go`.
    private mutating func addCues(between index: Int, _ next: Int, _ songs: [Song]) {
        let scenes = songs[next].pipeline.scenes
        if let first = scenes.first {
            steps.append(
                Step(
                    kind: .scene, deed: .scene(0), title: "begins",
                    place: Place(song: songs[next].name, scene: first.name)))
        }
        steps.append(
            Step(
                kind: .song, deed: .cue(.back, song: index), title: "begins by back",
                place: Place(
                    song: songs[index].name, scene: songs[index].pipeline.scenes.last?.name)))
        steps.append(
            Step(
                kind: .song, deed: .cue(.go, song: next), title: "begins by go",
                place: Place(
                    song: songs[next].name, scene: songs[next].firstScene ?? scenes.first?.name)))
    }

    private static func start(of song: Song, _ index: Int) -> Step {
        Step(
            kind: .song, deed: .song(index), title: "begins",
            place: Place(song: song.name, scene: song.firstScene))
    }
}

extension Song {
    /// The name of the scene that the song begins with.
    var firstScene: String? {
        pipeline.initialScene.map { pipeline.scenes[$0].name }
    }

    /// Whether a binding of the song steps through the cues of the night.
    fileprivate var stepsThroughCues: Bool {
        pipeline.bindings.contains {
            $0.action == .perform(.go) || $0.action == .perform(.back)
        }
    }

    /// The songs that bindings of the song call, by their indices.
    fileprivate var jumps: [Int] {
        pipeline.bindings.compactMap {
            if case .song(let index) = $0.action { index } else { nil }
        }
    }
}

/// The steps within one song.
private struct SongWalk {
    private(set) var steps: [Step] = []
    private let pipeline: Pipeline
    /// The pipeline with the values that the song begins with.
    private let beginning: Pipeline
    private let song: String
    private var scene: String?

    init(_ song: Song, isFirst: Bool) {
        pipeline = song.pipeline
        beginning = song.pipeline.atLoad
        self.song = song.name
        scene = song.firstScene
        addScenes()
        let count = isFirst ? pipeline.nodes.count : pipeline.songNodeCount
        for node in 0..<count where !pipeline.nodes[node].isStandIn { add(node: node) }
        var seen: Set<String> = []
        for binding in pipeline.bindings where seen.insert("\(binding.action)").inserted {
            steps += steps(of: binding.action, isFirst: isFirst)
        }
    }

    private mutating func addScenes() {
        let upwards = Array(pipeline.scenes.indices)
        for index in upwards + upwards.dropLast().reversed() {
            scene = pipeline.scenes[index].name
            steps.append(step(.scene, .scene(index), "begins"))
        }
    }

    private mutating func add(node: Int) {
        let id = pipeline.nodes[node].id
        let bypass = Pipeline.Address(node: node, target: .bypass)
        for isOn in [true, false] {
            steps.append(
                step(
                    .bypass, .set([value(isOn ? 1 : 0, at: .node(bypass))]),
                    isOn ? "bypass on" : "bypass off", node: id))
        }
        steps.append(step(.edit, .replace(node: id), "replaced by an edit", node: id))
        steps.append(step(.undo, .undo, "edit undone", node: id))
    }

    private func steps(of action: Pipeline.Binding.Action, isFirst: Bool) -> [Step] {
        switch action {
        case .move(let movable, let from, let to, _, let mode, _):
            guard examines(movable, isFirst: isFirst) else { return [] }
            let steps = [from, to].map { move(movable, to: $0) }
            guard mode == .absolute || mode == .relative else { return steps + [back(movable)] }
            let values = Self.path(from: from, to: to).map { value($0, at: movable) }
            let sweep = step(
                .binding, .sweep(values), "\(pipeline.text(of: movable)) swept",
                node: node(of: movable))
            return steps + [sweep, back(movable)]
        case .cycle(let movable, let values):
            guard examines(movable, isFirst: isFirst) else { return [] }
            return values.map { move(movable, to: $0) } + [back(movable)]
        case .cue(let cue):
            let parameters = [(cue.itemParameter, Float(cue.item)), (cue.startParameter, 1)]
            let values = parameters.map { parameter, number in
                value(
                    number,
                    at: .node(Pipeline.Address(node: cue.node, target: .parameter(parameter))))
            }
            return [
                step(
                    .binding, .set(values), "item \(cue.item) starts",
                    node: pipeline.nodes[cue.node].id)
            ]
        case .perform(let command): return steps(of: command, isFirst: isFirst)
        // Scenes and songs have their own steps.
        case .scene, .cycleScenes, .song: return []
        }
    }

    private func steps(of command: Pipeline.Binding.Command, isFirst: Bool) -> [Step] {
        switch command {
        case .mute where isFirst:
            [true, false].map { isOn in
                step(
                    .binding, .set([AddressValue("mute", .toggle(isOn))]),
                    isOn ? "mute on" : "mute off")
            }
        case .panic where isFirst: [step(.binding, .perform(.panic), "panic")]
        case .fadeAll: [step(.binding, .perform(.fadeAll), "fade-all")]
        case .stopAll: [step(.binding, .perform(.stopAll), "stop-all")]
        // Songs and scenes have their own steps. Commands that edit files are not played.
        default: []
        }
    }

    /// Returns whether this song examines a value: the first song examines those of the setlist.
    private func examines(_ movable: Pipeline.Binding.Movable, isFirst: Bool) -> Bool {
        guard case .node(let address) = movable else { return isFirst }
        return isFirst || !pipeline.isOuter(node: address.node)
    }

    /// Returns the id of the node of a value; `nil` for a value of the whole session.
    private func node(of movable: Pipeline.Binding.Movable) -> String? {
        if case .node(let address) = movable { pipeline.nodes[address.node].id } else { nil }
    }

    private func move(_ movable: Pipeline.Binding.Movable, to number: Float) -> Step {
        let value = value(number, at: movable)
        return step(.binding, .set([value]), Self.title(value), node: node(of: movable))
    }

    /// Returns the step that restores a value after its bindings have moved it.
    private func back(_ movable: Pipeline.Binding.Movable) -> Step {
        switch movable {
        case .node(let address): move(movable, to: beginning.value(at: address))
        case .master(let master): move(movable, to: master.restingValue(in: pipeline))
        }
    }

    private func value(_ number: Float, at movable: Pipeline.Binding.Movable) -> AddressValue {
        let value: Value =
            switch movable {
            case .node(let address):
                pipeline.value(pipeline.parameter(at: address).nearest(number), at: address)
            case .master(.mute): .toggle(number >= 0.5)
            case .master: .number(number.shortest)
            }
        return AddressValue(pipeline.text(of: movable), value)
    }

    private func step(
        _ kind: Step.Kind, _ deed: Step.Deed, _ title: String, node: String? = nil
    ) -> Step {
        Step(
            kind: kind, deed: deed, title: title,
            place: Place(song: song, scene: scene, node: node))
    }

    private static func title(_ value: AddressValue) -> String {
        "\(value.address) = \(value.value.scalar.typed)"
    }

    /// Returns 33 values from one end to the other and back.
    private static func path(from: Float, to: Float) -> [Float] {
        (0...32).map { from + (to - from) * (1 - abs(Float($0) / 16 - 1)) }
    }
}

extension MasterValue {
    /// Returns the value before a binding moves it.
    fileprivate func restingValue(in pipeline: Pipeline) -> Float {
        switch self {
        case .gain, .mute: 0
        case .tempo: Float(pipeline.tempo)
        }
    }
}

extension Pipeline {
    /// Returns the value of an address in the file.
    fileprivate func value(at address: Address) -> Float {
        switch address.target {
        case .parameter(let index): nodes[address.node].values[index]
        case .bypass: nodes[address.node].isBypassed ? 1 : 0
        case .mix: nodes[address.node].mix
        }
    }
}

extension ParameterDescription {
    /// Returns the value that a control at this position gives.
    fileprivate func nearest(_ number: Float) -> Float {
        switch kind {
        case .continuous: number
        case .integer: number.rounded()
        case .toggle: number >= 0.5 ? 1 : 0
        case .choice(let choices):
            choices.map(\.value).min { abs($0 - number) < abs($1 - number) } ?? number
        }
    }
}
