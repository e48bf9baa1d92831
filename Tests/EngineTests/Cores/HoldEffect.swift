import CRealtime
import Glibc
import Processing
import Synchronization

/// An effect that passes its input, and does not return while `isOn` is true.
///
/// It is mono.
enum HoldEffect {
    /// Whether all nodes of this type stay in their runs.
    static let isOn = Atomic(false)

    static let effect = Effect(description: description) { request in
        Processor(
            HoldKernel(), inputCount: request.inputChannels, outputCount: request.outputChannels)
    }

    static let description = NodeDescription(name: "hold", label: "Hold", summary: "")
}

private struct HoldKernel: Kernel {
    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func set(_ parameter: Int32, to value: Float) {}

    mutating func reset() {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        while HoldEffect.isOn.load(ordering: .relaxed) { usleep(1_000) }
        let block = block.pointee
        rt_copy(block.outputs[0], block.inputs[0], Int64(block.frameCount))
    }
}
