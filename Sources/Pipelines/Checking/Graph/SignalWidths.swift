internal import Processing

/// The known channel counts of the signals, for resolving references to channels.
struct SignalWidths {
    let context: CheckContext
    let inputs: [SignalDraft]

    /// Returns the channels that a feed selects; `nil` if they are not valid or not known.
    ///
    /// Reports channels and ports that do not exist.
    func taps(of feed: Feed, in nodes: [NodeDraft]) -> [Pipeline.Tap]? {
        guard let source = feed.source, let channels = channels(of: source, in: nodes) else {
            return nil
        }
        let width = channels.count
        switch feed.reference.part {
        case .all:
            return channels.map { Pipeline.Tap(source, channel: $0) }
        case .channel(let number):
            guard (1...max(width, 1)).contains(number), width > 0 else {
                reportChannel(feed, width)
                return nil
            }
            return [Pipeline.Tap(source, channel: channels[number - 1])]
        case .port(let symbol):
            if case .node(let index) = source, let ports = nodes[index].standInPorts {
                return ports.prefix(width).firstIndex(of: symbol).map {
                    [Pipeline.Tap(source, channel: $0)]
                }
            }
            return port(symbol, of: source, feed, in: nodes)
        }
    }

    /// Returns the audio channels; control voltage channels are only accessible by port name.
    private func channels(of source: Pipeline.Source, in nodes: [NodeDraft]) -> [Int]? {
        switch source {
        case .input(let index): inputs[index].channels.map { Array(0..<$0) }
        case .node(let index):
            nodes[index].outputChannels.map { count in
                guard !nodes[index].isStandIn,
                    let outputs = nodes[index].description?.ports?.outputs
                else {
                    return Array(0..<count)
                }
                return (0..<count).filter { !outputs[$0 % outputs.count].isControlVoltage }
            }
        }
    }

    private func reportChannel(_ feed: Feed, _ width: Int) {
        let name = feed.reference.name
        context.errors.report(
            .reference, at: feed.offset,
            "\(Quoted(feed.reference.text)) does not exist: \(Quoted(name)) has "
                + Quantity.channels(width) + ", numbered from 1",
            suggestion: width > 1 ? "\(name):\(width)" : width == 1 ? name : nil)
    }

    // MARK: Ports

    private func port(
        _ symbol: String, of source: Pipeline.Source, _ feed: Feed, in nodes: [NodeDraft]
    ) -> [Pipeline.Tap]? {
        guard case .node(let index) = source, let ports = nodes[index].description?.ports else {
            context.errors.report(
                .reference, at: feed.offset,
                "\(Quoted(feed.reference.text)) does not exist: only plugins have named ports; "
                    + "use a channel number",
                suggestion: feed.reference.name)
            return nil
        }
        let symbols = ports.outputs.map(\.symbol)
        guard let symbolIndex = symbols.firstIndex(of: symbol) else {
            reportPort(symbol, feed, symbols)
            return nil
        }
        let width = nodes[index].outputChannels ?? 0
        return stride(from: symbolIndex, to: width, by: symbols.count).map {
            Pipeline.Tap(source, channel: $0)
        }
    }

    private func reportPort(_ symbol: String, _ feed: Feed, _ symbols: [String]) {
        let known = Quantity.alternatives(symbols.map { Quoted($0).description })
        let near = context.errors.suggestion(for: symbol, among: symbols)
        context.errors.report(
            .reference, at: feed.offset,
            "\(Quoted(feed.reference.name)) has no audio output \(Quoted(symbol))"
                + (symbols.isEmpty ? "" : "; use \(known)"),
            suggestion: near.map { feed.reference.name + ":" + $0 })
    }
}
