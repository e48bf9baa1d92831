internal import CJack
internal import Pipelines

/// A port of the program.
struct JackPort: @unchecked Sendable {
    // SAFETY: the handle is valid until the port is unregistered or the client is closed, and any
    // thread may call libjack's port functions.
    let handle: OpaquePointer
    let isInput: Bool
    /// The port's name without the client's name.
    private(set) var name: String

    /// Registers a port: `jack_port_register`.
    ///
    /// - Throws: `JackError.portRefused`.
    init(
        name: String, kind: Pipeline.SignalKind, isInput: Bool, client: JackClient
    ) throws(JackError) {
        let type = kind == .audio ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE
        let direction = isInput ? JackPortIsInput : JackPortIsOutput
        guard
            let handle = client.requests.send({
                jack_port_register(client.handle, name, type, UInt(direction.rawValue), 0)
            })
        else { throw .portRefused(name: name) }
        self.handle = handle
        self.isInput = isInput
        self.name = name
    }

    /// The identity that metadata uses: `jack_port_uuid`.
    var identity: jack_uuid_t { jack_port_uuid(handle) }

    /// Renames the port, which keeps its connections: `jack_port_rename`.
    ///
    /// - Returns: Whether the port has the new name; otherwise it keeps the old one.
    mutating func rename(_ newName: String, client: JackClient) -> Bool {
        let handle = handle
        let status = client.requests.send { jack_port_rename(client.handle, handle, newName) }
        guard status == 0 else { return false }
        name = newName
        return true
    }

    /// Removes the port from the graph: `jack_port_unregister`.
    func unregister(_ client: JackClient) {
        _ = client.requests.send { jack_port_unregister(client.handle, handle) }
    }

    /// Returns the full names of all ports connected to this one: `jack_port_get_all_connections`.
    func connections(_ client: JackClient) -> [String] {
        names(jack_port_get_all_connections(client.handle, handle))
    }

    /// Returns the latency range of the port: `jack_port_get_latency_range`.
    func latency(_ mode: jack_latency_callback_mode_t) -> LatencyRange {
        var range = jack_latency_range_t(min: 0, max: 0)
        jack_port_get_latency_range(handle, mode, &range)
        return LatencyRange(minimum: Int(range.min), maximum: Int(range.max))
    }

    /// Sets the latency of the port: `jack_port_set_latency_range`.
    ///
    /// With JACK, call it only in the latency callback; with PipeWire, never in a callback.
    func setLatency(_ latency: LatencyRange, _ mode: jack_latency_callback_mode_t) {
        // Other clients may announce latencies up to the largest 32-bit number. Our own latency is
        // added, so the sum may not fit.
        var range = jack_latency_range_t(
            min: UInt32(clamping: latency.minimum), max: UInt32(clamping: latency.maximum))
        jack_port_set_latency_range(handle, mode, &range)
    }
}

/// Returns the strings in a list from libjack, and frees the list.
func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let list else { return [] }
    defer { jack_free(list) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
}
