internal import Pipelines
internal import Processing

/// The values that a schedule gives its nodes when it replaces another one.
struct EntryValues {
    /// The changes at the first frame of the schedule.
    private(set) var atStart: [Pipeline.Change] = []
    /// The changes at the frame at which its crossfade begins.
    let atCrossfade: [Pipeline.Change]

    /// Determines the values.
    ///
    /// A node that was prepared earlier, or that rang out and returns, still has its old values. It
    /// receives the values of the pipeline at once, while it is not audible yet. The other nodes
    /// change together with the settings.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline, with the values that its new nodes should have.
    ///   - changes: The changes of nodes that continue, and actions.
    ///   - instances: The nodes of the pipeline.
    ///   - continues: Whether each node runs in the previous schedule and was not removed there.
    init(
        _ pipeline: Pipeline, changes: [Pipeline.Change], instances: [NodeInstance],
        continues: [Bool]
    ) {
        atCrossfade = changes.filter {
            continues[$0.address.node] || pipeline.parameter(at: $0.address).isTrigger
        }
        for (index, node) in pipeline.nodes.enumerated() where !continues[index] {
            // A node that is not running, or rings out, receives no values from the audio thread.
            let present = instances[index].step.pointee.values
            let wanted = [node.isBypassed ? 1 : 0, node.mix] + node.values
            for (offset, value) in wanted.enumerated() where present[offset] != value {
                let target: Pipeline.Address.Target =
                    switch offset {
                    case 0: .bypass
                    case 1: .mix
                    default: .parameter(offset - 2)
                    }
                let address = Pipeline.Address(node: index, target: target)
                guard !pipeline.parameter(at: address).isTrigger else { continue }
                atStart.append(Pipeline.Change(address: address, value: value))
            }
        }
    }
}
