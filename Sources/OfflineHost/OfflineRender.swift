internal import CRealtime
public import Engine
public import Pipelines
public import Processing
internal import SoundFiles

/// Renders a pipeline from files to files, without JACK, with the same engine as in live use.
///
/// Files are streamed: memory use does not depend on their length.
public final class OfflineRender {
    /// The plan of the rendered pipeline at load, with the latencies of its nodes.
    public let plan: Plan
    /// The length of each output, in frames.
    public let lengthFrames: Int
    /// The nodes that produced NaN or infinity, by their index in the pipeline; they were silenced
    /// for the cycle.
    public private(set) var nonFiniteNodes: Set<Int> = []
    /// The number of MIDI messages that did not fit into a node's buffers, by the node's index in
    /// the pipeline.
    public private(set) var droppedMessages: [Int: Int] = [:]
    /// The latencies, in frames, that nodes reported at run time and that differ from the plan, by
    /// the node's index.
    public private(set) var reportedLatencies: [Int: Int] = [:]
    /// The incidents of nodes, with their ids, in the order in which they were reported.
    public private(set) var incidents: [(node: String, incident: Incident)] = []

    private let pipeline: Pipeline
    private var schedule: Schedule
    private var settings: SettingsScript
    private let engine: Engine
    private let workers: WorkerThreads
    private let blockFrames: Int
    private let inputBuffers: ChannelBuffers
    private let outputBuffers: ChannelBuffers
    private let feeds: [InputFeed]
    private let outputFiles: [OutputFile]
    private let context: MIDIContext
    private let sampleRate: Double
    private var script: ChangeScript
    private let levelDelayFrames: Int
    private var follows: FollowScript
    /// The number of frames to render: until the output with the largest latency is complete, and a
    /// tenth of a second more, in which the engine reports the last events.
    private let framesToPlay: Int

    /// Prepares a pipeline, opens its inputs and creates its outputs.
    ///
    /// - Throws: `RenderError` if the request does not match the pipeline, if a file cannot be
    ///   opened or created, or if a plugin does not load.
    public init(
        _ pipeline: Pipeline, catalogue: Catalogue, _ request: RenderRequest
    ) throws(RenderError) {
        // The files begin together, so no input is late.
        let pipeline = pipeline.withoutInputLatencies
        self.pipeline = pipeline
        blockFrames = request.blockFrames
        // Files are read and written in chunks of whole blocks.
        let chunkFrames = blockFrames * max(1, 4096 / blockFrames)
        let sources = try InputSources(pipeline, request)
        lengthFrames = try sources.lengthFrames(request)
        let format = AudioFormat(
            sampleRate: request.sampleRate, maximumBlockFrames: blockFrames,
            coreCount: request.coreCount)
        let recording = RecordingSpan(
            of: pipeline.atLoad(with: request.changes, request.settings),
            lengthFrames: lengthFrames)
        schedule = try Schedule(
            rendering: recording.pipeline, catalogue: catalogue, format: format)
        let first = request.scenes.last { $0.seconds <= 0 }
        schedule.startLevel(withScene: first?.scene ?? pipeline.initialScene)
        engine = Engine(playing: schedule)
        workers = WorkerThreads(engine)
        plan = schedule.plan
        settings = SettingsScript(for: recording.pipeline, request, plan, catalogue)
        inputBuffers = ChannelBuffers(channels: schedule.inputChannels, frames: chunkFrames)
        outputBuffers = ChannelBuffers(channels: schedule.outputChannels, frames: chunkFrames)
        feeds = sources.feeds(chunkFrames: chunkFrames)
        // Scenes move the level where the outputs begin, so their moves are as late as these.
        levelDelayFrames = request.keepsLatency ? 0 : plan.latencyFrames
        let delay = levelDelayFrames
        let called = request.scenes.filter { pipeline.usesSceneGains && $0.seconds > 0 }
        let levels = called.compactMap { scene in
            Int(exactly: (scene.seconds * request.sampleRate).rounded()).map { frame in
                (frame: frame.advanced(by: delay), scene: scene.scene)
            }
        }
        script = ChangeScript(
            for: pipeline, request.changes, sampleRate: request.sampleRate,
            latencies: request.keepsLatency ? nil : plan.nodes, edges: recording.edges,
            levels: levels)
        follows = FollowScript(
            for: pipeline, request.scenes, sampleRate: request.sampleRate)
        let targets = try OutputTargets(pipeline, plan, request, lengthFrames: lengthFrames)
        outputFiles = try targets.outputFiles(chunkFrames: chunkFrames)
        context = MIDIContext(feeds: sources.midiFeeds, outputFiles: targets.midiFiles)
        sampleRate = request.sampleRate
        framesToPlay = lengthFrames + targets.longestLatencyFrames + Int(request.sampleRate / 10)
    }

