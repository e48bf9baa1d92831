internal import CJack

/// A JACK client that puts white noise into all audio inputs of another.
final class NoiseClient: @unchecked Sendable {
    // SAFETY: the callback alone uses `source`; `close` is called once, by the last who uses the client.
    let handle: OpaquePointer
    private let source: UnsafeMutablePointer<NoiseSource>

    init?(into client: String) {
        var status = JackStatus(0)
        guard let handle = jack_client_open_at("noise", JackNoStartServer, &status, nil),
            let port = jack_port_register(
                handle, "out", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
        else { return nil }
        self.handle = handle
        source = .allocate(capacity: 1)
        source.initialize(to: NoiseSource(port: port))
        jack_set_process_callback(
            handle,
            { frames, source in
                source?.assumingMemoryBound(to: NoiseSource.self).pointee.process(frames)
                return 0
            }, source)
        jack_activate(handle)
        connectAll(to: client)
    }

    func close() {
        jack_client_close(handle)
        source.deallocate()
    }

    private func connectAll(to client: String) {
        let ports = jack_get_ports(
            handle, "^\(client):", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue))
        guard let ports else { return }
        defer { jack_free(ports) }
        let own = String(cString: jack_get_client_name(handle)) + ":out"
        var place = 0
        while let port = ports[place] {
            jack_connect(handle, own, port)
            place += 1
        }
    }
}

private struct NoiseSource {
    let port: OpaquePointer
    private var random = SeededRandom(seed: 7)

    init(port: OpaquePointer) { self.port = port }

    mutating func process(_ frames: jack_nframes_t) {
        guard let samples = jack_rt_samples(port, frames) else { return }
        for frame in 0..<Int(frames) {
            samples[frame] = Float.random(in: -0.5...0.5, using: &random)
        }
    }
}
