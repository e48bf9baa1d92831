internal import Threads

/// Starts attempts, evaluates their end, and schedules the next one.
extension StreamFetcher {
    /// Starts an attempt at the position where the sound should continue.
    func begin() {
        let frame = story.isLive ? 0 : story.positionFrames
        // A server without range requests first sends everything before the position.
        let isFar = frame > 0 && !story.isPlaylist
        start(
            fromFrame: frame,
            stallSeconds: patience.stallSeconds * (isFar ? patience.seekFactor : 1))
    }

    private func start(fromFrame frame: Int, stallSeconds: Double) {
        attempt = nil
        dueSeconds = nil
        do {
            let gateway = try StreamGateway(url, reach: reach, budget: budget)
            var command = StreamCommand(
                gateway.firstAddress, gatewayPort: gateway.port, format: format, frame: frame,
                isSeekable: story.isSeekable)
            command.isPlaylist = story.isPlaylist
            attempt = try StreamAttempt(command, gateway: gateway, stallSeconds: stallSeconds)
        } catch {
            // A temporary lack of resources is no reason to give up a stream that has played.
            story.hadSound ? connectAgain(error.reason) : fail(error.reason)
        }
    }

    /// Evaluates the end of an attempt.
    func conclude(_ attempt: StreamAttempt) {
        self.attempt = nil
        attempt.end()
        switch story.turn(after: attempt.facts, cameFrames: attempt.cameFrames) {
        case .end: end()
        case .again(let reason): connectAgain(reason)
        case .fail(let reason): fail(reason)
        }
    }

    /// Schedules another attempt after a pause, unless too many have failed.
    func connectAgain(_ reason: String) {
        attempt = nil
        vainAttempts += 1
        let attempts = vainAttempts
        let limit =
            story.hadSound ? (story.isLive ? nil : patience.attempts) : patience.attemptsBeforeSound
        if let limit, attempts > limit {
            return fail("\(reason); \(limit) more attempts failed")
        }
        exchange.update { $0.report(.reconnecting(attempt: attempts, reason: reason)) }
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
