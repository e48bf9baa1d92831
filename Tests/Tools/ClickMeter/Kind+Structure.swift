import Glibc
import SessionCore

// Changes of structure: edited files, songs, block sizes.

extension Kind {
    static let reloads = [
        Kind(name: "reload: a value") { dice in
            let (one, two) = dice.two(-24...0)
            var change = Change(
                Text.chain(Text.gain("a", one)), editedTo: Text.chain(Text.gain("a", two)))
            change.law = .parameter
            return change
        },
        Kind(name: "reload: node inserted") { dice in
            let node = nodes.randomElement(using: &dice) ?? ""
            return Change(
                Text.chain(Text.gain("a", -3), Text.gain("z", 0)),
                editedTo: Text.chain(Text.gain("a", -3), node, Text.gain("z", 0)), overlaps: true)
        },
        Kind(name: "reload: node removed") { dice in
            let node = nodes.randomElement(using: &dice) ?? ""
            return Change(
                Text.chain(Text.gain("a", -3), node, Text.gain("z", 0)),
                editedTo: Text.chain(Text.gain("a", -3), Text.gain("z", 0)), overlaps: true)
        },
        Kind(name: "reload: node replaced") { dice in
            let two = nodes.shuffled(using: &dice)
            return Change(
                Text.chain(two[0].replacing("\"n\"", with: "\"one\"")),
                editedTo: Text.chain(two[1].replacing("\"n\"", with: "\"two\"")), overlaps: true)
        },
        Kind(name: "reload: nodes swapped") { dice in
            let node = nodes.randomElement(using: &dice) ?? ""
            let gain = Text.gain("a", Double(Int.random(in: -6...(-1), using: &dice)))
            return Change(
                Text.chain(gain, node), editedTo: Text.chain(node, gain), overlaps: true)
        },
        late("reload: late node inserted") { Change($0, editedTo: $1, overlaps: true) },
        late("reload: late node removed") { Change($1, editedTo: $0, overlaps: true) },
        Kind(name: "reload: tail cut short") { dice in
            let echo = Text.echo("n", seconds: 0.05, feedback: 0.9)
            let tail = ", \"tail\": \(Double(Int.random(in: 1...4, using: &dice)) / 10)"
            return Change(
                Text.chain(Text.gain("a", -6), echo, more: tail),
                editedTo: Text.chain(Text.gain("a", -6), more: tail), overlaps: true)
        },
        Kind(name: "reload: output added") { dice in
            let one = Text.chain(Text.gain("a", -3))
            let outputs =
                "\"outputs\": { \"out\": { \"channels\": 1 }, \"more\": { \"channels\": 1 } }"
            let two = one.replacing(
                "\"outputs\": { \"out\": { \"channels\": 1 } }", with: outputs)
            var change = Change(one, editedTo: two)
            change.slot = Int.random(in: 0...1, using: &dice)
            return change
        },
        Kind(name: "reload: output removed") { dice in
            let one = Text.chain(Text.gain("a", -3))
            let outputs =
                "\"outputs\": { \"out\": { \"channels\": 1 }, \"more\": { \"channels\": 1 } }"
            let two = one.replacing(
                "\"outputs\": { \"out\": { \"channels\": 1 } }", with: outputs)
            var change = Change(two, editedTo: one)
            change.slot = Int.random(in: 0...1, using: &dice)
            return change
        },
    ]

    static let sceneSettings = [
        Kind(name: "scene: a setting") { dice in
            let laws = [0, -3, -4.5, -6].shuffled(using: &dice)
            let more =
                ", \"scenes\": { \"one\": { \"m.pan-law\": \(laws[0]) }, \"two\": { \"m.pan-law\": \(laws[1]) } }"
            func text(_ scene: String) -> String {
                Text.chain(
                    Text.node(
                        "m", "mixer", "",
                        more: ", \"from\": [\"in\"], \"settings\": { \"channels\": 2 }"),
                    Text.node(
                        "e", "delay", "\"time\": 0.08", more: ", \"from\": \"m:1\", \"mix\": 0.5"),
                    more: "\(more), \"scene\": \"\(scene)\"")
            }
            var change = Change(
                text("one"), after: text("two"), .set([("scene", .text("two"))]), .structure)
            change.overlaps = true
            return change
        }
    ]

