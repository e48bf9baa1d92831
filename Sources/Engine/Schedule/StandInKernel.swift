internal import CRealtime
package import Pipelines
internal import Processing
internal import Realtime

/// Passes the input of a node that cannot play; a node without input is silent.
struct StandInKernel: Kernel, ~Copyable {
    /// The inputs that are not side chains.
    private let mainInputs: Buffer<Int32>

    /// Creates a kernel.
    ///
    /// - Parameter mainInputs: The indices of the inputs to pass.
    init(mainInputs: [Int32]) {
        self.mainInputs = Buffer(mainInputs)
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let count = Int(block.frameCount)
        for channel in 0..<Int(block.outputCount) {
            let output = block.outputs[channel]
            if mainInputs.count == 0 {
                for frame in 0..<count { output[frame] = 0 }
            } else if block.outputCount > 1 || mainInputs.count == 1 {
                let input = block.inputs[Int(mainInputs[channel % mainInputs.count])]
                for frame in 0..<count { output[frame] = input[frame] }
            } else {
                mean(of: block, into: output, count)
            }
        }
    }

    /// Writes the mean of all inputs, as the dry signal of a node with a single output.
    @_noLocks
    private func mean(of block: RTBlock, into output: UnsafeMutablePointer<Float>, _ count: Int) {
        let gain = 1 / Float(mainInputs.count)
        for frame in 0..<count { output[frame] = 0 }
        for index in 0..<mainInputs.count {
            let input = block.inputs[Int(mainInputs[index])]
            for frame in 0..<count { output[frame] += gain * input[frame] }
        }
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {}

    @_noLocks
    mutating func reset() {}
}

extension Pipeline.Node {
    /// Returns a processor that passes the node's input.
    func standInProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            StandInKernel(mainInputs: mainInputs(request.inputChannels)),
            inputCount: request.inputChannels, outputCount: request.outputChannels)
    }

    /// Returns the indices of the inputs of a processor that are not side chains.
    private func mainInputs(_ count: Int) -> [Int32] {
        guard case .ports(let inputs, _) = description.channels else {
            return (0..<count).map { Int32($0) }
        }
        let audio = inputs.audioIndices.filter { $0 < count }
        let main = audio.filter { !inputs[$0].isOptional }
        return (main.isEmpty ? audio : main).map { Int32($0) }
    }

    /// Returns the node with a stand-in instead of its processors.
    package var asStandIn: Pipeline.Node {
        var result = self
        result.isStandIn = true
        result.isolation = .none
        result.description.reports = []
        return result
    }
}
