/// The channels that feeds with `"align": false` select.
struct UnalignedSignals {
    /// Whether each channel is aligned, in the order of the feeds.
    private let isAligned: [Bool]

    /// - Parameters:
    ///   - feeds: The feeds of a node or an output.
    ///   - taps: The channels of each feed.
    init(_ feeds: [Feed], _ taps: [[Pipeline.Tap]]) {
        isAligned = zip(feeds, taps).flatMap { feed, taps in taps.map { _ in feed.isAligned } }
    }

    /// Returns the indices of the inputs that receive one of these channels.
    ///
    /// - Parameter inputs: The channel of each input; `nil` for silence. The channels are in the
    ///   order of the feeds, and repeat if there are more inputs.
    /// - Returns: The indices in `inputs`.
    func indices(in inputs: [Pipeline.Tap?]) -> Set<Int> {
        guard isAligned.contains(false) else { return [] }
        let connected = inputs.indices.filter { inputs[$0] != nil }
        return Set(
            connected.enumerated().filter { !isAligned[$0.offset % isAligned.count] }
                .map(\.element))
    }
}

extension NodeDraft {
    /// Stores the inputs that receive a channel of a feed with `"align": false`.
    mutating func markUnalignedInputs(_ feeds: [Feed], _ taps: [[Pipeline.Tap]]) {
        unalignedInputs = UnalignedSignals(feeds, taps).indices(in: Array(instances.joined()))
    }
}
