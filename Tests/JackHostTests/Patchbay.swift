import CJack
import Glibc
import JackHost
import Testing

/// The graph as a separate client in the test sees it.
struct Patchbay {
    let client: TestClient

    init() throws {
        _ = TestServer.shared
        guard let client = TestClient(named: "patchbay") else {
            throw JackError.noServer(name: nil)
        }
        self.client = client
    }

    /// Waits until the client knows all ports that exist.
    func refresh() {
        // JACK's own clients know them. PipeWire's server answers the request for a port after it
        // has described the others.
        guard JackLibrary.loaded.isPipeWire else { return }
        client.removePort(client.addPort("refresh", isInput: true))
    }

    /// Returns the full names of all ports of a client, in order of their characters.
    func ports(of name: String) -> [String] {
        guard let found = jack_get_ports(client.handle, "^\(name):", nil, 0) else { return [] }
        defer { jack_free(found) }
        var names: [String] = []
        while let name = found[names.count] { names.append(String(cString: name)) }
        return names.sorted()
    }

    func isConnected(_ from: String, _ to: String) -> Bool {
        guard let port = jack_port_by_name(client.handle, from),
            let connections = jack_port_get_all_connections(client.handle, port)
        else { return false }
        defer { jack_free(connections) }
        var index = 0
        while let name = connections[index] {
            if String(cString: name) == to { return true }
            index += 1
        }
        return false
    }

    /// Waits until two ports are connected or disconnected, for at most 5 s.
    func waits(_ from: String, _ to: String, connected: Bool = true) -> Bool {
        waitUntil { isConnected(from, to) == connected ? true : nil } ?? false
    }

    /// Waits until a port exists or does not exist, for at most 5 s.
    func waits(port: String, exists: Bool = true) -> Bool {
        waitUntil { (jack_port_by_name(client.handle, port) != nil) == exists ? true : nil }
            ?? false
    }

    /// Returns a player of a steady 0.5 and a recorder, connected by hand through a client, when
    /// the recorder receives the sound.
    func steadySound(
        through name: String
    ) throws -> (player: TestClient, recorder: TestClient) {
        let player = try #require(TestClient(named: "player"))
        let recorder = try #require(TestClient(named: "recorder"))
        player.prepareToPlay(Array(repeating: 0.5, count: 48_000 * 60))
        recorder.prepareToRecord(frames: 48_000 * 60)
        player.play()
        connect("player:out", "\(name):mic")
        connect("\(name):main", "recorder:in")
        #expect(waitUntil { recorder.lastRecorded == 0.5 ? true : nil } == true)
        return (player, recorder)
    }

    /// Connects two ports as soon as the client knows both: PipeWire's library learns of ports that
    /// exist only when its own thread has received their descriptions.
    func connect(_ from: String, _ to: String) {
        #expect(waits(port: from) && waits(port: to), "\(from) or \(to) does not exist")
        let isConnected = waitUntil {
            [0, EEXIST].contains(jack_connect(client.handle, from, to)) ? true : nil
        }
        #expect(isConnected == true, "\(from) cannot be connected to \(to)")
    }

    func disconnect(_ from: String, _ to: String) { jack_disconnect(client.handle, from, to) }

    /// Returns a port's identity in JACK's metadata; `nil` if the port does not exist.
    func identity(_ port: String) -> jack_uuid_t? {
        jack_port_by_name(client.handle, port).map { jack_port_uuid($0) }
    }

    /// Returns the value of a port's metadata; `nil` if the port has no such value.
    func metadata(_ port: String, _ key: String) -> String? {
        identity(port).flatMap { metadata($0, key) }
    }

    /// Returns an identity's metadata, which may outlive the port; `nil` if no value is set.
    func metadata(_ identity: jack_uuid_t, _ key: String) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        var type: UnsafeMutablePointer<CChar>?
        guard jack_get_property(identity, key, &value, &type) == 0, let value else { return nil }
        defer {
            jack_free(value)
            jack_free(type)
        }
        return String(cString: value)
    }

    /// Returns a port's maximum latency in frames; `nil` if there is no such port.
    func latency(_ port: String, _ mode: jack_latency_callback_mode_t) -> Int? {
        guard let handle = jack_port_by_name(client.handle, port) else { return nil }
        var range = jack_latency_range_t(min: 0, max: 0)
        jack_port_get_latency_range(handle, mode, &range)
        return Int(range.max)
    }
}
