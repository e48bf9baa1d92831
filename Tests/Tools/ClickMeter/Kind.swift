/// A kind of change as a musician would name it, and how to draw one at random.
struct Kind: Sendable {
    let name: String
    let make: @Sendable (inout Dice) -> Change

    /// Returns all kinds in table order; kinds with plugins only if the plugins are installed.
    ///
    /// The place in the list seeds the random numbers of a kind, so new kinds belong at the end.
    ///
    /// With `isolates`, plugins are also bypassed in isolated processes.
    static func all(plugins: [PluginMove], blockFrames: Int, isolates: Bool) -> [Kind] {
        parameters + builtAnew + plugins.map { Kind($0, blockFrames: blockFrames) } + values
            + bypasses(of: plugins, isolates: isolates)
            + storms + reloads + songs + night + loops + fades + sceneSettings + outerSongs
    }
}

/// Random numbers that repeat for the same seed.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    /// Returns two different whole numbers.
    mutating func two(_ range: ClosedRange<Int>) -> (Double, Double) {
        let one = Int.random(in: range, using: &self)
        var two = one
        while two == one { two = Int.random(in: range, using: &self) }
        return (Double(one), Double(two))
    }
}

/// The text of pipelines.
enum Text {
    static let head =
        "\"inputs\": { \"in\": { \"channels\": 1 } }, \"outputs\": { \"out\": { \"channels\": 1 } }"

    /// Returns nodes in series.
    static func chain(_ nodes: String..., more: String = "") -> String {
        "\(head), \"nodes\": [ \(nodes.joined(separator: ", ")) ]\(more)"
    }

    static func gain(_ id: String, _ decibels: Double) -> String {
        node(id, "gain", "\"gain\": \(decibels)")
    }

    static func lowpass(_ id: String, _ hertz: Double, more: String = "") -> String {
        node(id, "filter", "\"shape\": \"lowpass\", \"frequency\": \(hertz)", more: more)
    }

    static func echo(
        _ id: String, seconds: Double, feedback: Double = 0.3, mix: Double = 0.5, more: String = ""
    ) -> String {
        node(
            id, "delay", "\"time\": \(seconds), \"feedback\": \(feedback)",
            more: ", \"mix\": \(mix)\(more)")
    }

    static func shift(_ id: String, _ semitones: Double, mode: String = "music", more: String = "")
        -> String
    {
        node(
            id, "pitch-shift", "\"semitones\": \(semitones)",
            more: ", \"settings\": { \"mode\": \"\(mode)\" }\(more)")
    }

    static func node(_ id: String, _ type: String, _ parameters: String, more: String = "")
        -> String
    {
        "{ \"id\": \"\(id)\", \"type\": \"\(type)\", \"parameters\": { \(parameters) }\(more) }"
    }
}
