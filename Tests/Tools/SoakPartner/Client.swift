internal import CJack

/// A JACK client whose callback uses a state that lives as long as the process.
struct Client<Sound: ~Copyable> {
    let handle: OpaquePointer
    // SAFETY: only the callback uses it, except for its atomics.
    let sound: UnsafeMutablePointer<Sound>

    /// Opens a client; returns `nil` if there is no server.
    static func open(_ name: String, server: String) -> OpaquePointer? {
        var status = JackStatus(0)
        return jack_client_open_at(name, JackNoStartServer, &status, server)
    }

    init(_ handle: OpaquePointer, _ sound: consuming Sound) {
        self.handle = handle
        self.sound = .allocate(capacity: 1)
        self.sound.initialize(to: sound)
    }

    func begin(_ callback: JackProcessCallback) {
        jack_set_process_callback(handle, callback, sound)
        jack_activate(handle)
    }
}

/// Adds a port to a client.
func addPort(
    _ client: OpaquePointer, _ name: String, isInput: Bool, type: String = JACK_DEFAULT_AUDIO_TYPE
) -> OpaquePointer? {
    let direction = isInput ? JackPortIsInput : JackPortIsOutput
    return jack_port_register(client, name, type, UInt(direction.rawValue), 0)
}
