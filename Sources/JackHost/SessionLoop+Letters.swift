internal import Engine
internal import Pipelines
internal import Processing

// What the loop does with each letter.

extension SessionLoop {
    /// How long a new port's client may take to register its others before they are dealt out.
    private static let settlingSeconds = 0.03
    /// How long a fade may take beyond its own length before the audio is given up on.
    private static let fadePatienceSeconds = 0.25

    /// Does what the letters say, in their order.
    mutating func receive(_ letters: [Letter]) {
        for letter in letters { receive(letter) }
        let new = letters.count { if case .xrun = $0 { true } else { false } }
        xruns += new
        if new > 0 { tell(.xruns(new)) }
    }

    private mutating func receive(_ letter: Letter) {
        switch letter {
        case .portAppeared(let identity):
            keeper.portAppeared(identity)
            connectionsDue = connectionsDue ?? after(Self.settlingSeconds)
        case .blockFrames(let frames):
            var format = follower.format
            format.maximumBlockFrames = frames
            follow(format)
        case .sampleRate(let rate):
            var format = follower.format
            format.sampleRate = rate
            follow(format)
        case .freewheel(let isOn):
            isFreewheeling = isOn
            tell(.freewheel(isOn: isOn))
        case .xrun: break
        case .serverLost(let reason): phase = .over(.serverLost(reason))
        case .command(let command): _ = session.engine.send(command)
        case .stop(let reason): fadeOut(reason)
        }
    }

    private mutating func follow(_ format: AudioFormat) {
        do {
            guard let schedule = try follower.follow(format) else { return }
            plan = schedule.plan
            _ = session.engine.exchange(
                schedule, .ringOut(tailFrames: Int64(format.sampleRate * session.pipeline.tailSeconds)))
            tellLatencies()
            tell(
                .formatChanged(
                    sampleRate: format.sampleRate, blockFrames: format.maximumBlockFrames,
                    latencyFrames: latencyFrames))
        } catch {
            tell(.preparationFailed(message: "\(error.node): \(error.fault.message)"))
        }
    }

    /// Takes in that a node has become earlier or later, for JACK and all who watch.
    ///
    /// What meets its sound stays held back as it was planned.
    mutating func follow(latencyFrames: Int, ofNode node: Int) {
        guard plan.nodes.indices.contains(node) else { return }
        var latencies = plan.nodes.map(\.latencyFrames)
        latencies[node] = latencyFrames
        plan = Plan(session.pipeline, latencies: latencies, format: plan.format)
        tellLatencies()
        tell(
            .latencyChanged(
                node: session.pipeline.nodes[node].id, nodeFrames: latencyFrames,
                latencyFrames: plan.latencyFrames))
    }

    private func tellLatencies() {
        session.notifications.latencies.replace(LatencyPaths(session.pipeline, plan))
        session.server.client.recomputeLatencies()
    }

    /// Begins the end, unless it has begun.
    mutating func fadeOut(_ reason: StopReason) {
        switch phase {
        case .starting, .playing:
            _ = session.engine.fadeOut(seconds: Self.fadeSeconds)
            let patience = Self.fadeSeconds + Self.fadePatienceSeconds
            phase = .fading(reason, patientUntil: after(patience))
        case .fading, .over: break
        }
    }
}
