/// Files for tests of the whole program.
enum StageFiles {
    /// Returns a mono pipeline without limiters, so that levels are exact.
    static func pipeline(_ rest: String, inputs: String = "\"mic\": {}") -> String {
        """
        {
          "version": 1,
          "inputs": { \(inputs) },
          "outputs": { "main": { "limiter": false } },
          \(rest)
        }
        """
    }

    /// Returns a pipeline of one gain.
    static func level(_ decibels: Double, _ rest: String = "") -> String {
        let gain = decibels == decibels.rounded() ? "\(Int(decibels))" : "\(decibels)"
        return pipeline(
            """
            "nodes": [{ "id": "lev", "type": "gain", "parameters": { "gain": \(gain) } }]\(rest)
            """)
    }

    /// The gain in decibels that halves a level.
    static let half = -6.0206

    /// A gain and a delay line of half a second, which would audibly be empty if an edit recreated
    /// it.
    static let line = pipeline(
        """
        "nodes": [
            { "id": "lev", "type": "gain", "parameters": { "gain": 0 } },
            { "id": "line", "type": "delay", "parameters": { "time": 0.5, "feedback": 0 } }
          ]
        """)

    /// A gain with two scenes, which MIDI programs select too.
    static let scenes = level(
        0,
        """
        ,
          "scene": "loud",
          "scenes": { "loud": { "lev.gain": 0 }, "soft": { "lev.gain": \(half) } },
          "midi": [{ "program": 1, "scene": "soft" }, { "program": 0, "scene": "loud" }]
        """)
}
