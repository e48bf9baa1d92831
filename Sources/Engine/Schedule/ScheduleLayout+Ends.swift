internal import CRealtime
public import Pipelines
internal import Processing

// The ends of a schedule: inputs, outputs, scenes, and the values that nodes report.

extension ScheduleLayout {
    func inputSlots() -> [Int32] {
        pipeline.inputs.filter { $0.kind == .audio }.flatMap { input in
            ports.slots(ofInput: input.name, .audio, count: input.channels)
        }
    }

    func outputEnds() -> [(sound: UnsafePointer<Float>, slot: Int32)] {
        zip(pipeline.outputs, plan.outputs).filter { $0.0.kind == .audio }.flatMap {
            output, planned in
            zip(
                planned.buffers.map { $0.map { UnsafePointer(buffers[$0]) } ?? silence },
                ports.slots(ofOutput: output.name, .audio, count: output.channels)
            ).map { ($0, $1) }
        }
    }

    func sceneCores() -> [ScheduleCore.SceneCore] {
        pipeline.scenes.map { scene in
            let changes = scene.changes.map {
                ScheduleCore.SceneChange(
                    node: Int32($0.address.node), target: $0.address.target.eventTarget,
                    value: $0.value)
            }
            return .init(changes: arena.copy(changes), count: changes.count)
        }
    }

    func reportedValues() -> [ScheduleCore.ReportedValue] {
        instances.prefix(splice.nodeCount).enumerated().flatMap {
            index, instance -> [ScheduleCore.ReportedValue] in
            guard let reports = instance.processors.first?.reports else { return [] }
            return pipeline.nodes[index].description.reports.indices.map {
                .init(node: Int32(index), report: Int32($0), pointer: reports + $0)
            }
        }
    }
}

extension Pipeline.Address.Target {
    /// The number that represents the target in an event.
    public var eventTarget: Int32 {
        switch self {
        case .parameter(let index): Int32(index)
        case .bypass: Int32(RTTargetBypass.rawValue)
        case .mix: Int32(RTTargetMix.rawValue)
        }
    }
}
