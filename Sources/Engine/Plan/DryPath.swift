internal import Pipelines
internal import Processing

/// A part of the signal that a bypassed node passes.
struct DryTap {
    var tap: Pipeline.Tap
    var gain: Float
}

extension Pipeline.Node {
    /// The signal of each output channel while the node is bypassed.
    ///
    /// A mixer sums its strips with a gain of 1. In other nodes, channel n passes input n, not
    /// counting side chains; a single input goes to every channel, and several inputs go to a
    /// single channel as their mean. A source is silent, and so is a control voltage.
    var dryTaps: [[DryTap]] {
        if !strips.isEmpty { return (0..<outputChannels).map(stripTaps) }
        if instances.count > 1 {
            return instances.flatMap { withVoltages([$0.prefix(1).compactMap { tapped($0) }]) }
        }
        let main = mainTaps
        let channels = audioOutputCount
        guard !main.isEmpty else { return Array(repeating: [], count: outputChannels) }
        if channels == 1 {
            return withVoltages([main.compactMap { tapped($0, gain: 1 / Float(main.count)) }])
        }
        return withVoltages(
            (0..<channels).map { channel in
                [main[channel % main.count]].compactMap { tapped($0) }
            })
    }

    /// The number of a processor's output channels that carry audio; they come before those that
    /// carry control voltage.
    private var audioOutputCount: Int {
        guard case .ports(_, let outputs) = description.channels else { return outputChannels }
        return outputs.audioIndices.count
    }

    /// Appends an empty channel for each control voltage to the dry channels of one processor.
    private func withVoltages(_ audio: [[DryTap]]) -> [[DryTap]] {
        audio + Array(repeating: [], count: outputChannels / instances.count - audio.count)
    }

    /// The inputs of a node with one processor that are not side chains.
    private var mainTaps: [Pipeline.Tap?] {
        guard let taps = instances.first else { return [] }
        guard case .ports(let inputs, _) = description.channels else { return taps }
        let main = zip(inputs, taps).filter { !$0.0.isOptional }.map(\.1)
        let audio = Array(taps.prefix(inputs.audioIndices.count))
        return main.isEmpty ? audio : main
    }

    private func stripTaps(_ channel: Int) -> [DryTap] {
        var first = 0
        return strips.compactMap { strip in
            defer { first += strip.channels }
            return tapped(instances[0][strip.channels == 1 ? first : first + channel])
        }
    }

    private func tapped(_ tap: Pipeline.Tap?, gain: Float = 1) -> DryTap? {
        tap.map { DryTap(tap: $0, gain: gain) }
    }
}
