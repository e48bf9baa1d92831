internal import CRealtime
public import Processing

extension Processor {
    /// What the processor makes of interleaved samples, in blocks of equal length; a last part of a block is left out.
    public func render(_ input: [Float], frames: Int, blockFrames: Int = 64) -> [Float] {
        let inputs = (0..<inputCount + 1).map { _ in Channel.allocate(capacity: blockFrames) }
        let outputs = (0..<outputCount + 1).map { _ in Channel.allocate(capacity: blockFrames) }
        defer { for channel in inputs + outputs { channel.deallocate() } }
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

    private typealias Channel = UnsafeMutablePointer<Float>

    /// One run.
    private func run(_ frameCount: Int, _ inputs: [Channel], _ outputs: [Channel]) {
        inputs.map { UnsafePointer($0) }.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else {
                    return
                }
                var block = RTBlock(
                    frameCount: Int32(frameCount), inputCount: Int32(inputCount),
                    outputCount: Int32(outputCount), inputs: inputs, outputs: outputs)
                rt_run(self.run, state, &block)
            }
        }
    }
}
