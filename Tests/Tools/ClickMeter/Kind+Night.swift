import SessionCore

// Changes of the master section, which belongs to no song.

extension Kind {
    private static let text = Text.chain(Text.gain("a", -3))

    static let night = [
        night("start", after: text, .start, .start),
        Kind(name: "start: with a tail") { _ in
            let echo = Text.chain(Text.echo("a", seconds: 0.11, feedback: 0.5))
            var change = Change(echo, after: echo, .start, .start)
            // The echoes start later than in a sound that was active from the beginning.
            change.overlaps = true
            change.maximumStepPercent = 110
            return change
        },
        night("stop", after: nil, .stop, .stop),
        night("mute", after: nil, .set([("mute", .toggle(true))]), .level),
        Kind(name: "master gain") { dice in
            let decibels = Double(Int.random(in: -30...(-1), using: &dice))
            return Change(
                text, after: Text.chain(Text.gain("a", -3 + decibels)),
                .set([("gain", .number(decibels))]), .level)
        },
        Kind(name: "panic") { _ in
            var change = Change(text, after: text, .set([("panic", nil)]), .silence)
            change.dips = true
            return change
        },
        Kind(name: "panic: with a tail") { _ in
            let echo = Text.chain(Text.echo("a", seconds: 0.06, feedback: 0.6))
            var change = Change(echo, after: echo, .set([("panic", nil)]), .silence)
            change.dips = true
            change.overlaps = true
            change.maximumStepPercent = 110
            return change
        },
    ]

    private static func night(
        _ name: String, after: String?, _ way: Change.Way, _ law: Law
    ) -> Kind {
        Kind(name: name) { _ in Change(text, after: after, way, law) }
    }
}
