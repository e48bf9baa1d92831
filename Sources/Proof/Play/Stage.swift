internal import CRealtime
internal import Engine
internal import OfflineHost
internal import Pipelines
internal import Processing
internal import SessionCore

/// A session that is rendered block by block, with the sounds of its inputs.
final class Stage {
    let session: Session
    let outputs: OutputRoom
    /// The purpose of this pass.
    let purpose: Purpose
    /// Measures steps from one sample to the next, in a steady tone.
    let edgeMeter: EdgeMeter?
    private let request: ProofRequest
    private let songs: SongCollection
    private let loops: SignalLoops
    private let notes: NoteMessages
    private let log = EventLog()
    private let realtime = RealtimeThread()
    private let workers: WorkerThreads
    /// The thread for blocks in real time; `nil` while no loads are measured.
    private let audioThread: AudioThread?
    private var pace: Pace
    /// The time at which the session continues its work in real time, in ns.
    private var advanceDue: UInt64 = 0
    /// The place in the sounds of the inputs, in frames.
    private var signalFrame = 0
    /// The parts of the schedule that played last.
    private var known: (schedule: Schedule, parts: [Int])?
    /// The sum of the times of each part in ns, and the number of its blocks.
    private var sums: [(nanoseconds: Double, blocks: Int)] = []
    /// The original ids of replaced nodes, by their new ids.
    private var formerIDs: [String: String] = [:]
    /// The songs whose latencies are known.
    private var heard: Set<String> = []

    /// The purpose of a pass.
    enum Purpose {
        /// Levels and, as in the measurements, faults.
        case listening
        /// Clicks: all inputs receive a steady tone.
        case tone
        /// Loads.
        case measuring
    }

    /// Prepares a session that plays without fading in.
    init(
        _ songs: SongCollection, _ catalogue: Catalogue, _ request: ProofRequest,
        _ purpose: Purpose
    ) throws(SessionError) {
        (self.songs, self.request, self.purpose) = (songs, request, purpose)
        // Without a deadline, files are read as fast as blocks are played.
        let isLive = request.isPaced && purpose == .measuring
        var options = Session.Options()
        options.fadesIn = false
        options.isTolerant = true
        options.preparesOnThread = false
        let isMeasured = purpose == .measuring
        options.usesCoresAutomatically = isMeasured && request.usesCoresAutomatically
        session = try Session(
            playing: songs, catalogue: catalogue,
            format: AudioFormat(
                sampleRate: request.sampleRate, maximumBlockFrames: request.blockFrames,
                isLive: isLive, coreCount: isMeasured ? request.coreCount : 1),
            options: options)
        workers = WorkerThreads(
            session.engine, priority: realtime.isPermitted ? RealtimeThread.workerPriority : nil)
        audioThread = purpose == .measuring ? AudioThread(realtime) : nil
        loops = SignalLoops(session.ports, request, isTone: purpose == .tone)
        notes = NoteMessages(
            session.ports, songs, isFreewheeling: !isLive, isSilent: purpose == .tone)
        edgeMeter = purpose == .tone ? EdgeMeter(session.ports, request) : nil
        outputs = OutputRoom(frames: request.blockFrames)
        pace = Pace(periodNanoseconds: request.periodNanoseconds)
        session.watch(for: ObjectIdentifier(log)) { [log] in log.receive($0) }
        if purpose == .listening {
            _ = session.perform(.measureLevels(perSecond: 0, ofNodes: true))
        }
    }

    /// Whether no other program interrupts a block.
    var isRealtime: Bool { realtime.isPermitted }

    // MARK: Steps

    /// Carries out the action of a step.
    ///
    /// - Returns: The reason if it fails, without a full stop; otherwise `nil`.
    func begin(_ step: Step) -> String? {
        startSignal(of: step)
        return switch step.deed {
        case .song(let index):
            index == session.song ? nil : set([AddressValue("song", .number(Double(index + 1)))])
        case .scene(let index): set([AddressValue("scene", .number(Double(index + 1)))])
        case .set(let values): set(values)
        case .sweep: nil
        case .replace(let node): replace(node)
        case .undo: undo()
        case .perform(let command), .cue(let command, _):
            refusal(of: session.perform(.perform(command)))
        }
    }

