internal import CRealtime
public import Processing

extension Processor {
    /// Returns the processor's output for interleaved samples in equal blocks; an incomplete last
    /// block is dropped.
    public func render(_ input: [Float], frames: Int, blockFrames: Int = 64) -> [Float] {
        // Some plugins read a frame past the end of their buffers.
        withSilentChannels(inputs: inputCount, outputs: outputCount, frames: blockFrames + 16) {
            inputs, outputs in
            var output: [Float] = []
            for start in stride(from: 0, through: frames - blockFrames, by: blockFrames) {
                for frame in 0..<blockFrames {
                    for channel in 0..<inputCount {
                        inputs[channel][frame] = input[(start + frame) * inputCount + channel]
                    }
                }
                run(blockFrames, inputs, outputs)
                for frame in 0..<blockFrames {
                    for channel in 0..<outputCount { output.append(outputs[channel][frame]) }
                }
            }
            return output
        }
    }

    private typealias Channel = UnsafeMutablePointer<Float>

    /// Runs the processor once.
    private func run(_ frameCount: Int, _ inputs: [Channel], _ outputs: [Channel]) {
        inputs.map { UnsafePointer($0) }.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else {
                    return
                }
                var block = RTBlock(
                    frameCount: Int32(frameCount), inputCount: Int32(inputCount),
                    outputCount: Int32(outputCount), inputs: inputs, outputs: outputs)
                kernel.run(&block)
            }
        }
    }
}
