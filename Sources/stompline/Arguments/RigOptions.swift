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

    private static func followed(_ text: String) throws -> FollowedSession {
        if let followed = FollowedSession(text) { return followed }
        throw ValidationError("'\(text)' must be \(FollowedSession.form)")
    }
}