    /// Lets a song or a scene receive the same sound as all others, so that their loudness can be
    /// compared; the steady tone continues.
    ///
    /// The sounds begin when the former sound of the outputs has ended.
    func startSignal(of step: Step) {
        guard step.isLong, purpose != .tone else { return }
        signalFrame = -request.settlingBlocks * request.blockFrames
    }

    /// Sets the value of a sweep for a block.
    func sweep(_ step: Step, block: Int, of blocks: Int) {
        guard case .sweep(let values) = step.deed else { return }
        // Each value is set once, in the first block that reaches its place.
        let (place, former) = (block * values.count / blocks, (block - 1) * values.count / blocks)
        guard block == 0 || place != former, place < values.count else { return }
        _ = set([values[place]])
    }

    /// Whether the song of a step is still being prepared.
    func isWaiting(for step: Step) -> Bool {
        switch step.deed {
        case .song(let index), .cue(_, let index): session.song != index
        default: false
        }
    }

    private func set(_ values: [AddressValue]) -> String? {
        var reason: String?
        for value in values {
            let answer = session.perform(.set(value.address, value.value))
            reason = reason ?? refusal(of: answer)
        }
        return reason
    }

    private func refusal(of answer: Answer) -> String? {
        if case .refused(let reason, _) = answer { reason } else { nil }
    }

    /// Gives a node of the current song another id, so that the session replaces it with a new
    /// node.
    private func replace(_ id: String) -> String? {
        var edited = session.songs
        let isOuter = edited[session.song].pipeline.outerIndex(ofNode: id) != nil
        for index in edited.indices where index == session.song || isOuter {
            let nodes = edited[index].pipeline.nodes
            let place =
                isOuter
                ? edited[index].pipeline.outerIndex(ofNode: id)
                : nodes.firstIndex { $0.id == id }
            guard let place else { continue }
            let ids = Set(nodes.map(\.id))
            let new = (2...).lazy.map { "\(id)-\($0)" }.first { !ids.contains($0) } ?? id
            edited[index].pipeline.nodes[place].id = new
            formerIDs[new] = id
        }
        session.follow(edited)
        return nil
    }

    private func undo() -> String? {
        session.follow(songs.songs)
        return nil
    }

    // MARK: Blocks

    /// Renders the next block.
    ///
    /// - Parameters:
    ///   - block: Its number in the step.
    ///   - blocks: The number of blocks of the step.
    ///   - isInRealTime: Whether it waits for its time.
    ///   - night: Receives new parts.
    /// - Returns: The time of the block.
    func render(
        _ block: Int, of blocks: Int, isInRealTime: Bool, _ night: inout PlayedNight
    ) -> BlockTime {
        let schedule = session.active
        let inputs = loops.block(from: signalFrame)
        let call = notes.block(block, of: blocks)
        let engineBlock = EngineBlock(
            audio: session.engine.audio, frames: request.blockFrames, inputs: inputs,
            outputs: outputs.pointers, call: call)
        var ticks: UInt64 = 0
        if isInRealTime, let audioThread {
            pace.wait()
            ticks = audioThread.render(engineBlock)
        } else {
            realtime.run { ticks = engineBlock.render() }
        }
        signalFrame += request.blockFrames
        let time = time(ticks, schedule, &night)
        advance(isInRealTime: isInRealTime)
        return time
    }

    /// Does the work of the session between blocks.
    ///
    /// In real time it comes as often as live: after each block, it would take the caches from the
    /// audio thread each time.
    private func advance(isInRealTime: Bool) {
        let now = rt_nanoseconds()
        guard !isInRealTime || now >= advanceDue else { return }
        _ = session.advance(countsOverruns: false)
        advanceDue = now + UInt64(session.advanceSeconds * 1e9)
    }

