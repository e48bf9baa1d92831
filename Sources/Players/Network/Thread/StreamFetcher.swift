internal import Glibc
internal import Platform

/// The work of a stream's thread: runs a child that fetches sound, and reconnects if necessary.
final class StreamFetcher {
    let url: NetworkURL
    let format: StreamFormat
    let limits: StreamLimits
    let exchange: StreamExchange
    var history: StreamHistory
    var attempt: StreamAttempt?
    /// The number of failed attempts in a row.
    private var failedAttempts = 0
    /// The time of the next attempt in seconds of the monotonic clock; `nil` if none is scheduled.
    var dueSeconds: Double?
    let reach: HostPermissions
    /// The limit on requests, over all attempts.
    let budget = RequestBudget()

    /// Creates the work for a thread.
    init(
        _ url: NetworkURL, format: StreamFormat, limits: StreamLimits, reach: HostPermissions,
        exchange: StreamExchange
    ) {
        self.url = url
        self.reach = reach
        self.format = format
        self.limits = limits
        self.exchange = exchange
        history = StreamHistory(sampleRate: format.sampleRate)
    }

    /// Fetches until the stream is closed.
    func run() {
        begin()
        while true {
            wait()
            switch exchange.popOrder() {
            case .close: return
            case .seek(let frame): go(to: frame)
            case nil: work()
            }
        }
    }

    private func go(to frame: Int) {
        history.positionFrames = frame
        failedAttempts = 0
        budget.refill()
        begin()
    }

    /// Sleeps until data arrives, there is an order or new room, or a time limit expires.
    private func wait() {
        let isSoundWanted = exchange.hasRoom
        var files = [
            pollfd(fd: exchange.bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: attempt?.log ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: isSoundWanted ? attempt?.sound ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        ]
        let deadline = isSoundWanted || attempt?.sound == -1 ? attempt?.deadlineSeconds : nil
        let milliseconds = Self.milliseconds(until: deadline ?? dueSeconds)
        poll(&files, 3, exchange.bell.timeout(milliseconds))
        if !isSoundWanted { attempt?.extendDeadline() }
    }

    private static func milliseconds(until seconds: Double?) -> Int32 {
        guard let seconds else { return -1 }
        return Int32(max(0, min(60_000, (seconds - MonotonicTime.nowSeconds) * 1000 + 1)))
    }

    private func work() {
        if let attempt {
            serve(attempt)
        } else if let dueSeconds, MonotonicTime.nowSeconds >= dueSeconds {
            begin()
        }
    }

    private func serve(_ attempt: StreamAttempt) {
        readLog(attempt)
        read(from: attempt)
        if attempt.isStalled {
            let seconds = Int(limits.stallSeconds.rounded(.up))
            connectAgain("no data arrived for \(seconds) s")
        } else if attempt.isOver {
            conclude(attempt)
        }
    }

    private func readLog(_ attempt: StreamAttempt) {
        attempt.readLog { title in
            if !title.isEmpty { exchange.update { $0.report(title: title) } }
        }
    }

    private func read(from attempt: StreamAttempt) {
        guard exchange.hasRoom else { return }
        attempt.read(roomFrames: exchange.roomFrames) { frames, samples in
            if !history.hadSound { learn(attempt) }
            history.positionFrames += frames
            exchange.deliver(frames, from: samples)
        }
        if attempt.arrivedFrames >= format.sampleRate { failedAttempts = 0 }
    }

    /// Reads the facts from the log, which ffmpeg writes before the first sound.
    private func learn(_ attempt: StreamAttempt) {
        readLog(attempt)
        history.learn(attempt.facts)
        history.hadSound = true
        exchange.learn(frameCount: history.frameCount)
    }
}

/// Starts attempts, evaluates their end, and schedules the next one.
extension StreamFetcher {
    /// Starts an attempt at the position where the sound should continue.
    func begin() {
        let frame = history.isLive ? 0 : history.positionFrames
        // A server without range requests first sends everything before the position.
        let isFar = frame > 0 && !history.isPlaylist
        start(
            fromFrame: frame,
            stallSeconds: limits.stallSeconds * (isFar ? limits.seekFactor : 1))
    }

    private func start(fromFrame frame: Int, stallSeconds: Double) {
        attempt = nil
        dueSeconds = nil
        do {
            let gateway = try StreamGateway(url, reach: reach, budget: budget)
            var command = StreamCommand(
                gateway.firstAddress, gatewayPort: gateway.port, format: format, frame: frame,
                isSeekable: history.isSeekable)
            command.isPlaylist = history.isPlaylist
            attempt = try StreamAttempt(command, gateway: gateway, stallSeconds: stallSeconds)
        } catch {
            // A temporary lack of resources is no reason to give up a stream that has played.
            history.hadSound ? connectAgain(error.reason) : fail(error.reason)
        }
    }

    /// Evaluates the end of an attempt.
    private func conclude(_ attempt: StreamAttempt) {
        self.attempt = nil
        attempt.end()
        switch history.nextStep(after: attempt.facts, arrivedFrames: attempt.arrivedFrames) {
        case .end: end()
        case .reconnect(let reason): connectAgain(reason)
        case .fail(let reason): fail(reason)
        }
    }

    /// Schedules another attempt after a pause, unless too many have failed.
    private func connectAgain(_ reason: String) {
        attempt = nil
        failedAttempts += 1
        let attempts = failedAttempts
        let limit =
            history.hadSound ? (history.isLive ? nil : limits.attempts) : limits.attemptsBeforeSound
        if let limit, attempts > limit {
            return fail("\(reason); \(limit) more attempts failed")
        }
        exchange.update { $0.report(.reconnecting(attempt: attempts, reason: reason)) }
        dueSeconds = MonotonicTime.nowSeconds + limits.pauseSeconds(before: attempts)
    }

    private func end() {
        history.finish()
        let frameCount = history.frameCount
        exchange.update { state in
            state.frameCount = frameCount
            state.finish(.ended)
        }
    }

    private func fail(_ reason: String) {
        exchange.update { $0.finish(.failed(reason)) }
    }
}
