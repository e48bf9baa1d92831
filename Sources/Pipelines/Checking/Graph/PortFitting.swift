internal import Processing

/// Assigns channels to the audio inputs of a plugin.
struct PortFitting {
    /// The audio inputs.
    private let inputs: [PortDescription]
    private let outputCount: Int
    /// The number of control voltage inputs, which follow the audio inputs and remain unconnected.
    private let voltageCount: Int

    init(_ ports: (inputs: [PortDescription], outputs: [PortDescription])) {
        inputs = ports.inputs.filter { !$0.isControlVoltage }
        outputCount = ports.outputs.audioIndices.count
        voltageCount = ports.inputs.count - inputs.count
    }

    private var required: [Int] { inputs.indices.filter { !inputs[$0].isOptional } }

    /// The number of channels that the plugin needs.
    var requiredCount: Int { required.isEmpty ? inputs.count : required.count }

    /// Returns the channels for the inputs of each processor; `nil` if the channels do not fit.
    ///
    /// The first rule that fits applies:
    /// 1. One channel for each input.
    /// 2. One processor per channel, for a plugin with one input and one output.
    /// 3. A single channel for both of two inputs.
    /// 4. One channel for each required input; the optional inputs stay silent.
    func instances(for taps: [Pipeline.Tap]) -> [[Pipeline.Tap?]]? {
        audioInstances(for: taps)?.map { $0 + Array(repeating: nil, count: voltageCount) }
    }

    private func audioInstances(for taps: [Pipeline.Tap]) -> [[Pipeline.Tap?]]? {
        if taps.isEmpty { return inputs.isEmpty ? [[]] : nil }
        if taps.count == inputs.count { return [taps] }
        if inputs.count == 1, outputCount == 1 { return taps.map { [$0] } }
        if inputs.count == 2, let only = taps.first, taps.count == 1 { return [[only, only]] }
        if taps.count == required.count { return [assigned(taps)] }
        if required.count == 2, let only = taps.first, taps.count == 1 {
            return [assigned([only, only])]
        }
        return nil
    }

    /// Returns one entry per input, with the channels at the required inputs.
    private func assigned(_ taps: [Pipeline.Tap]) -> [Pipeline.Tap?] {
        var assigned: [Pipeline.Tap?] = inputs.map { _ in nil }
        for (port, tap) in zip(required, taps) { assigned[port] = tap }
        return assigned
    }
}
