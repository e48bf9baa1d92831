internal import CJack
internal import Synchronization

/// A JACK client that sends white noise to all audio inputs and random MIDI to all MIDI inputs of
/// another client, and receives its MIDI.
final class NoiseClient: @unchecked Sendable {
    // SAFETY: only the callback uses `source`; `close` is called once, by the last user of the
    // client.
    let handle: OpaquePointer
    private let source: UnsafeMutablePointer<NoiseSource>

    init?(into client: String) {
        var status = JackStatus(0)
        guard let handle = jack_client_open_at("noise", JackNoStartServer, &status, nil),
            let port = jack_port_register(
                handle, "out", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0),
            let notes = jack_port_register(
                handle, "notes", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue), 0),
            let lights = jack_port_register(
                handle, "lights", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0)
        else { return nil }
        self.handle = handle
        source = .allocate(capacity: 1)
        source.initialize(to: NoiseSource(port: port, notes: notes, lights: lights))
        jack_set_process_callback(
            handle,
            { frames, source in
                source?.assumingMemoryBound(to: NoiseSource.self).pointee.process(frames)
                return 0
            }, source)
        jack_activate(handle)
        connectAll(JACK_DEFAULT_AUDIO_TYPE, from: "out", to: client)
        connectAll(JACK_DEFAULT_MIDI_TYPE, from: "notes", to: client)
        connectOutputs(of: client, to: "lights")
    }

    /// The number of messages that the other client has sent.
    var heardCount: Int { source.pointee.heardCount.load(ordering: .relaxed) }

    func close() {
        jack_client_close(handle)
        source.deallocate()
    }

    private func connectOutputs(of client: String, to input: String) {
        let ports = jack_get_ports(
            handle, "^\(client):", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue))
        guard let ports else { return }
        defer { jack_free(ports) }
        let own = String(cString: jack_get_client_name(handle)) + ":" + input
        var index = 0
        while let port = ports[index] {
            jack_connect(handle, port, own)
            index += 1
        }
    }

    private func connectAll(_ type: String, from output: String, to client: String) {
        let ports = jack_get_ports(
            handle, "^\(client):", type, UInt(JackPortIsInput.rawValue))
        guard let ports else { return }
        defer { jack_free(ports) }
        let own = String(cString: jack_get_client_name(handle)) + ":" + output
        var index = 0
        while let port = ports[index] {
            jack_connect(handle, own, port)
            index += 1
        }
    }
}

private struct NoiseSource: ~Copyable {
    let port: OpaquePointer
    let notes: OpaquePointer
    let lights: OpaquePointer
    let heardCount = Atomic<Int>(0)
    private var random = SeededRandom(seed: 7)

    init(port: OpaquePointer, notes: OpaquePointer, lights: OpaquePointer) {
        (self.port, self.notes, self.lights) = (port, notes, lights)
    }

    mutating func process(_ frames: jack_nframes_t) {
        guard let samples = jack_rt_samples(port, frames) else { return }
        for frame in 0..<Int(frames) {
            samples[frame] = Float.random(in: -0.5...0.5, using: &random)
        }
        playMessage(Int(frames))
        if let buffer = jack_rt_events(lights, frames) {
            heardCount.add(Int(jack_rt_event_count(buffer)), ordering: .relaxed)
        }
    }

    /// The messages of a MIDI clock: tick, start, continue, stop.
    private static let clockBytes: [UInt8] = [0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xFA, 0xFB, 0xFC]

    /// Writes a note, a control, a program, the pitch bend wheel, a pressure, a message of a clock, or
    /// meaningless bytes at a frame of the cycle.
    private mutating func playMessage(_ frames: Int) {
        guard let buffer = jack_rt_empty_events(notes, jack_nframes_t(frames)) else { return }
        let message: [UInt8] = [
            UInt8.random(in: random.next() % 64 == 0 ? 0...0xff : 0x80...0xef, using: &random),
            UInt8.random(in: 0...127, using: &random),
            UInt8.random(in: random.next() % 64 == 0 ? 0...0xff : 0...127, using: &random),
        ]
        let frame = Int32.random(in: 0..<Int32(max(1, frames)), using: &random)
        if random.next() % 16 == 0, let byte = Self.clockBytes.randomElement(using: &random) {
            _ = jack_rt_give_event(buffer, frame, [byte], 1)
        } else {
            // Programs and pressures of channels have two bytes.
            let byteCount: Int32 = message[0] & 0xe0 == 0xc0 ? 2 : 3
            _ = jack_rt_give_event(buffer, frame, message, byteCount)
        }
    }
}
