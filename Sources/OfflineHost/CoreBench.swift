internal import CRealtime
internal import Engine
public import Pipelines
public import Processing

/// Measures what more cores bring a pipeline, and predicts it from the times of the nodes.
public struct CoreBench {
    /// The time of a block on a number of cores.
    public struct Row: Sendable {
        /// The number of cores.
        public let coreCount: Int
        /// The predicted time of a block, in ns.
        public let predictedNanoseconds: Double
        /// The measured median time of a block, in ns; `nil` if this machine has fewer cores or
        /// fewer were requested, so that the time is only simulated.
        public let measuredNanoseconds: Double?

        /// Creates a row; the parameters have the meaning of the properties.
        package init(
            coreCount: Int, predictedNanoseconds: Double, measuredNanoseconds: Double?
        ) {
            self.coreCount = coreCount
            self.predictedNanoseconds = predictedNanoseconds
            self.measuredNanoseconds = measuredNanoseconds
        }
    }

    /// The result of a measurement.
    public struct Result: Sendable {
        /// The costs on one core.
        public let oneCore: OfflineBench.Result
        /// The times on one core and on several cores, in ascending order.
        public let rows: [Row]
        /// The number of tasks that cores can share.
        public let taskCount: Int
        /// The nodes on the longest path, by their index in the pipeline.
        public let criticalNodes: [Int]
        /// The time of the longest path in a block, in ns.
        public let criticalNanoseconds: Double
        /// The shortest time to plan the pipeline for several cores, in ns.
        public let planNanoseconds: Double
    }

    /// How often the planning is measured.
    private static let planCount = 5

    private let pipeline: Pipeline
    private let catalogue: Catalogue
    private let request: OfflineBench.Request
    private let availableCores: Int

    /// Creates a measurement.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline, checked with the catalogue.
    ///   - catalogue: The catalogue.
    ///   - request: The parameters, with the largest number of cores, at least 2.
    ///   - availableCores: The number of cores of this machine.
    public init(
        _ pipeline: Pipeline, catalogue: Catalogue, _ request: OfflineBench.Request,
        availableCores: Int
    ) {
        self.pipeline = pipeline
        self.catalogue = catalogue
        self.request = request
        self.availableCores = availableCores
    }

    /// Runs the measurement.
    ///
    /// - Throws: `RenderError.preparation` if a plugin does not load.
    public func run() throws(RenderError) -> Result {
        var request = request
        request.coreCount = 1
        let oneCore = try OfflineBench(pipeline, catalogue: catalogue, request).run()
        let frames = Double(request.blockFrames)
        let nodes = oneCore.nodes.map { $0.medianNanoseconds * frames }
        let total = oneCore.total.medianNanoseconds * frames
        request.nodeNanoseconds = nodes
        let plan = try plan(request)
        let costs = plan.taskCosts(ofNodes: nodes)
        guard let tasks = plan.tasks else {
            preconditionFailure("a plan for several cores has tasks")
        }
        // The rest of a block runs on one core.
        let rest = max(0, total - costs.reduce(0, +))
        var rows: [Row] = []
        for count in coreCounts {
            request.coreCount = count
            let measured =
                count == 1
                ? total
                : count <= min(availableCores, self.request.coreCount)
                    ? try OfflineBench(pipeline, catalogue: catalogue, request).run().total
                        .medianNanoseconds * frames : nil
            rows.append(
                Row(
                    coreCount: count,
                    predictedNanoseconds: rest
                        + tasks.predictedTime(
                            onCores: count, costs: costs,
                            patienceNanoseconds: CoreChoice.patienceNanoseconds(
                                ofPeriod: frames / request.sampleRate * 1e9)),
                    measuredNanoseconds: measured))
        }
        let path = tasks.criticalPath
        return Result(
            oneCore: oneCore, rows: rows, taskCount: tasks.tasks.count,
            criticalNodes: path.flatMap { plan.nodes(ofTask: $0) },
            criticalNanoseconds: path.reduce(0) { $0 + costs[$1] },
            planNanoseconds: planNanoseconds(like: plan, nodes))
    }

    /// Measures how long the planning takes, without the preparation of nodes.
    private func planNanoseconds(like plan: Plan, _ nodes: [Double]) -> Double {
        let latencies = [Int](repeating: 0, count: pipeline.nodes.count)
        let times = (0..<Self.planCount).map { _ in
            let start = rt_nanoseconds()
            let again = Plan(pipeline, latencies: latencies, format: plan.format, costs: nodes)
            return withExtendedLifetime(again) { Double(rt_nanoseconds() - start) }
        }
        return times.min() ?? 0
    }

    /// The numbers of cores to try: powers of two, and the requested number.
    ///
    /// Larger ones than that are only simulated.
    private var coreCounts: [Int] { Set([1, 2, 4, 8, 16, request.coreCount]).sorted() }

    /// Plans the pipeline for the requested number of cores.
    private func plan(_ request: OfflineBench.Request) throws(RenderError) -> Plan {
        let format = AudioFormat(
            sampleRate: request.sampleRate, maximumBlockFrames: request.blockFrames,
            coreCount: self.request.coreCount)
        return try Schedule(
            rendering: pipeline, catalogue: catalogue, format: format,
            costs: request.nodeNanoseconds
        ).plan
    }
}
