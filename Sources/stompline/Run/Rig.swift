internal import Control
internal import Pipelines
internal import Processing
internal import SessionCore
internal import Synchronization

/// The other machines of a session: the session that it follows, and the bridges to them.
final class Rig: Sendable {
    private let options: RigOptions
    private let permissions: Permissions
    private let tokenChoice: TokenChoice
    private let report: RunReport
    private let bridges: BridgeKeeper
    /// The name of the JACK server; `nil` for the default server.
    private let server: String?
    private let state = Mutex(State())

    private struct State {
        /// The session that follows; `nil` before the session begins and after its end.
        var control: (any SessionControl)?
        var followed: FollowedSession?
        var follower: SessionFollower?
        /// The sessions of files that may not be followed, which are reported once.
        var refused: Set<FollowedSession> = []
        /// Whether bridges of files that may not be started are reported.
        var hasReportedBridges = false
    }

    /// Creates a rig that does nothing yet.
    init(
        _ options: RigOptions, _ remote: RemoteOptions, _ permissions: Permissions,
        server: String?, _ report: RunReport
    ) {
        self.server = server
        bridges = BridgeKeeper { [report] in report.receive($0) }
        self.options = options
        self.permissions = permissions
        self.report = report
        tokenChoice = TokenChoice(word: remote.oscToken, file: remote.oscTokenFile)
    }

    /// Begins with the songs of a session.
    func begin(_ songs: SongCollection, control: any SessionControl) {
        state.withLock { $0.control = control }
        follow(songs)
    }

    /// Leaves all other machines.
    func end() {
        let former = state.withLock { state in
            defer { state = State() }
            return state.follower
        }
        // The follower's thread is awaited outside the lock, because it may report.
        _ = former
        bridges.keep([])
    }

    /// Handles an event of the session.
    func receive(_ event: SessionEvent) {
        guard case .freewheel(true) = event, !bridges.isEmpty else { return }
        report.notify(
            "the JACK server freewheels: no sound passes the bridges to other machines until it ends"
        )
    }

    /// Follows what edited files, or the files of another session, name.
    func follow(_ songs: SongCollection) {
        if state.withLock({ $0.control != nil }) {
            bridges.keep(options.bridgeCommands.union(permittedCommands(of: songs)))
        }
        let wanted = options.follow ?? songs.followed.flatMap(permitted)
        // The former follower is released outside the lock, which waits for its thread.
        let former: SessionFollower? = state.withLock { state in
            guard state.control != nil, wanted != state.followed else { return nil }
            defer { (state.followed, state.follower) = (wanted, nil) }
            return state.follower
        }
        _ = former
        guard wanted != nil else { return }
        let token = token
        state.withLock { state in
            guard let control = state.control, state.follower == nil, let wanted = state.followed
            else { return }
            state.follower = SessionFollower(of: wanted, token: token, control: control) {
                [report] in report.receive($0)
            }
        }
    }

    /// The command lines of the bridges that files name, if they may be started.
    private func permittedCommands(of songs: SongCollection) -> [[String]] {
        let bridges = songs.bridges
        if bridges.isEmpty || permissions.network && permissions.privateHosts {
            return bridges.map { $0.command(server: server) }
        }
        let isKnown = state.withLock { state in
            defer { state.hasReportedBridges = true }
            return state.hasReportedBridges
        }
        if !isKnown {
            report.notify(
                "the file has bridges to other machines, which are not permitted; "
                    + "use --allow-network --allow-private")
        }
        return []
    }

    /// The token for the followed session: the one that the options state for our own server.
    private var token: String? {
        do {
            return try tokenChoice.token(mayMake: false)?.text
        } catch let failure as Failure {
            report.notify(failure.message)
        } catch {
            report.notify("\(error)")
        }
        return nil
    }

    /// Returns a session that a file names, if it may be followed.
    private func permitted(_ followed: FollowedSession) -> FollowedSession? {
        if permissions.network && permissions.privateHosts { return followed }
        guard state.withLock({ $0.refused.insert(followed).inserted }) else { return nil }
        report.notify(
            "the file follows \(followed), which is not permitted; "
                + "use --allow-network --allow-private, or --follow \(followed)")
        return nil
    }
}
