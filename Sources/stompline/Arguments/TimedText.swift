internal import ArgumentParser
internal import OfflineHost
internal import Pipelines

/// The text before `@SECONDS` in an argument, and the seconds.
struct TimedText {
    let text: String
    /// The time; 0, at load, if the argument has none.
    let seconds: Double

    /// Splits an argument.
    ///
    /// - Throws: `Failure` if the text after the last `@` is not a time.
    init(_ argument: String, option: String) throws {
        guard let at = argument.lastIndex(of: "@") else {
            (text, seconds) = (argument, 0)
            return
        }
        let time = argument[argument.index(after: at)...]
        guard let seconds = Double(time), seconds >= 0, seconds <= Limits.longestSeconds else {
            throw Failure.usage(
                "\(option) '\(argument)': '\(time)' is not a time in seconds; an example is '@1.5'")
        }
        (text, self.seconds) = (String(argument[..<at]), seconds)
    }
}

/// The options that change values of a pipeline while it plays offline.
struct ChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Change a value, now or at a time; repeatable.",
            discussion: "Examples: --set cut.frequency=200@2.5, --set verb.bypass=true.",
            valueName: "address=value[@seconds]"))
    var set: [String] = []

    @Option(
        help: ArgumentHelp(
            "Switch to a scene, at a time or at the start; repeatable.",
            valueName: "name[@seconds]"))
    var scene: [String] = []

    /// Returns the changes for a pipeline: at the same time, scenes come before single values.
    ///
    /// - Throws: `Failure` if an address, a value, a scene or a time is wrong.
    func changes(of pipeline: Pipeline) throws -> [TimedChange] {
        try scenes(of: pipeline).flatMap {
            pipeline.changes(ofScene: pipeline.scenes[$0.scene], atSeconds: $0.seconds)
        }
            + set.map { try change($0, of: pipeline) }
    }

    /// Returns the settings that the scenes change.
    ///
    /// - Throws: `Failure` if a scene or a time is wrong.
    func settings(of pipeline: Pipeline) throws -> [TimedSettings] {
        try scenes(of: pipeline).map {
            pipeline.settings(ofScene: pipeline.scenes[$0.scene], atSeconds: $0.seconds)
        }
    }

    /// Returns the scenes and their times.
    ///
    /// - Throws: `Failure` if a scene or a time is wrong.
    func scenes(of pipeline: Pipeline) throws -> [TimedScene] {
        try scene.map { try timedScene($0, of: pipeline) }
    }

    private func timedScene(
        _ argument: String, of pipeline: Pipeline
    ) throws -> TimedScene {
        // The name of a scene may contain an @.
        if let scene = pipeline.scenes.firstIndex(where: { $0.name == argument }) {
            return TimedScene(scene)
        }
        let timed = try TimedText(argument, option: "--scene")
        guard let scene = pipeline.scenes.firstIndex(where: { $0.name == timed.text }) else {
            let names = pipeline.scenes.map { "'\($0.name)'" }.joined(separator: ", ")
            let known = names.isEmpty ? "it has none" : "available are \(names)"
            throw Failure.usage("--scene: the pipeline has no scene '\(timed.text)': \(known)")
        }
        return TimedScene(scene, atSeconds: timed.seconds)
    }

    private func change(_ argument: String, of pipeline: Pipeline) throws -> TimedChange {
        let timed = try TimedText(argument, option: "--set")
        guard let equals = timed.text.firstIndex(of: "=") else {
            throw Failure.usage(
                "--set '\(argument)' has no '='; an example is 'cut.frequency=200@2.5'")
        }
        let address = String(timed.text[..<equals])
        let value = String(timed.text[timed.text.index(after: equals)...])
        switch pipeline.change(address: address, value: value) {
        case .success(let change): return TimedChange(change, atSeconds: timed.seconds)
        case .failure(let error):
            let hint = error.suggestion.map { " (did you mean \($0)?)" } ?? ""
            throw Failure.usage("--set '\(argument)': \(error.message)\(hint)")
        }
    }
}