    private func time(
        _ ticks: UInt64, _ schedule: Schedule, _ night: inout PlayedNight
    ) -> BlockTime {
        let rate = TickRate.shared.ticksPerNanosecond
        let total = Double(ticks) / rate
        guard purpose == .measuring else {
            return BlockTime(nanoseconds: Float(total), part: -1, partNanoseconds: 0)
        }
        var (costliest, most, sum) = (-1, 0.0, 0.0)
        for (node, part) in parts(of: schedule, &night).enumerated() {
            let nanoseconds = Double(schedule.lastTicks(ofNode: node)) / rate
            sum += nanoseconds
            sums[part].nanoseconds += nanoseconds
            sums[part].blocks += 1
            if nanoseconds > most { (costliest, most) = (part, nanoseconds) }
        }
        // Songs that ring out have schedules of their own.
        let rest = total - sum
        if rest > most { (costliest, most) = (-1, rest) }
        return BlockTime(
            nanoseconds: Float(total), part: Int32(costliest), partNanoseconds: Float(most))
    }

    /// Returns the part of each node of a schedule.
    private func parts(of schedule: Schedule, _ night: inout PlayedNight) -> [Int] {
        if let known, known.schedule === schedule { return known.parts }
        let song = session.songs[session.song].name
        let parts = schedule.nodeIDs.enumerated().map { node, id in
            let place = Place(song: song, node: formerIDs[id] ?? id)
            // A node that rings out may belong to the song before.
            let isLeaving = node >= schedule.plan.nodes.count
            let index = night.parts.firstIndex {
                isLeaving ? $0.node == place.node : $0 == place
            }
            if let index { return index }
            night.parts.append(place)
            return night.parts.count - 1
        }
        while sums.count < night.parts.count { sums.append((0, 0)) }
        known = (schedule, parts)
        return parts
    }

    // MARK: Evidence

    /// Adds the mean times of all nodes.
    func addMeans(to night: inout PlayedNight) {
        night.partMeans = night.parts.indices.map { part in
            guard part < sums.count, sums[part].blocks > 0 else { return 0 }
            return sums[part].nanoseconds / Double(sums[part].blocks)
        }
    }

    /// Adds the events of a step, each once.
    func addEvents(of step: Int, to night: inout PlayedNight) {
        for event in log.drain() { add(event, of: step, to: &night) }
    }

    /// Adds the events, the limiter, the problems and the latencies of a step.
    func addEvidence(of step: Int, to night: inout PlayedNight) {
        session.publishStatus(roundTripFrames: 0)
        addEvents(of: step, to: &night)
        for problem in session.problems where !night.problems.contains(problem) {
            night.problems.append(problem)
        }
        let song = session.songs[session.song].name
        guard heard.insert(song).inserted else { return }
        let active = session.active
        night.latencies.append(
            .init(
                song: song, pipeline: active.pipeline,
                report: LatencyReport(active.pipeline, active.plan)))
    }

    private func add(_ event: SessionEvent, of step: Int, to night: inout PlayedNight) {
        func note(_ node: String?, _ what: PlayedNight.StepEvent.What) {
            let node = node.map { formerIDs[$0] ?? $0 }
            let event = PlayedNight.StepEvent(step: step, node: node, what: what)
            if !night.events.contains(event) { night.events.append(event) }
        }
        switch event {
        case .nonFinite(let node): note(node, .nonFinite)
        case .incident(let node, let plugin, let incident):
            note(node, .incident(plugin: plugin, incident))
        case .messagesDropped(let node, let count):
            // The number depends on the time, so only the largest one remains.
            let id = formerIDs[node] ?? node
            var most = count
            night.events.removeAll { known in
                guard known.step == step, known.node == id,
                    case .messagesDropped(let former) = known.what
                else { return false }
                most = max(most, former)
                return true
            }
            note(node, .messagesDropped(most))
        case .preparationFailed(let message): note(nil, .failed(message))
        case .songSkipped(let name, let reason): note(nil, .failed("\(name) is skipped: \(reason)"))
        case .nodeLevels(let levels):
            for level in levels {
                night.levels[step].note(
                    level.peak, ofNode: formerIDs[level.node] ?? level.node)
            }
        case .status(let status):
            let action = decibels(status.limiterGain)
            night.levels[step].limiterDecibels = min(night.levels[step].limiterDecibels, action)
        default: break
        }
    }
}

extension Pipeline {
    /// Returns the index of a node of the setlist; `nil` if there is none with this id.
    fileprivate func outerIndex(ofNode id: String) -> Int? {
        nodes.indices.first { isOuter(node: $0) && nodes[$0].id == id }
    }
}
