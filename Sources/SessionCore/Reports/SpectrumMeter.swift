internal import CRealtime
internal import Engine
internal import Processing

/// Measures the spectra of the nodes that were requested, about 20 times per second.
final class SpectrumMeter {
    /// The time between two measurements, in ns.
    private static let intervalNanoseconds: UInt64 = 45_000_000

    private let engine: Engine
    private let commands: CommandQueue
    private let events: EventStream
    private var analyser: SpectrumAnalyser
    private var frames: [Float]
    private(set) var nodes: [String] = []
    /// The indices of the nodes that the engine knows; -1 for none.
    private var sent = [Int32](repeating: -1, count: Engine.tapCount)
    private var lastNanoseconds: UInt64 = 0

    /// Creates a meter that measures nothing; `sampleRate` is in Hz.
    init(engine: Engine, commands: CommandQueue, events: EventStream, sampleRate: Double) {
        self.engine = engine
        self.commands = commands
        self.events = events
        analyser = SpectrumAnalyser(sampleRate: sampleRate)
        frames = Array(repeating: 0, count: analyser.frameCount)
    }

    /// Measures these nodes from now on, at most `Engine.tapCount`; ids of nodes that do not exist
    /// wait until they do.
    func watch(_ newNodes: [String]) { nodes = Array(newNodes.prefix(Engine.tapCount)) }

    /// Follows the active nodes, and publishes the spectra if they are due.
    ///
    /// - Parameters:
    ///   - nodeIDs: The ids of the active nodes.
    ///   - sampleRate: Their sample rate in Hz.
    func advance(_ nodeIDs: [String], sampleRate: Double) {
        guard !nodes.isEmpty || sent.contains(where: { $0 >= 0 }) else { return }
        follow(nodeIDs)
        if sampleRate != analyser.sampleRate {
            analyser = SpectrumAnalyser(sampleRate: sampleRate)
            frames = Array(repeating: 0, count: analyser.frameCount)
        }
        let now = rt_nanoseconds()
        guard now &- lastNanoseconds >= Self.intervalNanoseconds else { return }
        lastNanoseconds = now
        for (slot, node) in nodes.enumerated() where sent[slot] >= 0 {
            guard engine.readTap(slot, into: &frames) else { continue }
            events.publish(
                .spectrum(NodeSpectrum(node: node, levels: analyser.levels(of: frames))))
        }
    }

    /// Informs the engine if nodes have other indices than before.
    private func follow(_ nodeIDs: [String]) {
        for slot in 0..<Engine.tapCount {
            let index =
                slot < nodes.count
                ? nodeIDs.firstIndex(of: nodes[slot]).map { Int32($0) } ?? -1 : -1
            guard index != sent[slot] else { continue }
            sent[slot] = index
            commands.send(.tap(slot: Int32(slot), node: index))
        }
    }
}
