import Glibc
import SessionCore

// Changes of values: parameters, bypass, mix, scenes.

extension Kind {
    static let parameters = [
        Kind(name: "parameter: gain") { dice in
            Change("a.gain", dice.two(-24...0), .level) { Text.chain(Text.gain("a", $0)) }
        },
        Kind(name: "parameter: filter frequency") { dice in
            let (one, two) = dice.two(5...40)
            var change = Change("a.frequency", (100 * one, 100 * two), .parameter) {
                Text.chain(Text.lowpass("a", $0))
            }
            // The value glides, so this is not a crossfade.
            change.marginDecibels = 12
            return change
        },
        Kind(name: "parameter: filter shape") { dice in
            let shapes = ["lowpass", "highpass", "bandpass", "notch"].shuffled(using: &dice)
            func text(_ shape: String) -> String {
                Text.chain(Text.node("a", "filter", "\"shape\": \"\(shape)\", \"frequency\": 900"))
            }
            var change = Change(
                text(shapes[0]), after: text(shapes[1]), .set([("a.shape", .text(shapes[1]))]),
                .choice)
            // The new shape starts with an empty state.
            change.overlaps = true
            return change
        },
        Kind(name: "parameter: delay time") { dice in
            let (one, two) = dice.two(20...200)
            var change = Change("a.time", (one / 1000, two / 1000), .choice) {
                Text.chain(Text.echo("a", seconds: $0))
            }
            // The previous echoes continue.
            change.overlaps = true
            return change
        },
        Kind(name: "parameter: delay feedback") { dice in
            let (one, two) = dice.two(0...80)
            var change = Change("a.feedback", (one / 100, two / 100), .parameter) {
                Text.chain(Text.echo("a", seconds: 0.03, feedback: $0))
            }
            change.overlaps = true
            return change
        },
        Kind(name: "parameter: mute, invert") { dice in
            let name = ["mute", "invert"].randomElement(using: &dice) ?? "mute"
            let isOn = Bool.random(using: &dice)
            func text(_ isOn: Bool) -> String {
                Text.chain(Text.node("a", "gain", "\"\(name)\": \(isOn)"))
            }
            return Change(
                text(!isOn), after: text(isOn), .set([("a.\(name)", .toggle(isOn))]), .level)
        },
        Kind(name: "parameter: mixer") { dice in
            let (one, two) = dice.two(-24...0)
            return Change("m.a.gain", (one, two), .level) {
                """
                \(Text.head), "nodes": [
                    \(Text.gain("a", 0)), \(Text.lowpass("b", 900, more: ", \"from\": \"in\"")),
                    { "id": "m", "type": "mixer", "from": ["a", "b"], "settings": { "channels": 1 },
                      "parameters": { "a.gain": \($0) } } ]
                """
            }
        },
        pitch("music"), pitch("voice"),
    ]

    private static func pitch(_ mode: String) -> Kind {
        Kind(name: "parameter: pitch (\(mode))") { dice in
            let (one, two) = dice.two(-5...5)
            var change = Change("a.semitones", (one, two), .parameter) {
                Text.chain(Text.shift("a", $0, mode: mode))
            }
            change.ratios = (exp2(one / 12), exp2(two / 12))
            // The value glides, so this is not a crossfade: during the glide the partials of a
            // sound add up differently.
            change.maximumStepPercent = 140
            change.marginDecibels = 12
            return change
        }
    }

    /// Creates a change of a plugin's control, which moves in one step per block.
    init(_ move: PluginMove, blockFrames: Int) {
        self.init(name: "plugin: \(move.label)") { dice in
            let values = dice.two(0...100)
            let law = Law(shape: .stairs(blockFrames), seconds: 0.02)
            var change = Change(
                "a.\(move.parameter)", (move.value(values.0), move.value(values.1)), law
            ) {
                Text.chain(
                    Text.node(
                        "a", "lv2", "\"\(move.parameter)\": \($0)",
                        more: ", \"uri\": \"\(move.plugin)\""))
            }
            // The steps of a gain in dB grow with the level.
            change.maximumStepPercent = 250
            change.marginDecibels = 12
            return change
        }
    }

