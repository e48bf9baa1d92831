internal import Engine
internal import Pipelines

// What the engine tells.

extension Show {
    func take(_ report: Report) {
        switch report {
        case .spliced: isSpliced = true
        case .settled: wishes.settles = playing.isTransition
        case .silenced where wishes.panic == .silencing:
            wishes.panic = .silent
            wishes.freshens = true
        // Paths beside the node are to be as late as it is.
        case .latency: if wishes.edit == nil { wishes.edit = playing.pipeline.holding(values) }
        default: break
        }
        events.append(.report(report))
    }
}
