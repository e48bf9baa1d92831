internal import ArgumentParser
internal import OfflineHost
internal import Pipelines
internal import SessionCore
@testable internal import stompline

extension FuzzTarget {
    /// The command line: arguments separated by a zero byte.
    static let commandLine = FuzzTarget(
        name: "command-line",
        run: { bytes in
            let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            do {
                let command = try Stompline.parseAsRoot(words)
                if let render = command as? RenderCommand { check(render) }
            } catch {
                require(!Stompline.fullMessage(for: error).isEmpty || words.isEmpty, "no message")
                _ = Stompline.exitCode(for: error)
            }
        },
        seeds: {
            [
                [
                    "render", "a.json", "--output", "out=x.wav", "--set", "level.gain=-6@1.5",
                    "--scene", "verse@2",
                ],
                [
                    "run", "a.json", "--osc", "0.0.0.0:9000", "--osc-token", "w", "--duration",
                    "1e3",
                ],
                ["run", "a.json", "--song", "7", "--scene", "verse"],
                ["run", "a.json", "--resume", "--strict"],
                ["graph", "a.json", "--song", "a", "--svg"],
                ["ctl", "--port", "9000", "scene", "2"], ["ctl", "tuner", ""],
                ["run", "a.json", "--http", "0.0.0.0:1", "--http-role", "look"],
                ["run", "a.json", "--http", "1", "--http-tls", "a.pem", "--http-tls-key", "b.pem"],
                ["remotes", "--pair", "--limit", "ears"], ["remotes", "--revoke", "a", "--json"],
                ["check", "a.json", "--json"],
                ["measure", "a.json", "--output", "a", "--input", "b", "--level", "-9", "--write"],
                ["measure", "a.json", "--one-way", "--json"],
                ["convert", "a.wav", "b.flac", "--rate", "48000", "--bits", "24"],
                ["bench", "a.json", "--block", "64", "--song", "2"], ["help", "run"], ["--version"],
                ["replay", "a.stompbox", "--pack", "a.tar", "--privacy", "--json"],
                ["reference", "exit-codes", "--json"],
                ["doctor", "--seconds", "0", "--takes", "a", "--json"],
                ["new", "a.json", "--template", "voice", "--input", "mic=a:b", "--defaults"],
                ["new", "--list", "--force", "--output", "main=none", "--name", "a"],
            ].map { Array($0.joined(separator: "\0").utf8) }
        },
        explain: {
            ["stompline"]
                + $0.split(separator: 0).map {
                    "  \(String(decoding: $0, as: UTF8.self).debugDescription)"
                }
        })
}

/// Checks the options that the program parses itself.
private func check(_ command: RenderCommand) {
    do {
        for change in try command.moves.changes(of: movedPipeline) {
            require(
                change.seconds >= 0 && change.seconds <= Limits.longestSeconds,
                "a change comes at \(change.seconds) s")
        }
        for argument in command.input + command.output {
            let file = try NamedFileArgument.resolve(argument, option: "--input", names: ["in"])
            require(!file.name.isEmpty && !file.path.isEmpty, "\(argument) names nothing")
        }
    } catch let failure as Failure {
        require(!failure.message.isEmpty, "a failure has no message")
    } catch { fatalError("\(error)") }
}

private let movedPipeline: Pipeline = {
    let text = """
        "nodes": [ { "id": "level", "type": "gain" }, { "id": "cut", "type": "filter" } ],
        "scenes": { "verse": { "level.gain": -6 }, "a@1": { "cut.q": 2 } }
        """
    do { return try Stage.song(text, name: "song").pipeline } catch { fatalError("\(error)") }
}()
