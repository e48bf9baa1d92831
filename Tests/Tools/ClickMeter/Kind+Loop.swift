import SessionCore

// Changes of a loop. Delays by its length have the same sound: each pass plays the input of the pass
// before.

extension Kind {
    /// 1.5 s at 48 kHz: a multiple of 64 frames that is exact in seconds too.
    private static let loopFrames = 72_000
    private static let sampleRate = 48_000.0
    /// The part of a pass before a change: longer than the measured lead, and short enough that the
    /// pass does not end within the measured time.
    private static let passFrames = 9_216
    /// The length of the looper's transitions.
    private static let fadeFrames = 240

    private static let looper = Text.chain(
        Text.node(
            "loop", "looper", "\"dry\": -120",
            more: ", \"settings\": { \"maximum\": 5, \"latency\": 0 }"))

    static let loops = [
        Kind(name: "looper: seam") { _ in
            var change = loop(
                from: Text.chain(delay("a", passes: 1)), to: Text.chain(delay("a", passes: 2)), [])
            // The last frames of a pass fade into those before the start of the recording.
            change.earlyFrames = fadeFrames
            change.preparation = [(2 * loopFrames, "loop.record"), (loopFrames, "loop.record")]
            return change
        },
        Kind(name: "looper: undo") { _ in
            var change = loop(
                from: overdubbed, to: Text.chain(delay("b", passes: 2)),
                [("loop.undo", .toggle(true))])
            change.preparation = [
                (2 * loopFrames + passFrames, "loop.record"),
                (loopFrames + passFrames, "loop.overdub"), (passFrames, "loop.overdub"),
            ]
            return change
        },
        Kind(name: "looper: stop") { _ in
            var change = loop(
                from: Text.chain(delay("a", passes: 1)), to: nil,
                [("loop.stop", .toggle(true))])
            change.preparation = [
                (loopFrames + passFrames, "loop.record"), (passFrames, "loop.record"),
            ]
            return change
        },
    ]

    /// A loop in its third pass, with an overdub of the second one.
    private static let overdubbed = Text.chain(
        delay("a", passes: 1), delay("b", passes: 2, from: ", \"from\": \"in\""),
        "{ \"id\": \"sum\", \"type\": \"mixer\", \"from\": [\"a\", \"b\"] }")

    /// Returns a change of a looper that sounds like one pipeline before and like another after.
    private static func loop(
        from before: String, to after: String?, _ values: [(String, Value?)]
    ) -> Change {
        var change = Change(before, after: after, .set(values), .loop)
        change.stage = looper
        // Two passes, and the time in which the sound begins.
        change.preparationFrames = 120_000
        return change
    }

    private static func delay(_ id: String, passes: Int, from: String = "") -> String {
        let seconds = Double(passes * loopFrames) / sampleRate
        return Text.node(id, "delay", "\"time\": \(seconds), \"feedback\": 0", more: from)
    }
}