    /// Renders everything, and completes the files.
    ///
    /// - Parameter progress: Receives the completed share from time to time, from 0 through 1.
    /// - Throws: `RenderError` if a file cannot be read or written, or if a plugin stops.
    public func run(progress: (Double) -> Void = { _ in }) throws(RenderError) {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        var frame = 0
        while frame < framesToPlay {
            try files { () throws(SoundFileError) in
                for feed in feeds { try feed.fill(inputBuffers) }
            }
            try renderChunk(from: frame)
            // An incomplete output is not a result.
            if let error = lostPlugin() { throw .playing(error) }
            try files { () throws(SoundFileError) in
                for file in outputFiles { try file.write(outputBuffers) }
            }
            frame += inputBuffers.frames
            progress(min(1, Double(frame) / Double(framesToPlay)))
        }
        try files { () throws(SoundFileError) in for file in outputFiles { try file.close() } }
        do throws(MIDIFileError) {
            try context.close(sampleRate: sampleRate)
        } catch {
            throw .midiFile(error)
        }
    }

    private func files(_ body: () throws(SoundFileError) -> Void) throws(RenderError) {
        do { try body() } catch { throw .file(error) }
    }

    /// Returns the error of a plugin whose process has ended or hangs.
    private func lostPlugin() -> PreparationError? {
        while let found = engine.nextIncident() {
            incidents.append((found.node, found.incident))
            guard case .abandoned(let reason) = found.incident else { continue }
            guard let node = pipeline.nodes.first(where: { $0.id == found.node }),
                case .plugin(let uri) = node.type
            else { continue }
            return PreparationError(node: node.id, plugin: uri, cause: PluginError(reason))
        }
        return nil
    }

    /// Renders a chunk, always in whole blocks as under JACK, because a plugin's output may depend
    /// on the block boundaries.
    private func renderChunk(from frame: Int) throws(RenderError) {
        for offset in stride(from: 0, to: inputBuffers.frames, by: blockFrames) {
            let end = frame + offset + blockFrames
            addFollowers(before: end)
            schedule = try settings.exchange(schedule, on: engine, before: end) ?? schedule
            script.send(to: engine, before: end)
            engine.audio.render(
                frameCount: blockFrames, inputs: inputBuffers.reading(from: offset),
                outputs: outputBuffers.writing(from: offset),
                engineCall: context.block(from: frame + offset, count: blockFrames))
            follows.noticeEnd(at: end, schedule)
            while let report = engine.nextReport() { handle(report) }
            engine.collect()
        }
    }

    /// Adds the changes of scenes that follow others before a frame.
    private func addFollowers(before end: Int) {
        for follower in follows.advance(before: end, schedule) {
            let scene = pipeline.scenes[follower.scene]
            let seconds = Double(follower.frame) / sampleRate
            let changes = pipeline.changes(ofScene: scene, atSeconds: seconds)
            script.add(changes, atFrame: follower.frame)
            if pipeline.usesSceneGains {
                script.addLevel(
                    ofScene: follower.scene, atFrame: follower.frame + levelDelayFrames)
            }
            settings.add(
                pipeline.settings(ofScene: scene, atSeconds: seconds), changes,
                atFrame: follower.frame)
        }
        // A scene that MIDI called may have a follow in the engine.
        if follows.popBeginning() { _ = engine.send(.cancelFollow) }
    }

    private func handle(_ report: Report) {
        settings.receive(report)
        // MIDI has called a scene; the engine applies the scenes that follow it.
        if case .sceneApplied = report { follows.cancel() }
        switch report {
        // Nodes that ring out come after the pipeline's own nodes.
        case .nonFinite(let node), .droppedMessages(let node, _), .latency(let node, _):
            guard Int(node) < pipeline.nodes.count else { return }
        default: return
        }
        switch report {
        case .nonFinite(let node): nonFiniteNodes.insert(Int(node))
        case .droppedMessages(let node, let count):
            droppedMessages[Int(node), default: 0] += Int(count)
        case .latency(let node, let frames): reportedLatencies[Int(node)] = Int(frames)
        default: break
        }
    }
}
