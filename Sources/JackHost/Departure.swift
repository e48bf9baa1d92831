internal import Show

/// Leaves a server that may not answer any more.
enum Departure {
    /// How long the server may take to let us go, in seconds.
    private static let patienceSeconds = 0.25

    /// Closes the session's client, and gives up waiting where the server hangs.
    ///
    /// Whoever is held up keeps all alive that the client's callbacks use.
    ///
    /// - Parameters:
    ///   - session: What is over.
    ///   - isClientFree: Whether nothing else uses the client any more; otherwise the last of
    ///     them closes it.
    /// - Throws: `JackFault.serverHangs`.
    static func leave(_ session: JackSession, isClientFree: Bool) throws(JackFault) {
        defer { session.server.endOwnServer() }
        guard isClientFree, let stay = session.part() else { return }
        let closing = Errand { stay.close() }
        if !closing.isDone(withinSeconds: patienceSeconds) { throw .serverHangs }
    }
}
