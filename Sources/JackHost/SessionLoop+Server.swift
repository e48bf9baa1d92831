internal import CRealtime
internal import Engine
internal import Pipelines
internal import Processing
internal import Show
internal import Threads

// What the loop does when the server goes, and until it is there again.

extension SessionLoop {
    /// The time between two looks for a server, in seconds.
    private static let retrySeconds = 0.25
    /// The same for a server of our own, which is on its way.
    private static let ownRetrySeconds = 0.05
    /// How long the metadata database may hold up a client that is left for another, in seconds.
    private static let databaseSeconds = 0.1

    /// Gives up a server that is lost; engine, values and schedule stay as they are.
    mutating func lose(_ stay: Stay, _ reason: String) {
        tell(.serverLost(reason: reason))
        leave(stay, hasServer: false)
        switch phase {
        case .fading(let reason, _): phase = .over(reason)
        case .yielding: phase = .playing
        case .starting, .playing, .over: break
        }
    }

    /// Closes the client, and lets a show go that it was the last to play.
    mutating func leave(_ stay: Stay, hasServer: Bool, freeing former: FormerShow? = nil) {
        connectionsDue = nil
        newFormat = nil
        isFreewheeling = false
        let writers = clerk.end(
            hasServer: hasServer, patientUntil: after(Self.databaseSeconds))
        lingering.removeAll { $0.isDone(withinSeconds: 0) }
        lingering += writers
        // Where the server goes on, whoever still writes closes the client at the end, and the next may be open beside it.
        let isClientFree = !hasServer || writers.isEmpty
        // Where it is gone, libjack closes what is left itself when the next is opened: it would be closed twice.
        let awaited = hasServer ? [] : lingering
        if !hasServer { lingering = [] }
        _ = session.part()
        presence = .parting(
            // Its plugins are freed where nobody waits for them.
            Errand { [mailbox = session.mailbox, former] in
                _ = former
                stay.abandon()
                for writer in awaited { writer.wait() }
                if isClientFree { stay.close() }
                mailbox.post(.clientClosed)
            }, patientUntil: after(session.options.hangSeconds))
    }

    /// Looks for the server when that is due.
    mutating func followServer(at now: UInt64) {
        interlude?.play(sampleRate: format.sampleRate)
        if presence.hangs(at: now) { tell(.jackHangs) }
        guard case .away(let retryDue) = presence, retryDue <= now else { return }
        if let command = session.server.restartOwnServer() {
            tell(.serverStarted(command: command))
        }
        presence = .joining(patientUntil: after(session.options.hangSeconds))
        let reunion = session.server.reunion
        _ = Errand { [mailbox = session.mailbox] in mailbox.post(.clientOpened(reunion())) }
    }

    /// Takes in that the client is gone, and its audio thread with it.
    mutating func parted() {
        presence = .away(retryDue: 0)
        // What has not begun yet begins in the server.
        if arriving == nil { playAlone() }
    }

    private mutating func playAlone() {
        // Without an audio thread of its own it has no right to be on time.
        session.engine.watchPlugins(false)
        interlude = interlude ?? Interlude(session.engine.audio)
    }

    /// Takes in whether there is a server.
    mutating func opened(_ client: JackClient?) {
        guard let client else {
            playAlone()
            let isOwn = session.server.ownServerCommand != nil
            presence = .away(retryDue: after(isOwn ? Self.ownRetrySeconds : Self.retrySeconds))
            return
        }
        session.server.rejoin(client)
        do { try goOn(with: client) } catch {
            // It is lost again already.
            if let stay = session.stay { leave(stay, hasServer: false) }
        }
    }

    /// Plays on as it was, in a server that is there again.
    private mutating func goOn(with client: JackClient) throws(JackFault) {
        do { try session.join(client) } catch {
            // What was never heard plays with the ports that there are, as a song does.
            guard arriving != nil, case .portRefused(let name) = error else { throw error }
            tell(.portRefused(name: name))
        }
        presence = .joined
        follow(AudioFormat(client))
        // What is left from before would begin with a jump.
        _ = session.engine.fadeOut(seconds: 0)
        session.keeper.returned(to: client)
        session.engine.watchPlugins(session.options.stopsSlowPlugins)
        interlude = nil
        try session.stay?.begin()
        connect()
        // Not before: whoever is connected in the middle of it would hear a step.
        _ = session.engine.fadeIn(seconds: Self.fadeSeconds)
        followPorts()
        guard arriving == nil else { return }
        tell(
            .serverBack(
                clientName: session.server.clientName, sampleRate: format.sampleRate,
                blockFrames: format.maximumBlockFrames))
    }
}
