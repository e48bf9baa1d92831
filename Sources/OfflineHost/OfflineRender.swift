internal import CRealtime
public import Engine
public import Pipelines
public import Processing
internal import SoundFiles

/// A pipeline played from files into files by the engine that plays live, without JACK.
///
/// Files are streamed: memory does not grow with their length.
public final class OfflineRender {
    /// What is played, with what its nodes make late.
    public var plan: Plan { schedule.plan }
    /// Frames that each output has.
    public let lengthFrames: Int
    /// Nodes that put out a NaN or an infinity, by their place in the pipeline; they were silenced for that cycle.
    public private(set) var nonFiniteNodes: Set<Int> = []
    /// How many MIDI messages did not fit into a node's buffers, by the node's place in the pipeline.
    public private(set) var droppedMessages: [Int: Int] = [:]
    /// How late nodes told while they played that they are, where it is other than planned, by their places.
    public private(set) var toldLatencies: [Int: Int] = [:]
    /// What befell nodes, by their ids, in the order in which it was told.
    public private(set) var incidents: [(node: String, incident: Incident)] = []

    private let pipeline: Pipeline
    private let schedule: Schedule
    private let engine: Engine
    private let blockFrames: Int
    private let inputBuffers: ChannelBuffers
    private let outputBuffers: ChannelBuffers
    private let feeds: [InputFeed]
    private let takes: [OutputTake]
    private let surroundings: MIDISurroundings
    private let sampleRate: Double
    private var script: ChangeScript
    /// How many frames the engine plays: until the latest output has all of its own, and a tenth of a second more, in
    /// which the engine reports what happened last.
    private let framesToPlay: Int

    /// Prepares a pipeline, opens its inputs and makes its outputs.
    ///
    /// - Throws: `RenderFault` where the request does not fit the pipeline, a file fails, or a plugin does not load.
    public init(
        _ pipeline: Pipeline, catalogue: Catalogue, _ request: RenderRequest
    ) throws(RenderFault) {
        self.pipeline = pipeline
        blockFrames = request.blockFrames
        // Files are read and written in stretches of whole blocks.
        let stretchFrames = blockFrames * max(1, 4096 / blockFrames)
        let sources = try InputSources(pipeline, request)
        lengthFrames = try sources.lengthFrames(request)
        let format = AudioFormat(sampleRate: request.sampleRate, maximumBlockFrames: blockFrames)
        let recording = RecordingSpan(
            of: pipeline.atLoad(with: request.changes), lengthFrames: lengthFrames)
        schedule = try Schedule(
            rendering: recording.pipeline, catalogue: catalogue, format: format)
        engine = Engine(playing: schedule)
        let plan = schedule.plan
        inputBuffers = ChannelBuffers(channels: schedule.inputChannels, frames: stretchFrames)
        outputBuffers = ChannelBuffers(channels: schedule.outputChannels, frames: stretchFrames)
        feeds = sources.feeds(stretchFrames: stretchFrames)
        script = ChangeScript(
            request.changes, sampleRate: request.sampleRate,
            latencies: request.keepsLatency ? nil : plan.nodes, edges: recording.edges)
        let targets = try OutputTargets(pipeline, plan, request, lengthFrames: lengthFrames)
        takes = try targets.takes(stretchFrames: stretchFrames)
        surroundings = MIDISurroundings(feeds: sources.midiFeeds, takes: targets.midiTakes)
        sampleRate = request.sampleRate
        framesToPlay = lengthFrames + targets.latestFrames + Int(request.sampleRate / 10)
    }

    /// Renders all, and finishes the files.
    ///
    /// - Parameter progress: Is told now and then how much is done, from 0 through 1.
    /// - Throws: `RenderFault` where a file fails.
    public func run(progress: (Double) -> Void = { _ in }) throws(RenderFault) {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        var frame = 0
        while frame < framesToPlay {
            try files { () throws(SoundFileFault) in
                for feed in feeds { try feed.fill(inputBuffers) }
            }
            playStretch(from: frame)
            // Half a sound is no result.
            if let fault = lostPlugin() { throw .playing(fault) }
            try files { () throws(SoundFileFault) in
                for take in takes { try take.take(outputBuffers) }
            }
            frame += inputBuffers.frames
            progress(min(1, Double(frame) / Double(framesToPlay)))
        }
        try files { () throws(SoundFileFault) in for take in takes { try take.close() } }
        do throws(MIDIFileFault) {
            try surroundings.close(sampleRate: sampleRate)
        } catch {
            throw .midiFile(error)
        }
    }

    private func files(_ body: () throws(SoundFileFault) -> Void) throws(RenderFault) {
        do { try body() } catch { throw .file(error) }
    }

    /// The plugin whose process ended or hangs.
    private func lostPlugin() -> PreparationFault? {
        while let (node, incident) = engine.nextIncident() {
            incidents.append((node, incident))
            guard case .abandoned(let reason) = incident else { continue }
            guard let node = pipeline.nodes.first(where: { $0.id == node }),
                case .plugin(let uri) = node.type
            else { continue }
            return PreparationFault(node: node.id, plugin: uri, fault: PluginFault(reason))
        }
        return nil
    }

    /// Plays a stretch, always in whole blocks, as JACK does: a plugin's sound may depend on how it is split.
    private func playStretch(from frame: Int) {
        for offset in stride(from: 0, to: inputBuffers.frames, by: blockFrames) {
            script.send(to: engine, before: frame + offset + blockFrames)
            engine.audio.render(
                frameCount: blockFrames, inputs: inputBuffers.reading(from: offset),
                outputs: outputBuffers.writing(from: offset),
                outside: surroundings.block(from: frame + offset, count: blockFrames))
            while let report = engine.nextReport() { take(report) }
        }
    }

    private func take(_ report: Report) {
        switch report {
        case .nonFinite(let node): nonFiniteNodes.insert(Int(node))
        case .droppedMessages(let node, let count):
            droppedMessages[Int(node), default: 0] += Int(count)
        case .latency(let node, let frames): toldLatencies[Int(node)] = Int(frames)
        default: break
        }
    }
}
