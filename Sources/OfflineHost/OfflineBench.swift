internal import CRealtime
internal import Engine
public import Pipelines
public import Processing

/// Measures the cost of a pipeline with noise as input, without JACK.
///
/// The pipeline runs several times from the same start with the same noise, and each block counts
/// with its minimum time, so that interruptions are not attributed to the pipeline.
public struct OfflineBench {
    /// The parameters of a measurement.
    public struct Request: Sendable {
        /// The frames per block, at least 1.
        public var blockFrames = 64
        /// In Hz.
        public var sampleRate = 48_000.0
        /// The duration of the rendered signal, in seconds; the first tenth is not measured.
        public var seconds = 2.0
        /// The number of cores that run the nodes, at least 1.
        public var coreCount = 1
        /// The time of each node in a block, in ns, as the plan for several cores needs it; empty if
        /// it is not known.
        public var nodeNanoseconds: [Double] = []
        /// Values that change during the measurement.
        public var changes: [TimedChange] = []
        /// Settings that scenes change at load; those of later times have no effect.
        public var settings: [TimedSettings] = []

        /// Creates a request with the default values.
        public init() {}
    }

    /// The result of a measurement.
    public struct Result: Sendable {
        /// The cost of each node, in the pipeline's order.
        public let nodes: [Cost]
        /// The cost of the whole block, including everything around the nodes.
        public let total: Cost
    }

    private static let minimumPasses = 5
    private static let maximumPasses = 25
    /// The time after which no passes beyond the minimum are started.
    private static let timeoutNanoseconds: UInt64 = 3_000_000_000

    private let pipeline: Pipeline
    private let catalogue: Catalogue
    private let request: Request
    private let blockCount: Int

    /// Creates a benchmark of a pipeline that was checked with a catalogue.
    public init(_ pipeline: Pipeline, catalogue: Catalogue, _ request: Request = Request()) {
        self.pipeline = pipeline.atLoad(with: request.changes, request.settings)
        self.catalogue = catalogue
        self.request = request
        let frames = Int(request.seconds * request.sampleRate)
        blockCount = max(10, frames / request.blockFrames)
    }

    /// Runs the measurement.
    ///
    /// - Throws: `RenderError.preparation` if a plugin does not load.
    public func run() throws(RenderError) -> Result {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        var times = MinimumTimes(blocks: blockCount, parts: pipeline.nodes.count + 1)
        let start = rt_nanoseconds()
        var passes = 0
        while passes < Self.minimumPasses
            || passes < Self.maximumPasses && rt_nanoseconds() - start < Self.timeoutNanoseconds
        {
            try play(&times)
            passes += 1
        }
        let costs = times.costs(blockFrames: request.blockFrames, skippedBlocks: blockCount / 10)
        return Result(nodes: Array(costs.dropLast()), total: costs[costs.count - 1])
    }

    /// Renders one pass from the start, with new processors.
    private func play(_ times: inout MinimumTimes) throws(RenderError) {
        let format = AudioFormat(
            sampleRate: request.sampleRate, maximumBlockFrames: request.blockFrames,
            coreCount: request.coreCount)
        let schedule = try Schedule(
            rendering: pipeline, catalogue: catalogue, format: format,
            costs: request.nodeNanoseconds)
        let engine = Engine(playing: schedule)
        let workers = WorkerThreads(engine)
        defer { withExtendedLifetime(workers) {} }
        let inputs = ChannelBuffers(channels: schedule.inputChannels, frames: request.blockFrames)
        let outputs = ChannelBuffers(channels: schedule.outputChannels, frames: request.blockFrames)
        var noise = Noise()
        let context = MIDIContext()
        var script = ChangeScript(
            for: pipeline, request.changes, sampleRate: request.sampleRate, latencies: nil)
        for block in 0..<blockCount {
            noise.fill(inputs)
            script.send(to: engine, before: (block + 1) * request.blockFrames)
            let (read, write) = (inputs.reading(from: 0), outputs.writing(from: 0))
            let engineCall = context.block(
                from: block * request.blockFrames, count: request.blockFrames)
            let ticks = rt_ticks()
            engine.audio.render(
                frameCount: request.blockFrames, inputs: read, outputs: write,
                engineCall: engineCall)
            times.note(rt_ticks() - ticks, block: block, part: pipeline.nodes.count)
            for node in pipeline.nodes.indices {
                times.note(schedule.lastTicks(ofNode: node), block: block, part: node)
            }
            while engine.nextReport() != nil {}
        }
    }
}
