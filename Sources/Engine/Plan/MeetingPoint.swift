internal import Pipelines

/// A place where signals meet and are aligned: the inputs of a node, or the channels of an output.
struct MeetingPoint {
    /// The channel at each input; `nil` for silence.
    private let taps: [Pipeline.Tap?]
    private let unaligned: Set<Int>
    private let off: Set<Int>

    init(of node: Pipeline.Node) {
        taps = Array(node.instances.joined())
        unaligned = node.unalignedInputs
        off = node.offInputs
    }

    init(of output: Pipeline.Output) {
        taps = output.taps
        unaligned = output.unalignedChannels
        off = []
    }

    /// Returns the latency to which the signals are aligned.
    ///
    /// It is that of the latest aligned signal, or of the earliest signal if none is aligned. Strips
    /// that are always off do not count.
    ///
    /// - Parameter arrival: Returns the latency with which a channel arrives, in frames.
    /// - Returns: The latency, in frames; 0 if no signal counts.
    func latencyFrames(_ arrival: (Pipeline.Tap) -> Int) -> Int {
        decisive(arrival).map { arrival($0) } ?? 0
    }

    /// Returns the channel that decides the latency; `nil` if there is none.
    func decisive(_ arrival: (Pipeline.Tap) -> Int) -> Pipeline.Tap? {
        let counted = counted
        return counted.filter { !unaligned.contains($0.input) }.map(\.tap)
            .max { arrival($0) < arrival($1) }
            ?? counted.map(\.tap).min { arrival($0) < arrival($1) }
    }

    /// Returns the delay for the signal at an input.
    ///
    /// - Parameters:
    ///   - input: The index of the input.
    ///   - arrival: The latency with which its signal arrives.
    ///   - latency: The latency to which the signals are aligned.
    /// - Returns: The delay, in frames; 0 for a signal that is not aligned.
    func delayFrames(ofInput input: Int, arrivingAt arrival: Int, alignedTo latency: Int) -> Int {
        unaligned.contains(input) ? 0 : max(0, latency - arrival)
    }

    private var counted: [(input: Int, tap: Pipeline.Tap)] {
        taps.enumerated().compactMap { input, tap in
            off.contains(input) ? nil : tap.map { (input, $0) }
        }
    }
}
