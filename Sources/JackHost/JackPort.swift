internal import CJack
internal import Pipelines

/// A port of our own.
struct JackPort: @unchecked Sendable {
    // SAFETY: the handle is valid until the port is unregistered or the client closed, and libjack's port functions
    // may be called by any thread.
    let handle: OpaquePointer
    let isInput: Bool
    /// The name without the client's.
    private(set) var name: String

    /// Registers a port: `jack_port_register`.
    ///
    /// - Throws: `JackFault.portRefused`.
    init(
        name: String, kind: Pipeline.SignalKind, isInput: Bool, client: JackClient
    ) throws(JackFault) {
        let type = kind == .audio ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE
        let direction = isInput ? JackPortIsInput : JackPortIsOutput
        guard
            let handle = client.requests.make({
                jack_port_register(client.handle, name, type, UInt(direction.rawValue), 0)
            })
        else { throw .portRefused(name: name) }
        self.handle = handle
        self.isInput = isInput
        self.name = name
    }

    /// What metadata knows it by: `jack_port_uuid`.
    var identity: jack_uuid_t { jack_port_uuid(handle) }

    /// Gives it another name; its connections stay: `jack_port_rename`.
    ///
    /// - Returns: Whether it has that name; otherwise it keeps the old one.
    mutating func rename(_ newName: String, client: JackClient) -> Bool {
        let handle = handle
        let status = client.requests.make { jack_port_rename(client.handle, handle, newName) }
        guard status == 0 else { return false }
        name = newName
        return true
    }

    /// Takes it out of the graph: `jack_port_unregister`.
    func unregister(_ client: JackClient) {
        _ = client.requests.make { jack_port_unregister(client.handle, handle) }
    }

    /// The full names of all ports that it is connected to: `jack_port_get_all_connections`.
    func connections(_ client: JackClient) -> [String] {
        names(jack_port_get_all_connections(client.handle, handle))
    }

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

/// The texts of a list of libjack's, which is freed.
func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let list else { return [] }
    defer { jack_free(list) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
}
