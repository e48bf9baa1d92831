internal import CJack
internal import Engine
internal import Pipelines
internal import Synchronization

/// What the latency callback answers from: our ports, and the paths between them as they are now.
final class LatencyBook: Sendable {
    private let known: Mutex<Known>

    private struct Known {
        /// In the pipeline's order; without ports for a signal that has none.
        var inputs: [[JackPort]] = []
        var outputs: [[JackPort]] = []
        /// The ports that give sound.
        var audioOutputs: [JackPort] = []
        var paths: LatencyPaths
    }

    init(_ paths: LatencyPaths) { known = Mutex(Known(paths: paths)) }

    /// Takes the paths of another plan; JACK is to be told by `jack_recompute_total_latencies`.
    func replace(_ paths: LatencyPaths) { known.withLock { $0.paths = paths } }

    /// Takes other ports, by the names that a pipeline's signals have.
    func replace(_ book: PortBook, inputNames: [String], outputNames: [String]) {
        let inputs = inputNames.map { ports(of: $0, book.inputs) }
        let outputs = outputNames.map { ports(of: $0, book.outputs) }
        known.withLock {
            $0.inputs = inputs
            $0.outputs = outputs
            $0.audioOutputs = book.outputs.filter { $0.signal.kind == .audio }.flatMap(\.ports)
        }
    }

    /// Answers JACK's question for one direction, in its latency callback.
    func answer(_ mode: jack_latency_callback_mode_t) {
        let known = known.withLock { $0 }
        if mode == JackCaptureLatency {
            let before = known.inputs.map { latency(of: $0, mode) }
            for (place, ports) in known.outputs.enumerated() {
                let range = known.paths.capture(ofOutput: place, inputs: before)
                for port in ports { port.setLatency(range, mode) }
            }
        } else {
            let after = known.outputs.map { latency(of: $0, mode) }
            for (place, ports) in known.inputs.enumerated() {
                let range = known.paths.playback(ofInput: place, outputs: after)
                for port in ports { port.setLatency(range, mode) }
            }
        }
    }

    /// From the sound card's input through the pipeline to its output, in frames, as far as we are connected.
    var roundTripFrames: Int {
        known.withLock { $0.audioOutputs }.map {
            $0.latency(JackCaptureLatency).most + $0.latency(JackPlaybackLatency).most
        }.max() ?? 0
    }
}

private func ports(of name: String, _ signals: [SignalPorts]) -> [JackPort] {
    signals.first { $0.signal.name == name }?.ports ?? []
}

/// The latency of all ports of a signal that are connected; nil where none is.
private func latency(
    of ports: [JackPort], _ mode: jack_latency_callback_mode_t
) -> LatencyRange? {
    LatencyRange.around(
        ports.filter { jack_port_connected($0.handle) > 0 }.map { $0.latency(mode) })
}
