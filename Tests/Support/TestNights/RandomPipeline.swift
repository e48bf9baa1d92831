/// A pipeline of random effects, which can be edited.
struct RandomPipeline {
    /// A node: its id, its type, and the keys of its settings and parameters.
    struct Node {
        var id: String
        var type: String
        var rest: String
        /// Whether the input feeds the node, not the node before it.
        var beginsBranch = false

        /// The node as in a file.
        var text: String {
            let source = beginsBranch ? ", \"from\": \"in\"" : ""
            return "{ \"id\": \"\(id)\", \"type\": \"\(type)\"\(source)\(rest) }"
        }
    }

    private(set) var nodes: [Node] = []
    private let channels: Int
    private var nextID = 0
    /// The keys of the players after the effects.
    private var players: [String] = []
    private let sounds: NightSounds?
    /// Whether some nodes begin branches, which a mixer adds.
    private let hasBranches: Bool
    /// The id of the mixer that adds the branches.
    static let branches = "branches"
    /// The id of the node that fails on request.
    static let fault = "fault"
    /// The id of the node that gives way first.
    static let reducible = "reducible"

    private static let types: [(type: String, rest: String)] = [
        ("gain", ""), ("gain", ", \"when-late\": { \"bypass\": true }"),
        ("filter", ", \"parameters\": { \"shape\": \"lowpass\", \"frequency\": 900 }"),
        ("filter", ", \"parameters\": { \"shape\": \"peak\", \"frequency\": 2000, \"gain\": 9 }"),
        ("delay", ", \"parameters\": { \"time\": 0.05, \"feedback\": 0.6 }, \"mix\": 0.4"),
        ("delay", ", \"parameters\": { \"beats\": 0.25, \"feedback\": 0.3 }, \"mix\": 0.3"),
        ("delay", ", \"when-late\": { \"bypass\": true, \"rank\": 2 }"),
        ("frequency-shift", ", \"parameters\": { \"shift\": 30, \"feedback\": 0.4 }"),
        ("pitch-shift", ", \"parameters\": { \"semitones\": 5 }"),
        ("pitch-shift", ", \"when-late\": { \"settings\": { \"quality\": \"fast\" } }"),
        (
            "pitch-shift",
            ", \"settings\": { \"quality\": \"fast\" }, \"parameters\": { \"semitones\": -3 }"
        ),
        (
            "pitch-shift",
            ", \"settings\": { \"mode\": \"voice\" }, \"parameters\": { \"semitones\": 4 }"
        ),
        ("time-stretch", ", \"settings\": { \"buffer\": 1 }, \"parameters\": { \"rate\": 0.7 }"),
        ("tune", ""), ("freeze", ", \"parameters\": { \"shimmer\": 0.3 }"),
        ("feedback-guard", ", \"parameters\": { \"sensitivity\": 1 }"), ("meter", ""),
        ("tuner", ""),
    ]

    /// Creates a pipeline of two to five effects, and one that can fail.
    ///
    /// - Parameters:
    ///   - random: The source of all choices.
    ///   - sounds: The files of a looper, which is one of the effects, and of one or two players,
    ///     which follow; `nil` for none of them.
    ///   - hasBranches: Whether the effects are in several branches, which cores can share;
    ///     otherwise they are a chain.
    init(_ random: inout RandomSource, sounds: NightSounds? = nil, hasBranches: Bool = false) {
        self.sounds = sounds
        self.hasBranches = hasBranches
        channels = random.pick([1, 2])
        for _ in 0..<Int.random(in: 2...5, using: &random) { insert(&random) }
        let index = Int.random(in: 0...nodes.count, using: &random)
        nodes.insert(Node(id: Self.fault, type: "fault", rest: ""), at: index)
        if let sounds {
            nodes.insert(
                Node(id: "looper", type: "looper", rest: sounds.looper),
                at: Int.random(in: 0...nodes.count, using: &random))
        }
        if hasBranches {
            nodes[Int.random(in: 1..<nodes.count, using: &random)].beginsBranch = true
        }
        guard let sounds else { return }
        players = (0..<random.pick([1, 2])).map { _ in sounds.player(&random) }
    }

    private mutating func insert(_ random: inout RandomSource) {
        let (type, rest) = random.pick(Self.types)
        var node = Node(id: "n\(nextID)", type: type, rest: rest)
        // A chain draws no number, so that its seed always gives the same pipeline.
        if hasBranches { node.beginsBranch = random.once(in: 3) }
        nextID += 1
        nodes.insert(node, at: Int.random(in: 0...nodes.count, using: &random))
    }

