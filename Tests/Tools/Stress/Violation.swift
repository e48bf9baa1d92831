internal import CRealtime
internal import Glibc
internal import Pipelines
internal import Processing

/// A node that violates the rules of the real-time callback, to prove that the sanitizer detects
/// it.
enum Violation {
    static let catalogue = Catalogue(
        effects: [Effect(description: description, makeProcessor: makeProcessor)],
        plugins: NoPlugins())

    static let pipeline = Pipeline(
        name: "violation", summary: "",
        inputs: [.init(name: "in", channels: 1, kind: .audio, connect: [])],
        outputs: [
            .init(
                name: "out", channels: 1, kind: .audio, taps: [.init(.node(0), channel: 0)],
                hasLimiter: true, connect: [])
        ],
        nodes: [
            .init(
                id: "allocate", type: .effect("allocate"), description: description,
                instances: [[.init(.input(0), channel: 0)]], outputChannels: 1, strips: [],
                parameters: [], values: [], settings: [:], isBypassed: false, mix: 1,
                isolation: .none, events: nil)
        ], scenes: [], initialScene: nil, bindings: [], tempo: 120, tailSeconds: 4)

    private static let description = NodeDescription(
        name: "allocate", label: "Allocate", summary: "Allocates in every block.")

    private static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            ViolatingKernel(), inputCount: request.inputChannels,
            outputCount: request.outputChannels)
    }
}

private struct ViolatingKernel: Kernel {
    // The pointer is stored, because the compiler would otherwise remove both calls.
    private var memory: UnsafeMutableRawPointer?

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        memory = malloc(Int(block.pointee.frameCount))
        free(memory)
    }

    mutating func set(_ parameter: Int32, to value: Float) {}

    mutating func reset() {}
}
