internal import CRealtime
internal import Glibc
internal import Processing

/// An effect that passes its input, and fails on request: its parameters act once, in the cycle in
/// which they are set.
enum FaultEffect {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "fault", label: "Fault", summary: "",
        parameters: [
            .trigger("nan", label: "NaN", summary: ""),
            .trigger("slow", label: "Slow", summary: ""),
            .trigger("die", label: "Die", summary: ""),
        ])

    private static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            FaultKernel(sampleRate: request.format.sampleRate), inputCount: request.inputChannels,
            outputCount: request.outputChannels)
    }
}

private struct FaultKernel: Kernel, ~Copyable {
    private let sampleRate: Double
    private var producesNaN = false
    private var isSlow = false
    private var dies = false

    init(sampleRate: Double) { self.sampleRate = sampleRate }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func set(_ parameter: Int32, to value: Float) {
        guard value >= 0.5 else { return }
        switch parameter {
        case 0: producesNaN = true
        case 1: isSlow = true
        default: dies = true
        }
    }

    mutating func reset() { (producesNaN, isSlow) = (false, false) }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let frames = Int(block.pointee.frameCount)
        // Nothing of the program runs after this signal.
        if dies { kill(getpid(), SIGKILL) }
        for channel in 0..<Int(block.pointee.outputCount) {
            rt_copy(
                block.pointee.outputs[channel], block.pointee.inputs[channel], Int64(frames))
            if producesNaN, frames > 0 { block.pointee.outputs[channel][frames / 2] = .nan }
        }
        if isSlow {
            // Far beyond the period, so that no other node can be the slowest.
            let end = rt_nanoseconds() + 30_000_000 + UInt64(Double(frames) / sampleRate * 2e9)
            while rt_nanoseconds() < end {}
        }
        (producesNaN, isSlow) = (false, false)
    }
}
