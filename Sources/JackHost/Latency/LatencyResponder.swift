internal import CJack
internal import Engine
internal import Pipelines
internal import Synchronization

/// The state for the latency callback: the program's ports, and the current latencies between them.
final class LatencyResponder: Sendable {
    private let state: Mutex<State>

    private struct State {
        /// In the order of the pipeline; empty for a signal without ports.
        var inputs: [[JackPort]] = []
        var outputs: [[JackPort]] = []
        /// The ports of all audio outputs.
        var audioOutputs: [JackPort] = []
        var paths: LatencyPaths
    }

    init(_ paths: LatencyPaths) { state = Mutex(State(paths: paths)) }

    /// Replaces the paths by those of another plan; `jack_recompute_total_latencies` must follow.
    func replace(_ paths: LatencyPaths) { state.withLock { $0.paths = paths } }

    /// Replaces the ports, in the order of a pipeline's signals.
    func replace(_ registered: RegisteredPorts, inputNames: [String], outputNames: [String]) {
        let inputs = inputNames.map { ports(of: $0, registered.inputs) }
        let outputs = outputNames.map { ports(of: $0, registered.outputs) }
        state.withLock {
            $0.inputs = inputs
            $0.outputs = outputs
            $0.audioOutputs = registered.outputs.filter { $0.signal.kind == .audio }.flatMap(
                \.ports)
        }
    }

    /// Sets the latencies of one direction, in JACK's latency callback.
    func answer(_ mode: jack_latency_callback_mode_t) {
        let state = state.withLock { $0 }
        if mode == JackCaptureLatency {
            let before = state.inputs.map { latency(of: $0, mode) }
            for (index, ports) in state.outputs.enumerated() {
                let range = state.paths.capture(ofOutput: index, inputs: before)
                for port in ports { port.setLatency(range, mode) }
            }
        } else {
            let after = state.outputs.map { latency(of: $0, mode) }
            for (index, ports) in state.inputs.enumerated() {
                let range = state.paths.playback(ofInput: index, outputs: after)
                for port in ports { port.setLatency(range, mode) }
            }
        }
    }

    /// The latency from the sound card's input through the pipeline to its output, in frames, as
    /// far as the ports are connected.
    var roundTripFrames: Int {
        state.withLock { $0.audioOutputs }.map {
            $0.latency(JackCaptureLatency).maximum + $0.latency(JackPlaybackLatency).maximum
        }.max() ?? 0
    }
}

private func ports(of name: String, _ signals: [SignalPorts]) -> [JackPort] {
    signals.first { $0.signal.name == name }?.ports ?? []
}

/// Returns the latency of the connected ports of a signal; `nil` if none is connected.
private func latency(
    of ports: [JackPort], _ mode: jack_latency_callback_mode_t
) -> LatencyRange? {
    LatencyRange.enclosing(
        ports.filter { jack_port_connected($0.handle) > 0 }.map { $0.latency(mode) })
}
