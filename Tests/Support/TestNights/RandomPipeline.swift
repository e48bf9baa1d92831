/// A pipeline of random effects, which can be edited.
struct RandomPipeline {
    /// A node: its id, its type, and the keys of its settings and parameters.
    struct Node {
        var id: String
        var type: String
        var rest: String
    }

    private(set) var nodes: [Node] = []
    private let channels: Int
    private var nextID = 0
    /// The id of the node that fails on request.
    static let fault = "fault"

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
    init(_ random: inout RandomSource) {
        channels = random.pick([1, 2])
        for _ in 0..<Int.random(in: 2...5, using: &random) { insert(&random) }
        let index = Int.random(in: 0...nodes.count, using: &random)
        nodes.insert(Node(id: Self.fault, type: "fault", rest: ""), at: index)
    }

    private mutating func insert(_ random: inout RandomSource) {
        let (type, rest) = random.pick(Self.types)
        let node = Node(id: "n\(nextID)", type: type, rest: rest)
        nextID += 1
        nodes.insert(node, at: Int.random(in: 0...nodes.count, using: &random))
    }

    /// Adds a node that gives way first.
    mutating func addReducible() {
        nodes.append(
            Node(
                id: "reducible", type: "delay",
                rest: ", \"mix\": 0.5, \"when-late\": { \"bypass\": true }"))
    }

    /// Adds, removes, exchanges or replaces a node.
    mutating func edit(_ random: inout RandomSource) {
        let removable = nodes.indices.filter { nodes[$0].id != Self.fault }
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

    /// The text, with two scenes and a binding.
    var text: String {
        let list = nodes.map { "{ \"id\": \"\($0.id)\", \"type\": \"\($0.type)\"\($0.rest) }" }
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
