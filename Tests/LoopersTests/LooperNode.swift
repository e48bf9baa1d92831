import CRealtime
import Engine
import Loopers
import Pipelines
import Processing
import TestSignals

/// Returns the index of a looper's parameter.
func looperParameter(_ name: String) -> Int32 {
    let index = Looper.effect().description.parameters.firstIndex { $0.name == name }
    return Int32(index ?? -1)
}

extension Processor {
    /// Returns a report of a looper by its name.
    func looperReport(_ name: String) -> Float {
        let index = Looper.effect().description.reports.firstIndex { $0.name == name }
        guard let reports, let index else { return .nan }
        return reports[index]
    }
}

/// A looper in a pipeline in an engine.
struct LooperEngine {
    private let engine: Engine
    private let folder = ScratchFolder()

    /// Prepares the pipeline of a node, whose parameters and settings are given as JSON members.
    init(
        _ node: String, blockFrames: Int, tempo: Double = 120, inputs: String = "\"mic\": {}",
        capture: EngineCapture? = nil
    ) throws {
        let path = folder.write(
            """
            { "version": 1, "tempo": \(tempo), "inputs": { \(inputs) },
              "outputs": { "main": { "limiter": false } },
              "nodes": [{ "id": "loop", "type": "looper", \(node) }] }
            """, to: "loop.json")
        let catalogue = Catalogue(effects: [Looper.effect()], plugins: NoPlugins())
        let pipeline = try Pipeline(contentsOf: path, catalogue: catalogue, sampleRate: 48_000)
        let schedule = try Schedule(
            preparing: pipeline, catalogue: catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: blockFrames))
        engine = Engine(playing: schedule, capture: capture)
    }

    /// Sets a parameter at a frame.
    func set(_ name: String, _ value: Float = 1, at frame: UInt64) {
        _ = engine.send(.set(node: 0, target: looperParameter(name), value: value, frame: frame))
    }

    func send(_ command: Command) { _ = engine.send(command) }

    /// Returns the output for an input, rendered in blocks.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - blockFrames: The frames of a block.
    ///   - call: Calls a body with the MIDI and the transport of the frames from the first number to
    ///     the second one.
    /// - Returns: The output.
    func render(
        _ input: [Float], blockFrames: Int,
        call: (Int, Int, (UnsafePointer<RTEngineCall>?) -> Void) -> Void = { $2(nil) }
    ) -> [Float] {
        var output = [Float](repeating: .nan, count: input.count)
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                var first = 0
                while first < input.count {
                    let count = min(blockFrames, input.count - first)
                    call(first, first + count) {
                        engine.audio.render(
                            frameCount: count, inputs: [UnsafePointer(from + first)],
                            outputs: [to + first], engineCall: $0)
                    }
                    first += count
                }
            }
        }
        return output
    }
}