    /// Kinds that random nights do not contain.
    private static let otherTypes: [(type: String, rest: String)] = [
        (
            "frequency-shift",
            ", \"settings\": { \"band\": \"fold\" }, \"parameters\": { \"shift\": -80.5 }"
        ),
        (
            "pitch-shift",
            ", \"settings\": { \"quality\": \"high\", \"formants\": \"preserve\" }, "
                + "\"parameters\": { \"semitones\": -3 }"
        ),
        (
            "pitch-shift",
            ", \"settings\": { \"quality\": \"fast\", \"formants\": \"preserve\" }, "
                + "\"parameters\": { \"semitones\": 7.3 }"
        ),
        (
            "pitch-shift",
            ", \"settings\": { \"mode\": \"voice\" }, "
                + "\"parameters\": { \"semitones\": -7, \"formant-semitones\": 4 }"
        ),
        ("time-stretch", ", \"settings\": { \"buffer\": 1 }"),
        (
            "time-stretch",
            ", \"settings\": { \"buffer\": 1 }, \"parameters\": { \"semitones\": 12 }"
        ),
        (
            "time-stretch",
            ", \"settings\": { \"buffer\": 1 }, "
                + "\"parameters\": { \"rate\": 0.9, \"semitones\": -5.3 }"
        ),
        ("harmony", ""),
    ]

    /// An action of an effect: the time, and the parameter that moves or is switched on.
    struct Action {
        let seconds: Double
        let parameter: String
        /// The new value; `nil` if the parameter is switched on.
        let value: Double?

        init(_ seconds: Double, _ parameter: String, to value: Double? = nil) {
            (self.seconds, self.parameter, self.value) = (seconds, parameter, value)
        }
    }

    /// Kinds that keep the sound of their first seconds.
    private static let keepingTypes: [(type: String, rest: String, actions: [Action])] = [
        (
            "looper", ", \"settings\": { \"maximum\": 2 }",
            [
                Action(0.1, "record"), Action(0.9, "play"), Action(2, "overdub"),
                Action(2.9, "play"), Action(5, "undo"),
            ]
        ),
        (
            "looper", ", \"settings\": { \"maximum\": 3 }",
            [
                Action(0.1, "record"), Action(0.6, "play"), Action(0.7, "multiply"),
                Action(1.8, "play"), Action(2.5, "insert"), Action(3.5, "play"),
            ]
        ),
        (
            "looper", ", \"settings\": { \"maximum\": 3, \"quantize\": \"beat\" }",
            [
                Action(0.1, "record"), Action(1.2, "play"), Action(1.4, "reverse"),
                Action(2.2, "overdub"), Action(3.3, "play"), Action(4.1, "stop"),
                Action(4.6, "play"),
            ]
        ),
        (
            "freeze", ", \"parameters\": { \"shimmer\": 0.3 }",
            [Action(0.5, "hold"), Action(1, "add"), Action(3, "add")]
        ),
        // Frozen in the buffer, frozen in a loop, and two loops.
        (
            "time-stretch", ", \"settings\": { \"buffer\": 10 }",
            [Action(0.4, "rate", to: 0)]
        ),
        (
            "time-stretch", ", \"settings\": { \"buffer\": 1, \"when-full\": \"loop\" }",
            [Action(0.2, "rate", to: 0)]
        ),
        (
            "time-stretch",
            ", \"settings\": { \"buffer\": 1, \"when-full\": \"loop\" }, "
                + "\"parameters\": { \"semitones\": 3 }",
            [Action(0.2, "rate", to: 0), Action(1.4, "rate", to: 0.7)]
        ),
        (
            "time-stretch",
            ", \"settings\": { \"buffer\": 1.1, \"when-full\": \"loop\" }",
            [Action(0.1, "rate", to: 0), Action(1.4, "rate", to: 1)]
        ),
    ]

    /// The types and the keys of all kinds.
    private static var allTypes: [(type: String, rest: String)] {
        types + otherTypes + keepingTypes.map { ($0.type, $0.rest) }
    }

    /// Creates a pipeline of one effect, given by its index in the list of kinds.
    init(kind: Int) {
        (sounds, channels, hasBranches) = (nil, 1, false)
        let (type, rest) = Self.allTypes[kind]
        nodes = [Node(id: "n0", type: type, rest: rest)]
    }

    /// The kinds of effects: their types and the keys that differ from the defaults.
    static var kinds: [String] { allTypes.map { $0.type + $0.rest } }

    /// The actions of a kind.
    static func actions(kind: Int) -> [Action] {
        let index = kind - types.count - otherTypes.count
        return keepingTypes.indices.contains(index) ? keepingTypes[index].actions : []
    }

