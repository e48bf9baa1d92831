internal import Pipelines
internal import Processing

extension Transition {
    /// Creates the transition that a plan needs.
    init(_ plan: Plan, _ splice: Splice, _ instances: [NodeInstance], arena: Arena) {
        let rate = plan.format.sampleRate
        let leaving = instances.dropFirst(splice.nodeCount)
        let fades = plan.steps.contains { if case .blend = $0 { true } else { false } }
        let fadeFrames = RateFigures.exchangeFrames(sampleRate: rate)
        self.init(
            Figures(
                maximumFrames: plan.format.maximumBlockFrames,
                warmUpFrames: plan.warmUpFrames + (plan.hasEntrances ? Int(fadeFrames) : 0),
                fadeFrames: fadeFrames,
                gapFrames: leaving.map(\.gapFrames).reduce(Int(rate), max)),
            isOver: !fades && leaving.isEmpty
                && splice.outputCount == splice.pipeline.outputs.count,
            arena: arena)
    }

    /// The gains of a fade in each cycle; `nil` if they are 1.
    func gains(of fade: Plan.Fade) -> UnsafePointer<Float>? {
        switch fade {
        case .steady: nil
        case .rising: UnsafePointer(rising)
        case .falling: UnsafePointer(falling)
        case .entering: UnsafePointer(entering)
        }
    }
}
