internal import CRealtime
internal import Engine
public import Pipelines
public import Processing

/// What a pipeline costs, measured on noise without JACK.
///
/// It is played several times from the same beginning with the same noise, and each block counts with its least time,
/// so that an interruption does not count as the pipeline's.
public struct OfflineBench {
    /// What is measured, and how.
    public struct Request: Sendable {
        /// Frames of a block, at least 1.
        public var blockFrames = 64
        /// Frames a second.
        public var sampleRate = 48_000.0
        /// How much sound is played, in seconds; the first tenth does not count.
        public var seconds = 2.0
        /// Values that move.
        public var changes: [TimedChange] = []

        /// A request with the values that hold where nothing else is asked for.
        public init() {}
    }

    /// What came out.
    public struct Result: Sendable {
        /// For each node, in the pipeline's order.
        public let nodes: [Cost]
        /// For the whole block, with all that lies around the nodes.
        public let total: Cost
    }

    private static let fewestPasses = 5
    private static let mostPasses = 25
    /// Passes beyond the fewest are added while they cost no more than this.
    private static let patienceNanoseconds: UInt64 = 3_000_000_000

    private let pipeline: Pipeline
    private let catalogue: Catalogue
    private let request: Request
    private let blockCount: Int

    /// A benchmark of a pipeline made with a catalogue.
    public init(_ pipeline: Pipeline, catalogue: Catalogue, _ request: Request = Request()) {
        self.pipeline = pipeline.atLoad(with: request.changes)
        self.catalogue = catalogue
        self.request = request
        let frames = Int(request.seconds * request.sampleRate)
        blockCount = max(10, frames / request.blockFrames)
    }

    /// Plays and measures.
    ///
    /// - Throws: `RenderFault.preparation` where a plugin does not load.
    public func run() throws(RenderFault) -> Result {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        var times = LeastTimes(blocks: blockCount, parts: pipeline.nodes.count + 1)
        let start = rt_nanoseconds()
        var passes = 0
        while passes < Self.fewestPasses
            || passes < Self.mostPasses && rt_nanoseconds() - start < Self.patienceNanoseconds
        {
            try play(&times)
            passes += 1
        }
        let costs = times.costs(blockFrames: request.blockFrames, skippedBlocks: blockCount / 10)
        return Result(nodes: Array(costs.dropLast()), total: costs[costs.count - 1])
    }

    /// Plays from the beginning with fresh processors.
    private func play(_ times: inout LeastTimes) throws(RenderFault) {
        let format = AudioFormat(
            sampleRate: request.sampleRate, maximumBlockFrames: request.blockFrames)
        let schedule = try Schedule(rendering: pipeline, catalogue: catalogue, format: format)
        let engine = Engine(playing: schedule)
        let inputs = ChannelBuffers(channels: schedule.inputChannels, frames: request.blockFrames)
        let outputs = ChannelBuffers(channels: schedule.outputChannels, frames: request.blockFrames)
        var noise = Noise()
        let surroundings = MIDISurroundings()
        var script = ChangeScript(request.changes, sampleRate: request.sampleRate, latencies: nil)
        for block in 0..<blockCount {
            noise.fill(inputs)
            script.send(to: engine, before: (block + 1) * request.blockFrames)
            let (read, write) = (inputs.reading(from: 0), outputs.writing(from: 0))
            let outside = surroundings.block(
                from: block * request.blockFrames, count: request.blockFrames)
            let ticks = rt_ticks()
            engine.audio.render(
                frameCount: request.blockFrames, inputs: read, outputs: write, outside: outside)
            times.note(rt_ticks() - ticks, block: block, part: pipeline.nodes.count)
            for node in pipeline.nodes.indices {
                times.note(schedule.lastTicks(ofNode: node), block: block, part: node)
            }
            while engine.nextReport() != nil {}
        }
    }
}