    /// The types of effects that note the part of their state that does not fade.
    static let notingTypes: Set<String> = [
        "feedback-guard", "freeze", "frequency-shift", "harmony", "looper", "pitch-shift",
        "time-stretch", "tune",
    ]

    /// Whether the effect of a kind notes its state.
    static func notesState(kind: Int) -> Bool {
        notingTypes.contains(allTypes[kind].type)
    }

    /// Adds a node that gives way first, and that no edit removes.
    mutating func addReducible() {
        nodes.append(
            Node(
                id: Self.reducible, type: "delay",
                rest: ", \"mix\": 0.5, \"when-late\": { \"bypass\": true }"))
    }

    /// Adds, removes, exchanges or replaces a node.
    mutating func edit(_ random: inout RandomSource) {
        if sounds != nil, random.once(in: 3) { return editPlayer(&random) }
        let removable = nodes.indices.filter {
            nodes[$0].id != Self.fault && nodes[$0].id != Self.reducible
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where removable.count > 1: nodes.remove(at: random.pick(removable))
        case 1 where nodes.count > 1:
            nodes.swapAt(
                Int.random(in: 0..<nodes.count, using: &random),
                Int.random(in: 0..<nodes.count, using: &random))
        case 2 where !removable.isEmpty:
            let (type, rest) = random.pick(Self.types)
            let index = random.pick(removable)
            (nodes[index].type, nodes[index].rest) = (type, rest)
        default: insert(&random)
        }
    }

    /// Changes the list of a player, or replaces, adds or removes a player.
    private mutating func editPlayer(_ random: inout RandomSource) {
        guard let sounds, let index = players.indices.randomElement(using: &random) else {
            if let sounds { players.append(sounds.player(&random)) }
            return
        }
        if let start = players[index].firstRange(of: "\"files\": ["),
            let end = players[index][start.upperBound...].firstRange(of: "]"), random.once(in: 2)
        {
            players[index].replaceSubrange(
                start.lowerBound..<end.upperBound, with: sounds.list(&random))
        } else if players.count < 3, random.once(in: 3) {
            players.append(sounds.player(&random))
        } else if random.once(in: 4) {
            players.remove(at: index)
        } else {
            players[index] = sounds.player(&random)
        }
    }

    /// The ids of the last nodes of all branches.
    private var branchEnds: [String] {
        nodes.indices.filter { $0 + 1 == nodes.count || nodes[$0 + 1].beginsBranch }
            .map { nodes[$0].id }
    }

    /// The mixer that adds the branches, as a node; none for a chain.
    private var branchNodes: [String] {
        let ends = branchEnds
        guard ends.count > 1 else { return [] }
        let signals = ends.map { "\"\($0)\"" }.joined(separator: ", ")
        return [
            "{ \"id\": \"\(Self.branches)\", \"type\": \"mixer\", \"from\": [\(signals)] }"
        ]
    }

    /// The players and the mixer that adds them to the effects, as nodes.
    private var playerNodes: [String] {
        let ends = branchEnds
        guard !players.isEmpty, let end = ends.count > 1 ? Self.branches : ends.first else {
            return []
        }
        let ids = players.indices.map { "p\($0)" }
        let signals = ([end] + ids).map { "\"\($0)\"" }.joined(separator: ", ")
        let mixer =
            "{ \"id\": \"blend\", \"type\": \"mixer\", \"settings\": { \"channels\": 2 }, "
            + "\"from\": [\(signals)] }"
        return zip(ids, players).map {
            "{ \"id\": \"\($0)\", \"type\": \"player\", \($1) }"
        } + [mixer]
    }

    /// The text, with two scenes and a binding.
    var text: String {
        let list = nodes.map(\.text) + branchNodes + playerNodes
        let movable = nodes.first { $0.type == "delay" }?.id
        let scenes = movable.map {
            ", \"scenes\": { \"a\": { \"\($0).mix\": 0.8, \"\(nodes[0].id).bypass\": false }, "
                + "\"b\": { \"\($0).mix\": 0.1, \"\(nodes[0].id).bypass\": true } }, "
                + "\"midi\": [{ \"cc\": 7, \"to\": \"\($0).mix\" }]"
        }
        return """
            { "version": 1, "inputs": { "in": { "channels": \(channels) } },
              "outputs": { "main": { "channels": 2 } }, "tempo": 100, "tail": 1,
              "nodes": [\(list.joined(separator: ", "))]\(scenes ?? "") }
            """
    }
}
