internal import CJack
internal import Glibc

/// The two JACK clients next to the program under test.
///
/// `hands` plays to it, and `ears` listens to it. They are separate clients: otherwise JACK would
/// break the loop, and the returned sound would be from the previous cycle.
struct Clients {
    // SAFETY: the states live as long as the process. Only the callbacks use them, except for their
    // atomics and for recorded frames, which no longer change.
    private let hands: UnsafeMutablePointer<Hands>
    private let ears: UnsafeMutablePointer<Ears>
    private let handsClient: OpaquePointer
    private let earsClient: OpaquePointer

    /// The longest wait for frames or for a sent message, in polls of 1 ms.
    private static let mostPolls = 60_000

    /// Joins a server; returns `nil` if there is no server.
    init?(server: String) {
        guard let ears = Self.open("ears", server),
            let left = Self.port(ears, "left", JackPortIsInput),
            let right = Self.port(ears, "right", JackPortIsInput),
            let phones = Self.port(ears, "phones", JackPortIsInput),
            let hands = Self.open("hands", server),
            let tone = Self.port(hands, "tone", JackPortIsOutput),
            let pedals = Self.port(hands, "pedals", JackPortIsOutput, JACK_DEFAULT_MIDI_TYPE)
        else { return nil }
        (earsClient, handsClient) = (ears, hands)
        self.ears = .allocate(capacity: 1)
        self.ears.initialize(to: Ears(left: left, right: right, phones: phones))
        self.hands = .allocate(capacity: 1)
        self.hands.initialize(
            to: Hands(
                tone: tone, pedals: pedals, sampleRate: Double(jack_get_sample_rate(hands))))
        jack_set_process_callback(
            ears,
            { frames, ears in
                ears?.assumingMemoryBound(to: Ears.self).pointee.process(frames)
                return 0
            }, self.ears)
        jack_set_process_callback(
            hands,
            { frames, hands in
                hands?.assumingMemoryBound(to: Hands.self).pointee.process(frames)
                return 0
            }, self.hands)
        jack_activate(ears)
        jack_activate(hands)
    }

    private static func open(_ name: String, _ server: String) -> OpaquePointer? {
        var status = JackStatus(0)
        return jack_client_open_at(name, JackNoStartServer, &status, server)
    }

    private static func port(
        _ client: OpaquePointer, _ name: String, _ direction: JackPortFlags,
        _ type: String = JACK_DEFAULT_AUDIO_TYPE
    ) -> OpaquePointer? {
        jack_port_register(client, name, type, UInt(direction.rawValue), 0)
    }

    func close() {
        jack_client_close(handsClient)
        jack_client_close(earsClient)
    }

    func connect(_ from: String, _ to: String) -> Int32 { jack_connect(handsClient, from, to) }

    func play(level: Float) { hands.pointee.play(level: level) }

    /// Sends a MIDI message, and waits until it is in a cycle.
    ///
    /// - Returns: Whether a cycle came.
    func send(_ bytes: [UInt8]) -> Bool {
        hands.pointee.send(bytes)
        return waits { hands.pointee.isMessageSent }
    }

    /// The number of frames recorded so far.
    var recordedFrames: Int { ears.pointee.frames }

    /// Waits until a number of frames is recorded.
    ///
    /// - Returns: Whether they came.
    func waits(forFrame frame: Int) -> Bool {
        waits { ears.pointee.frames >= frame || ears.pointee.isFull } && !ears.pointee.isFull
    }

    /// Writes recorded frames to a file.
    func write(_ frames: Range<Int>, to file: UnsafeMutablePointer<FILE>) -> Bool {
        ears.pointee.write(frames, to: file)
    }

    private func waits(_ condition: () -> Bool) -> Bool {
        for _ in 0..<Self.mostPolls {
            if condition() { return true }
            usleep(1_000)
        }
        return false
    }
}
