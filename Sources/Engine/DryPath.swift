internal import Pipelines
internal import Processing

/// A part of what a bypassed node passes on.
struct DryTap {
    var tap: Pipeline.Tap
    var gain: Float
}

extension Pipeline.Node {
    /// What each output channel is when the node is bypassed.
    ///
    /// A mixer's strips are summed as they are. Otherwise channel n passes on input n, side chains
    /// left out; one input goes to every channel, and several to one by their mean. A source is
    /// silent.
    var dryTaps: [[DryTap]] {
        if !strips.isEmpty { return (0..<outputChannels).map(stripTaps) }
        if instances.count > 1 { return instances.map { $0.prefix(1).compactMap { tapped($0) } } }
        let main = mainTaps
        guard !main.isEmpty else { return Array(repeating: [], count: outputChannels) }
        if outputChannels == 1 {
            return [main.compactMap { tapped($0, gain: 1 / Float(main.count)) }]
        }
        return (0..<outputChannels).map { channel in
            [main[channel % main.count]].compactMap { tapped($0) }
        }
    }

    /// The inputs of the one processor that are no side chains.
    private var mainTaps: [Pipeline.Tap?] {
        guard let taps = instances.first else { return [] }
        guard case .ports(let inputs, _) = description.channels else { return taps }
        let main = zip(inputs, taps).filter { !$0.0.isOptional }.map(\.1)
        return main.isEmpty ? taps : main
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
