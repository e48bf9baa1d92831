internal import Engine
internal import Pipelines

extension Command {
    /// Creates the command that applies a change at a frame of the engine.
    init(setting change: Pipeline.Change, frame: Int) {
        self = .set(
            node: Int32(change.address.node), target: change.address.target.eventTarget,
            value: change.value,
            frame: UInt64(frame))
    }
}

extension Command {
    /// Creates the command that moves a value, from a frame on.
    init(setting change: Pipeline.Change, _ fade: Fade, frame: Int) {
        guard fade.seconds > 0 else {
            self.init(setting: change, frame: frame)
            return
        }
        self = .fade(
            node: Int32(change.address.node), target: change.address.target.eventTarget,
            value: change.value, fade, frame: UInt64(frame))
    }
}
