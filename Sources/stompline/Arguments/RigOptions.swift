internal import ArgumentParser
internal import Pipelines

/// The options for sessions on several machines.
struct RigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Follow the song, scene, tempo and mute of the session at osc://HOST:PORT.",
            discussion: "It replaces \"follow\" of the file, and needs no permission.",
            valueName: "url"),
        transform: RigOptions.followed)
    var follow: FollowedSession?

    @Option(
        name: .customLong("bridge"),
        help: ArgumentHelp(
            "Run this program while the session plays, such as \"zita-n2j 0.0.0.0 30042\".",
            discussion:
                "It is started again when it ends. Words are divided at spaces. The option can be "
                + "repeated, and adds to \"bridges\" of the file.",
            valueName: "command"))
    var bridges: [String] = []

    func validate() throws {
        if bridges.contains(where: { $0.split(separator: " ").isEmpty }) {
            throw ValidationError("--bridge must be a command, such as \"zita-n2j 0.0.0.0 30042\"")
        }
    }

    /// The command lines of the bridges.
    var bridgeCommands: Set<[String]> {
        Set(bridges.map { $0.split(separator: " ").map(String.init) })
    }

    private static func followed(_ text: String) throws -> FollowedSession {
        if let followed = FollowedSession(text) { return followed }
        throw ValidationError("'\(text)' must be \(FollowedSession.form)")
    }
}
