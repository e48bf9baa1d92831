internal import CJack
internal import Pipelines

/// A port of our own.
struct JackPort: @unchecked Sendable {
    // SAFETY: the handle is valid until the client is closed, and libjack's port functions may be called by any thread.
    let handle: OpaquePointer
    let isInput: Bool

    /// Registers a port: `jack_port_register`.
    ///
    /// - Throws: `JackFault.portRefused`.
    init(
        name: String, kind: Pipeline.SignalKind, isInput: Bool, client: JackClient
    ) throws(JackFault) {
        let type = kind == .audio ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE
        let direction = isInput ? JackPortIsInput : JackPortIsOutput
        guard
            let handle = jack_port_register(
                client.handle, name, type, UInt(direction.rawValue), 0)
        else { throw .portRefused(name: name) }
        self.handle = handle
        self.isInput = isInput
    }

    /// The name with the client's: `jack_port_name`.
    var fullName: String { String(cString: jack_port_name(handle)) }

    /// The least and the most latency in frames: `jack_port_get_latency_range`.
    func latency(_ mode: jack_latency_callback_mode_t) -> LatencyRange {
        var range = jack_latency_range_t(min: 0, max: 0)
        jack_port_get_latency_range(handle, mode, &range)
        return LatencyRange(least: Int(range.min), most: Int(range.max))
    }

    /// Says what latency the port has: `jack_port_set_latency_range`.
    ///
    /// For the latency callback alone.
    func setLatency(_ latency: LatencyRange, _ mode: jack_latency_callback_mode_t) {
        var range = jack_latency_range_t(min: UInt32(latency.least), max: UInt32(latency.most))
        jack_port_set_latency_range(handle, mode, &range)
    }
}
