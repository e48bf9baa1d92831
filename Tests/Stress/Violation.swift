internal import CRealtime
internal import Glibc
internal import Pipelines
internal import Processing

/// A node that does in the callback what must not be done there: the proof that the watch sees it.
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
        let state = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        return Processor(
            state: state,
            run: { state, block in
                // Kept in the state, or the compiler would leave the pair out.
                let memory = malloc(Int(block.pointee.frameCount))
                state.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
                free(state.load(as: UnsafeMutableRawPointer?.self))
            }, set: { _, _, _ in }, reset: { _ in }, free: { $0.deallocate() },
            inputCount: request.inputChannels, outputCount: request.outputChannels,
            latencyFrames: 0, tailFrames: 0, isSplittable: true)
    }
}
