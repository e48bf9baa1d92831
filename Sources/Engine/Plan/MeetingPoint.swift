internal import Pipelines

/// The time by which a signal is late, in frames.
struct SignalLatency: Equatable {
    /// The latency of the latest path from an input.
    var frames: Int
    /// The latency to which the outer level aligns its signals: the latency of the outer nodes
    /// alone.
    ///
    /// The latencies of the songs do not count, so that a change of songs shifts no signal of the
    /// outer level.
    var outerFrames: Int

    static let none = SignalLatency(frames: 0, outerFrames: 0)

    /// Returns the latency after a node.
    func delayed(byFrames own: Int) -> SignalLatency {
        SignalLatency(frames: frames + own, outerFrames: outerFrames + own)
    }
}

/// A place where signals meet and are aligned: the inputs of a node, or the channels of an output.
struct MeetingPoint {
    /// The channel at each input; `nil` for silence.
    private let taps: [Pipeline.Tap?]
    private let unaligned: Set<Int>
    private let off: Set<Int>
    /// Whether the place belongs to the outer level.
    private let isOuter: Bool
    /// The inputs that receive the song.
    private let fromSong: Set<Int>

    /// Creates the meeting point of a node or an output of a pipeline.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - isOuter: Whether it belongs to the outer level.
    init(of node: Pipeline.Node, isOuter: Bool) {
        taps = Array(node.instances.joined())
        unaligned = node.unalignedInputs
        off = node.offInputs
        self.isOuter = isOuter
        fromSong = node.songInputs
    }

    init(of output: Pipeline.Output, isOuter: Bool) {
        taps = output.taps
        unaligned = output.unalignedChannels
        off = []
        self.isOuter = isOuter
        fromSong = output.songChannels
    }

    /// The latencies to which the signals are aligned.
    struct Alignment {
        /// The latency of the aligned signals.
        var latency: SignalLatency
        /// The latency of the latest output of the song that meets the others, in frames.
        fileprivate var songFrames: Int
    }

    /// Returns the latency to which the signals are aligned.
    ///
    /// The latest aligned signal determines it, or the earliest signal if none is aligned. Strips
    /// that are always off do not count. In the outer level, the outputs of the song are aligned
    /// with each other, and then count as if the song had no latency.
    ///
    /// - Parameter arrival: Returns the latency with which a channel arrives.
    /// - Returns: The alignment; none if no signal counts.
    func alignment(_ arrival: (Pipeline.Tap) -> SignalLatency) -> Alignment {
        var result = Alignment(latency: .none, songFrames: 0)
        let aligned = aligned
        result.songFrames =
            aligned.filter { fromSong.contains($0.input) }.map { arrival($0.tap).frames }.max() ?? 0
        func outerFrames(_ one: (input: Int, tap: Pipeline.Tap)) -> Int {
            self.outerFrames(ofInput: one.input, arrival(one.tap))
        }
        result.latency.outerFrames =
            aligned.map(outerFrames).max() ?? counted.map(outerFrames).min() ?? 0
        if !isOuter {
            result.latency.frames =
                aligned.map { arrival($0.tap).frames }.max()
                ?? counted.map { arrival($0.tap).frames }.min() ?? 0
            return result
        }
        func total(_ one: (input: Int, tap: Pipeline.Tap)) -> Int {
            let latency = arrival(one.tap)
            return latency.frames
                + delayFrames(ofInput: one.input, arrivingAt: latency, alignedTo: result)
        }
        result.latency.frames =
            aligned.map(total).max() ?? counted.map { arrival($0.tap).frames }.min() ?? 0
        return result
    }

    /// Returns the channel that decides the latency; `nil` if no channel does.
    func decisive(_ arrival: (Pipeline.Tap) -> SignalLatency) -> Pipeline.Tap? {
        let alignment = alignment(arrival)
        func total(_ one: (input: Int, tap: Pipeline.Tap)) -> Int {
            let latency = arrival(one.tap)
            guard isOuter else { return latency.frames }
            // A signal that waits for another one does not decide.
            let waits = latency.outerFrames < alignment.latency.outerFrames
            let isLate = fromSong.contains(one.input) || !waits
            return isLate ? latency.frames : -1
        }
        return aligned.max { total($0) < total($1) }?.tap
            ?? counted.map(\.tap).min { arrival($0).frames < arrival($1).frames }
    }

    /// Returns the delay for the signal at an input.
    ///
    /// - Parameters:
    ///   - input: The index of the input.
    ///   - arrival: The latency with which its signal arrives.
    ///   - alignment: The latency to which the signals are aligned.
    /// - Returns: The delay, in frames; 0 for a signal that is not aligned.
    func delayFrames(
        ofInput input: Int, arrivingAt arrival: SignalLatency, alignedTo alignment: Alignment
    ) -> Int {
        if unaligned.contains(input) { return 0 }
        guard isOuter else { return max(0, alignment.latency.frames - arrival.frames) }
        let wait = max(0, alignment.latency.outerFrames - outerFrames(ofInput: input, arrival))
        guard fromSong.contains(input) else { return wait }
        return wait + max(0, alignment.songFrames - arrival.frames)
    }

    private func outerFrames(ofInput input: Int, _ arrival: SignalLatency) -> Int {
        guard isOuter else { return arrival.frames }
        return fromSong.contains(input) ? 0 : arrival.outerFrames
    }

    private var counted: [(input: Int, tap: Pipeline.Tap)] {
        taps.enumerated().compactMap { input, tap in
            off.contains(input) ? nil : tap.map { (input, $0) }
        }
    }

    private var aligned: [(input: Int, tap: Pipeline.Tap)] {
        counted.filter { !unaligned.contains($0.input) }
    }
}
