internal import CJack
internal import Engine
internal import Pipelines
internal import Synchronization

/// The state for the latency callback: the program's ports, and the current latencies between them.
final class LatencyResponder: Sendable {
    private let state: Mutex<State>

    private struct State {
        /// In the order of the paths' signals; empty for a signal without ports.
        var inputs: [[JackPort]] = []
        var outputs: [[JackPort]] = []
        /// The audio outputs: their ports, and the index of each in the paths.
        var audioOutputs: [(ports: [JackPort], index: Int?)] = []
        var paths: LatencyPaths
    }

    init(_ paths: LatencyPaths) { state = Mutex(State(paths: paths)) }

    /// Replaces the ports and the paths between them.
    ///
    /// JACK's thread may call `answer` at any moment, so both are replaced together: songs and edited
    /// files have other numbers of signals.
    ///
    /// - Parameters:
    ///   - registered: The ports.
    ///   - paths: The paths.
    /// - Returns: Whether the paths have changed, so that `jack_recompute_total_latencies` must
    ///   follow.
    func replace(_ registered: RegisteredPorts, _ paths: LatencyPaths) -> Bool {
        let inputs = paths.inputNames.map { ports(of: $0, registered.inputs) }
        let outputs = paths.outputNames.map { ports(of: $0, registered.outputs) }
        let audioOutputs = registered.outputs.filter { $0.signal.kind == .audio }.map { output in
            (output.ports, paths.outputNames.firstIndex(of: output.signal.name))
        }
        return state.withLock { state in
            defer { state.paths = paths }
            (state.inputs, state.outputs, state.audioOutputs) = (inputs, outputs, audioOutputs)
            return state.paths != paths
        }
    }

    /// Sets the latencies of one direction, in JACK's latency callback or on the session's thread.
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
        let state = state.withLock { $0 }
        return state.audioOutputs.flatMap { output in
            output.ports.map { port in
                let reported = port.latency(JackPlaybackLatency)
                let playback = output.index.map {
                    state.paths.playback(ofOutput: $0, reported: reported)
                }
                return port.latency(JackCaptureLatency).maximum + (playback ?? reported).maximum
            }
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