    /// Returns the bypass of a plugin, of a plugin that fades in itself, and of an isolated plugin.
    static func bypasses(of plugins: [PluginMove], isolates: Bool) -> [Kind] {
        let one = plugins.first { !$0.fadesInByItself }
        let other = plugins.first { $0.fadesInByItself }
        return [
            one.map { bypass("bypass: plugin", $0) },
            other.map { bypass("bypass: plugin that fades as well", $0, marginDecibels: 18) },
            isolates
                ? one.map { bypass("bypass: plugin by itself", $0, ", \"isolate\": true") } : nil,
        ].compactMap { $0 }
    }

    private static func bypass(
        _ name: String, _ move: PluginMove, _ more: String = "", marginDecibels: Double = 6
    ) -> Kind {
        switched(name, marginDecibels: marginDecibels) {
            Text.node(
                "a", "lv2", "\"\(move.parameter)\": \(move.value(50))",
                more: ", \"uri\": \"\(move.plugin)\"\(more)\($0)")
        }
    }

    static let values = [
        switched("bypass: filter") { Text.lowpass("a", 600, more: $0) },
        switched("bypass: delay") { Text.echo("a", seconds: 0.09, more: $0) },
        switched("bypass: pitch", ratio: exp2(3 / 12.0)) { Text.shift("a", 3, more: $0) },
        Kind(name: "mix") { dice in
            let (one, two) = dice.two(0...10)
            return Change("a.mix", (one / 10, two / 10), .level) {
                Text.chain(Text.echo("a", seconds: 0.07, mix: $0))
            }
        },
        Kind(name: "scene", make: scenes),
    ]

    static let fades = [Kind(name: "fade: scene of 0.5 s, overtaken halfway", make: fade)]

    private static func switched(
        _ name: String, ratio: Double = 1, marginDecibels: Double = 6,
        node: @escaping @Sendable (String) -> String
    ) -> Kind {
        Kind(name: name) { dice in
            let isOn = Bool.random(using: &dice)
            var change = Change(
                Text.chain(node(isOn ? "" : ", \"bypass\": true")),
                after: Text.chain(node(isOn ? ", \"bypass\": true" : "")),
                .set([("a.bypass", .toggle(isOn))]), .level)
            change.ratios = (1, ratio)
            change.marginDecibels = marginDecibels
            return change
        }
    }

    /// Returns a fade to a scene that another scene overtakes after 0.25 s; both end at the same
    /// time and value, so that any discontinuity at the takeover stands out from one even move.
    @Sendable
    private static func fade(_ dice: inout Dice) -> Change {
        let (one, two) = dice.two(-12...0)
        func text(_ scene: String) -> String {
            Text.chain(
                Text.gain("a", -3),
                more: """
                    , "scenes": {
                        "one": { "a.gain": \(one) },
                        "two": { "a.gain": \(two), "over": 0.5 },
                        "three": { "a.gain": \(two), "over": 0.25 }
                    }, "scene": "\(scene)"
                    """)
        }
        var change = Change(
            text("one"), after: text("two"),
            .sequence([("scene", .text("two")), ("scene", .text("three"))], seconds: 0.5),
            Law(shape: .line, seconds: 0.5))
        // The level moves evenly in dB, not in amplitude.
        change.maximumStepPercent = 250
        change.marginDecibels = 12
        return change
    }

    /// Returns a change of gain, frequency, bypass and mix at the same time.
    @Sendable
    private static func scenes(_ dice: inout Dice) -> Change {
        let (one, two) = dice.two(-20...0)
        let (low, high) = dice.two(5...40)
        func text(_ scene: String) -> String {
            Text.chain(
                Text.gain("a", -3), Text.lowpass("b", 1_000), Text.echo("c", seconds: 0.06),
                more: """
                    , "scenes": {
                        "one": { "a.gain": \(one), "b.frequency": \(100 * low), "b.bypass": false, "c.mix": 0.2 },
                        "two": { "a.gain": \(two), "b.frequency": \(100 * high), "b.bypass": true, "c.mix": 0.7 }
                    }, "scene": "\(scene)"
                    """)
        }
        var change = Change(
            text("one"), after: text("two"), .set([("scene", .text("two"))]), .parameter)
        // Each value moves independently.
        change.valueCount = 4
        change.marginDecibels = 12
        change.overlaps = true
        change.singles = [
            ("a.gain", .number(two)), ("b.frequency", .number(100 * high)),
            ("b.bypass", .toggle(true)), ("c.mix", .number(0.7)),
        ]
        return change
    }
}
