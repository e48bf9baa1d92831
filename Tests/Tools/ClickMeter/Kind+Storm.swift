import Glibc
import SessionCore

// Values of effects that rebuild their sound, and many changes at once.

extension Kind {
    static let builtAnew = [
        Kind(name: "parameter: stretch, rate") { dice in
            let (one, two) = dice.two(5...10)
            var change = Change("a.rate", (one / 10, two / 10), .parameter) {
                Text.chain(Text.node("a", "time-stretch", "\"rate\": \($0)"))
            }
            change.overlaps = true
            // The sound during the change matches neither sound's position in time.
            change.maximumStepPercent = 300
            change.marginDecibels = 12
            return change
        },
        Kind(name: "parameter: frequency shift") { dice in
            // A sine stays within its own band.
            let values = dice.two(-60...60)
            var change = Change("a.shift", values, .parameter) {
                Text.chain(Text.node("a", "frequency-shift", "\"shift\": \($0)"))
            }
            // The value glides, so this is not a crossfade.
            change.maximumStepPercent = 140
            change.marginDecibels = 12
            return change
        },
        Kind(name: "parameter: stretch, pitch") { dice in
            let (one, two) = dice.two(-5...5)
            var change = Change("a.semitones", (one, two), .parameter) {
                Text.chain(Text.node("a", "time-stretch", "\"semitones\": \($0)"))
            }
            change.ratios = (exp2(one / 12), exp2(two / 12))
            change.maximumStepPercent = 140
            change.marginDecibels = 12
            return change
        },
    ]

    static let storms = [Kind(name: "storm: 20 values in 50 ms", make: storm)]

    /// Returns five values that move back and forth; each reaches its final value.
    @Sendable
    private static func storm(_ dice: inout Dice) -> Change {
        let (one, two) = dice.two(-20...0)
        let (low, high) = dice.two(5...40)
        let values: [(address: String, old: Value, new: Value)] = [
            ("a.gain", .number(one), .number(two)),
            ("b.frequency", .number(100 * low), .number(100 * high)),
            ("b.bypass", .toggle(false), .toggle(true)),
            ("c.mix", .number(0.2), .number(0.7)),
            ("c.feedback", .number(0.1), .number(0.5)),
        ]
        let order = (0..<4).flatMap { _ in values.indices.shuffled(using: &dice) }
        let moves = order.enumerated().map { place, which in
            // The last five changes set the final values.
            let stays = place >= 15 || Bool.random(using: &dice)
            return (values[which].address, stays ? values[which].new : values[which].old)
        }
        var change = Change(
            Text.chain(
                Text.gain("a", one), Text.lowpass("b", 100 * low),
                Text.echo("c", seconds: 0.06, feedback: 0.1, mix: 0.2)),
            after: Text.chain(
                Text.gain("a", two), Text.lowpass("b", 100 * high, more: ", \"bypass\": true"),
                Text.echo("c", seconds: 0.06, feedback: 0.5, mix: 0.7)),
            .storm(moves), .parameter)
        change.valueCount = values.count
        change.marginDecibels = 12
        change.overlaps = true
        change.singles = values.map { ($0.address, $0.new) }
        return change
    }
}
