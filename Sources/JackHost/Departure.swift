internal import Threads

/// Leaves a server that may not answer any more.
enum Departure {
    /// Closes the session's client, and gives up waiting where the server hangs.
    ///
    /// Whoever is held up keeps all alive that the client's callbacks use.
    ///
    /// - Parameters:
    ///   - session: What is over.
    ///   - isClientFree: Whether nothing else uses the client any more; otherwise the last of
    ///     them closes it.
    ///   - time: Until when the server may take to let us go, in ns of the monotonic clock. One
    ///     whose cycle a client has left half done takes JACK's own time limits, which are seconds.
    /// - Throws: `JackFault.serverHangs`.
    static func leave(_ session: JackSession, isClientFree: Bool, patientUntil time: UInt64)
        throws(JackFault)
    {
        var hangs = false
        defer { session.server.endOwnServer(hangs: hangs) }
        guard isClientFree, let stay = session.part() else { return }
        let closing = Errand { stay.close() }
        hangs = !closing.isDone(untilNanoseconds: time)
        if hangs { throw .serverHangs }
    }
}
