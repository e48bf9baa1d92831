internal import Processing

/// Matches the strips of a mixer with the mixer's width.
struct StripCheck {
    let context: CheckContext

    /// Names the strips after their signals; each signal can be used once.
    func checkNames(_ feeds: [Feed], of node: inout NodeDraft) {
        var index: [String: Int] = [:]
        for (position, feed) in feeds.enumerated() {
            guard index[feed.reference.text] == nil else {
                context.errors.report(
                    .duplicateID, at: feed.offset,
                    "the mixer already has a strip \(Quoted(feed.reference.text)); "
                        + "each signal can be only one strip")
                continue
            }
            index[feed.reference.text] = position
        }
        node.stripIndex = index
    }

    /// Determines the mixer's width; every strip must have this width or be mono.
    func check(_ taps: [[Pipeline.Tap]], _ feeds: [Feed], of node: inout NodeDraft) {
        let widest = taps.map(\.count).max() ?? 1
        let width = node.channelsSetting ?? min(max(widest, 1), PipelineKeys.channels.upperBound)
        node.outputChannels = width
        node.instances = [Array(taps.joined())]
        node.strips = zip(taps, feeds).map {
            Pipeline.Strip(name: $1.reference.text, channels: $0.count)
        }
        for (strip, feed) in zip(taps, feeds) where strip.count != 1 && strip.count != width {
            report(feed, strip.count, width)
        }
    }

    private func report(_ feed: Feed, _ count: Int, _ width: Int) {
        let fitting = width == 1 ? "1 channel" : "1 or \(Quantity.channels(width))"
        context.errors.report(
            .channels, at: feed.offset,
            "the strip \(Quoted(feed.reference.text)) has \(Quantity.channels(count)), "
                + "but the mixer accepts \(fitting)",
            suggestion: count > 0 ? "\(feed.reference.name):1" : nil)
    }
}
