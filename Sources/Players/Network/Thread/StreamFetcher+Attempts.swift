internal import Threads

/// How attempts begin, end and follow each other.
extension StreamFetcher {
    /// Redirections that are followed at most.
    private static let mostDetours = 8

    /// Begins an attempt where the sound is to go on.
    func begin(askingWhereItLeads: Bool = false) {
        let frame = story.isLive ? 0 : story.positionFrames
        var command = StreamCommand(
            detour ?? url, format: format, frame: frame, hasPlaces: story.hasPlaces)
        command.asksWhereItLeads = askingWhereItLeads
        command.isPlaylist = story.isPlaylist
        // Of a server that gives no parts of a file all comes that lies before the place.
        let isFar = frame > 0 && !command.isPlaylist
        start(command, stallSeconds: patience.stallSeconds * (isFar ? patience.seekFactor : 1))
    }

    private func start(_ command: StreamCommand, stallSeconds: Double) {
        attempt = nil
        dueSeconds = nil
        do {
            attempt = try StreamAttempt(command, stallSeconds: stallSeconds)
        } catch {
            // What the system lacks for a moment is no reason to give up what played.
            story.hadSound ? connectAgain(error.reason) : fail(error.reason)
        }
    }

    /// Finds out what the end of an attempt means.
    func conclude(_ attempt: StreamAttempt) {
        self.attempt = nil
        attempt.end()
        if attempt.command.asksWhereItLeads { return follow(attempt.facts.leadsTo) }
        if attempt.facts.fault == .leadsAstray, attempt.cameFrames == 0,
            !attempt.command.url.isEncrypted
        {
            return begin(askingWhereItLeads: true)
        }
        switch story.turn(after: attempt.facts, cameFrames: attempt.cameFrames) {
        case .end: end()
        case .again(let reason): connectAgain(reason)
        case .fail(let reason): fail(reason)
        }
    }

    /// Goes on at an address with https, which another one led to.
    private func follow(_ place: String?) {
        detours += 1
        guard let place, let next = try? NetworkURL(place), next.isEncrypted,
            detours <= Self.mostDetours
        else { return fail(StreamFault.leadsAstray.reason) }
        detour = next
        begin()
    }

    /// Connects once more after a while, unless that came to nothing too often.
    func connectAgain(_ reason: String) {
        attempt = nil
        detour = nil
        detours = 0
        vainAttempts += 1
        let attempts = vainAttempts
        let limit =
            story.hadSound ? (story.isLive ? nil : patience.attempts) : patience.attemptsBeforeSound
        if let limit, attempts > limit {
            return fail("\(reason); \(limit) more attempts came to nothing")
        }
        exchange.update { $0.tell(.reconnecting(attempt: attempts, reason: reason)) }
        dueSeconds = MonotonicTime.nowSeconds + patience.pauseSeconds(before: attempts)
    }

    private func end() {
        story.finish()
        let frameCount = story.frameCount
        exchange.update { state in
            state.frameCount = frameCount
            state.finish(.ended)
        }
    }

    private func fail(_ reason: String) {
        exchange.update { $0.finish(.failed(reason)) }
    }
}
