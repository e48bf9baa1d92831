internal import CRealtime
internal import Engine
internal import Pipelines

extension Command {
    /// The command that makes a change at a frame of the engine.
    init(setting change: Pipeline.Change, frame: Int) {
        let target =
            switch change.address.target {
            case .parameter(let place): Int32(place)
            case .bypass: Int32(RTTargetBypass.rawValue)
            case .mix: Int32(RTTargetMix.rawValue)
            }
        self = .set(
            node: Int32(change.address.node), target: target, value: change.value,
            frame: UInt64(frame))
    }
}
