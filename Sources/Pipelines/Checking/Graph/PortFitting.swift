internal import Processing

/// How channels are laid on a plugin's audio inputs.
struct PortFitting {
    /// Those of audio.
    private let inputs: [PortDescription]
    private let outputCount: Int
    /// Inputs of control voltage, which stand behind them and stay open.
    private let voltageCount: Int

    init(_ ports: (inputs: [PortDescription], outputs: [PortDescription])) {
        inputs = ports.inputs.filter { !$0.isControlVoltage }
        outputCount = ports.outputs.audioPlaces.count
        voltageCount = ports.inputs.count - inputs.count
    }

    private var required: [Int] { inputs.indices.filter { !inputs[$0].isOptional } }

    /// How many channels the plugin asks for.
    var requiredCount: Int { required.isEmpty ? inputs.count : required.count }

    /// What the inputs of each processor take; nil where the channels do not fit.
    ///
    /// In this order: a channel for every input; a processor a channel for a plugin of one input and one output; one channel on both of two inputs;
    /// a channel for every input that must be fed, the others left silent.
    func instances(for taps: [Pipeline.Tap]) -> [[Pipeline.Tap?]]? {
        audioInstances(for: taps)?.map { $0 + Array(repeating: nil, count: voltageCount) }
    }

    private func audioInstances(for taps: [Pipeline.Tap]) -> [[Pipeline.Tap?]]? {
        if taps.isEmpty { return inputs.isEmpty ? [[]] : nil }
        if taps.count == inputs.count { return [taps] }
        if inputs.count == 1, outputCount == 1 { return taps.map { [$0] } }
        if inputs.count == 2, let only = taps.first, taps.count == 1 { return [[only, only]] }
        if taps.count == required.count { return [laid(taps)] }
        if required.count == 2, let only = taps.first, taps.count == 1 {
            return [laid([only, only])]
        }
        return nil
    }

    private func laid(_ taps: [Pipeline.Tap]) -> [Pipeline.Tap?] {
        var laid: [Pipeline.Tap?] = inputs.map { _ in nil }
        for (port, tap) in zip(required, taps) { laid[port] = tap }
        return laid
    }
}
