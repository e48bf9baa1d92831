internal import Engine
internal import Pipelines
internal import Processing
internal import Show

// What the loop does with each letter.

extension SessionLoop {
    /// How long a new port's client may take to register its others before they are dealt out.
    private static let settlingSeconds = 0.03
    /// How long the server may take to be on the clock again once it has said so.
    private static let clockSeconds = 0.1
    /// How long a fade may take beyond its own length before the audio is given up on.
    private static let fadePatienceSeconds = 0.25

    /// Does what the letters say, in their order.
    mutating func receive(_ letters: [Letter]) {
        for letter in letters { receive(letter) }
        if let format = newFormat { follow(format) }
        guard newXruns > 0 else { return }
        xruns += newXruns
        tell(.xruns(newXruns))
        newXruns = 0
    }

    private mutating func receive(_ letter: Letter) {
        switch letter {
        case .portAppeared, .connectionsChanged, .blockFrames, .sampleRate, .freewheel, .xrun,
            .serverLost:
            // The server that said it may be gone.
            if let stay = session.stay { receive(letter, in: stay) }
        case .clientClosed: parted()
        case .clientOpened(let client): opened(client)
        case .portsChanged: followPorts()
        case .use(let outside): use(outside)
        case .portRefused(let name): tell(.portRefused(name: name))
        case .edited(let songs): session.show.edited(songs)
        case .turn(let next): prepare(next)
        case .ready(let next):
            successor?.succession.done("something else is to play")
            successor = next
        case .follows(let next): follow(next)
        case .unfit(let next, let reason): next.done(reason)
        case .request(let request, let answer): answer(session.show.perform(request))
        case .listen(let owner, let listener): session.show.listen(for: owner, listener)
        case .command(let command): _ = session.engine.send(command)
        case .stop(let reason): fadeOut(reason)
        }
    }

    /// Does what a server says in which we are.
    private mutating func receive(_ letter: Letter, in stay: Stay) {
        switch letter {
        case .portAppeared(let identity):
            session.keeper.portAppeared(identity, stay.client)
            connectionsDue = connectionsDue ?? after(Self.settlingSeconds)
        case .connectionsChanged:
            connectionsDue = connectionsDue ?? after(Self.settlingSeconds)
        case .blockFrames(let frames):
            newFormat = newFormat ?? format
            newFormat?.maximumBlockFrames = frames
        case .sampleRate(let rate):
            newFormat = newFormat ?? format
            newFormat?.sampleRate = rate
        case .freewheel(let isOn):
            isFreewheeling = isOn
            clockReturns = after(Self.clockSeconds)
            tell(.freewheel(isOn: isOn))
        case .xrun: newXruns += 1
        case .serverLost(let reason): lose(stay, reason)
        default: break
        }
    }

    private mutating func use(_ outside: Outside) {
        do { try session.follow(outside) } catch {
            if case .portRefused(let name) = error { tell(.portRefused(name: name)) }
        }
    }

    /// Takes in that our ports are others than before.
    mutating func followPorts() {
        guard let stay = session.stay else { return }
        gauge.follow(stay.ports)
        clerk.describe(stay)
        stay.client.recomputeLatencies()
        connectionsDue = after(0)
    }

    /// Has all prepared for a format, and play on.
    mutating func follow(_ newFormat: AudioFormat) {
        self.newFormat = nil
        format = newFormat
        session.show.follow(newFormat)
    }

    /// Takes in that a node has become earlier or later, for all who watch; what meets its sound follows.
    mutating func follow(latencyFrames: Int, ofNode node: Int) {
        guard plan.nodes.indices.contains(node) else { return }
        var latencies = plan.nodes.map(\.latencyFrames)
        latencies[node] = latencyFrames
        let newPlan = Plan(pipeline, latencies: latencies, format: plan.format)
        tell(
            .latencyChanged(
                node: pipeline.nodes[node].id, nodeFrames: latencyFrames,
                latencyFrames: newPlan.latencyFrames))
    }

    func tellLatencies() {
        guard let stay = session.stay else { return }
        stay.notifications.latencies.replace(
            stay.ports, inputNames: pipeline.inputs.map(\.name),
            outputNames: pipeline.outputs.map(\.name))
        stay.notifications.latencies.replace(LatencyPaths(pipeline, plan))
        stay.client.recomputeLatencies()
    }

    /// Until when a fade that begins now is waited for.
    var fadePatienceEnd: UInt64 { after(Self.fadeSeconds + Self.fadePatienceSeconds) }
}