    /// Returns a kind with another pitch, delayed by 23 ms, in parallel with the unchanged sound.
    private static func late(
        _ name: String, _ make: @escaping @Sendable (String, String) -> Change
    ) -> Kind {
        Kind(name: name) { dice in
            let semitones = Double(Int.random(in: -4...4, using: &dice))
            var change = make(
                Text.chain(Text.gain("a", -3)),
                Text.chain(Text.gain("a", -3), Text.shift("n", semitones)))
            change.ratios = (1, exp2(semitones / 12))
            change.marginDecibels = 12
            return change
        }
    }

    /// Nodes without latency that are added and removed.
    private static let nodes = [
        Text.gain("n", -9), Text.lowpass("n", 700), Text.echo("n", seconds: 0.08),
        Text.echo("n", seconds: 0.05, feedback: 0.6, mix: 1),
    ]

    static let songs = [
        Kind(name: "song: dry to dry") { dice in
            let (one, two) = dice.two(-12...0)
            return song(Text.chain(Text.gain("a", one)), Text.chain(Text.gain("b", two)))
        },
        Kind(name: "song: with a tail") { dice in
            let echo = Text.echo("a", seconds: 0.11, feedback: 0.5)
            let filter = Text.lowpass("b", Double(Int.random(in: 5...40, using: &dice)) * 100)
            return Bool.random(using: &dice)
                ? song(Text.chain(echo), Text.chain(filter))
                : song(Text.chain(filter), Text.chain(echo))
        },
        Kind(name: "format: block length") { dice in
            let frames = [16, 32, 128, 256, 1024].randomElement(using: &dice) ?? 128
            let text = Text.chain(Text.lowpass("a", 900), Text.echo("b", seconds: 0.07))
            var change = Change(text, after: text, .format(frames), .exchange)
            change.overlaps = true
            change.dips = true
            return change
        },
    ]

    /// Changes of songs within nodes of the setlist.
    static let outerSongs = [
        Kind(name: "song: within outer nodes") { dice in
            let (one, two) = dice.two(-12...0)
            var change = song(Text.chain(Text.gain("a", one)), Text.chain(Text.gain("b", two)))
            change.outer = outer
            return change
        },
        Kind(name: "song: with a tail, within outer nodes") { dice in
            let echo = Text.echo("a", seconds: 0.11, feedback: 0.5)
            let filter = Text.lowpass("b", Double(Int.random(in: 5...40, using: &dice)) * 100)
            var change =
                Bool.random(using: &dice)
                ? song(Text.chain(echo), Text.chain(filter))
                : song(Text.chain(filter), Text.chain(echo))
            change.outer = outer
            return change
        },
        // The output is the sound of the setlist's own node, which no song may change.
        Kind(name: "song: echoes around it, of an outer node") { dice in
            let (one, two) = dice.two(-12...0)
            var change = song(Text.chain(Text.gain("a", one)), Text.chain(Text.gain("b", two)))
            change.outer =
                "\"inputs\": { \"in\": {} }, \"after\": [ \(outerEcho(of: "in")) ], \"outputs\": { \"around\": { \"from\": \"echoes\" } },"
            change.slot = 1
            change.overlaps = false
            change.dips = false
            return change
        },
        Kind(name: "song: within echoes of an outer node") { dice in
            let (one, two) = dice.two(-12...0)
            var change = song(Text.chain(Text.gain("a", one)), Text.chain(Text.gain("b", two)))
            change.outer = "\"after\": [ \(outerEcho(of: "out")) ], \"outputs\": { \"out\": {} },"
            return change
        },
    ]

    private static func outerEcho(of source: String) -> String {
        Text.echo(
            "echoes", seconds: 0.11, feedback: 0.5, more: ", \"from\": \"\(source)\"")
    }

    private static let outer =
        "\"after\": [ \(Text.node("tone", "filter", "\"shape\": \"highshelf\", \"frequency\": 3000, \"gain\": -3")) ], \"outputs\": { \"out\": {} },"

    private static func song(_ one: String, _ two: String) -> Change {
        var change = Change(one, after: two, .song(1), .exchange)
        change.before = [one, two]
        change.overlaps = true
        change.dips = true
        return change
    }
}
