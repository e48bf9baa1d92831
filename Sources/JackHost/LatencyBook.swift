internal import CJack
internal import Pipelines
internal import Synchronization

/// What the latency callback answers from: our ports, and the paths between them as they are now.
final class LatencyBook: Sendable {
    private let inputs: [SignalPorts]
    private let outputs: [SignalPorts]
    private let paths: Mutex<LatencyPaths>

    init(inputs: [SignalPorts], outputs: [SignalPorts], paths: LatencyPaths) {
        self.inputs = inputs
        self.outputs = outputs
        self.paths = Mutex(paths)
    }

    /// Takes the paths of another plan; JACK is to be told by `jack_recompute_total_latencies`.
    func replace(_ newPaths: LatencyPaths) { paths.withLock { $0 = newPaths } }

    /// Answers JACK's question for one direction, in its latency callback.
    func answer(_ mode: jack_latency_callback_mode_t) {
        let paths = paths.withLock { $0 }
        if mode == JackCaptureLatency {
            let known = inputs.map { $0.latency(mode) }
            for (place, signal) in outputs.enumerated() {
                signal.setLatency(paths.capture(ofOutput: place, inputs: known), mode)
            }
        } else {
            let known = outputs.map { $0.latency(mode) }
            for (place, signal) in inputs.enumerated() {
                signal.setLatency(paths.playback(ofInput: place, outputs: known), mode)
            }
        }
    }

    /// From the sound card's input through the pipeline to its output, in frames, as far as we are connected.
    var roundTripFrames: Int {
        outputs.filter { $0.kind == .audio }.flatMap(\.ports).map {
            $0.latency(JackCaptureLatency).most + $0.latency(JackPlaybackLatency).most
        }.max() ?? 0
    }
}

extension SignalPorts {
    /// The latency of all ports of the signal that are connected; nil where none is.
    fileprivate func latency(_ mode: jack_latency_callback_mode_t) -> LatencyRange? {
        LatencyRange.around(
            ports.filter { jack_port_connected($0.handle) > 0 }.map { $0.latency(mode) })
    }

    fileprivate func setLatency(_ range: LatencyRange, _ mode: jack_latency_callback_mode_t) {
        for port in ports { port.setLatency(range, mode) }
    }
}
