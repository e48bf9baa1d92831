/// Files that evenings are played from.
enum StageFiles {
    /// A mono pipeline without limiters, so that levels are exact.
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

    /// One level.
    static func level(_ decibels: Double, _ rest: String = "") -> String {
        let gain = decibels == decibels.rounded() ? "\(Int(decibels))" : "\(decibels)"
        return pipeline(
            """
            "nodes": [{ "id": "lev", "type": "gain", "parameters": { "gain": \(gain) } }]\(rest)
            """)
    }

    /// Halves a level.
    static let half = -6.0206

    /// A level and a line of half a second behind it, which would be heard to be empty if it were made anew.
    static let line = pipeline(
        """
        "nodes": [
            { "id": "lev", "type": "gain", "parameters": { "gain": 0 } },
            { "id": "line", "type": "delay", "parameters": { "time": 0.5, "feedback": 0 } }
          ]
        """)

    /// A level with two scenes, by program too.
    static let scenes = level(
        0,
        """
        ,
          "scene": "loud",
          "scenes": { "loud": { "lev.gain": 0 }, "soft": { "lev.gain": \(half) } },
          "midi": [{ "program": 1, "scene": "soft" }, { "program": 0, "scene": "loud" }]
        """)
}
