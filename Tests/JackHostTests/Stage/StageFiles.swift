import Glibc

/// Files for tests of the whole program.
///
/// If the tests run on several cores, most files have a second branch, because a worker has nothing
/// to do in a chain.
enum StageFiles {
    /// Whether the program runs the nodes on several cores.
    static let areOnSeveralCores = getenv("STOMPLINE_TEST_CORES") != nil

    /// Returns a mono pipeline without limiters, so that levels are exact.
    ///
    /// - Parameters:
    ///   - rest: The other keys.
    ///   - inputs: The inputs.
    ///   - heard: The node that the output plays if the nodes end with `branch`; otherwise it plays
    ///     the last one.
    /// - Returns: The text of the file.
    static func pipeline(
        _ rest: String, inputs: String = "\"mic\": {}", heard: String? = nil
    ) -> String {
        let source = heard.map { areOnSeveralCores ? ", \"from\": \"\($0)\"" : "" } ?? ""
        return """
            {
              "version": 1,
              "inputs": { \(inputs) },
              "outputs": { "main": { "limiter": false\(source) } },
              \(rest)
            }
            """
    }

    /// Returns two nodes from an input to no output, which follow the other nodes of a file; an
    /// empty text if the tests run on one core.
    ///
    /// With 64 channels they take the longest time. So the callback begins with them, and a worker
    /// runs the nodes that are heard. No mixer adds the branches: light nodes join a light mixer,
    /// and all of them would be one task.
    static func branch(from input: String = "mic") -> String {
        guard areOnSeveralCores else { return "" }
        return """
            ,
            { "id": "fan", "type": "mixer", "from": ["\(input)"],
              "settings": { "channels": 64 } },
            { "id": "work", "type": "filter", "parameters": { "order": 8 } }
            """
    }

    /// Returns a pipeline of one gain.
    static func level(_ decibels: Double, _ rest: String = "") -> String {
        let gain = decibels == decibels.rounded() ? "\(Int(decibels))" : "\(decibels)"
        let node = "{ \"id\": \"lev\", \"type\": \"gain\", \"parameters\": { \"gain\": \(gain) } }"
        return pipeline("\"nodes\": [\(node)\(branch())]\(rest)", heard: "lev")
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
            \(branch())
          ]
        """, heard: "line")

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
