import CJack
import Glibc
import Synchronization
import Testing

/// Somebody at the instruments: a JACK client that plays sound and MIDI, hears both, and knows the server's frame of it all.
///
/// Whoever plays should be another one than who hears: JACK puts a cycle between a client and itself.
final class Player: @unchecked Sendable {
    // SAFETY: the process callback uses `hands` alone, whose fields that change are atomics or guarded by them.
    let handle: OpaquePointer
    private let hands: UnsafeMutablePointer<PlayerHands>

    /// Joins the server that all tests share, with the ports `out`, `in`, `keys` and `lights`.
    init(_ name: String) throws {
        _ = TestServer.shared
        let client = try #require(TestClient.open(name))
        handle = client
        hands = .allocate(capacity: 1)
        hands.initialize(to: PlayerHands(client))
        jack_set_process_callback(
            client,
            { frames, context in
                context?.assumingMemoryBound(to: PlayerHands.self).pointee.process(frames)
                return 0
            }, hands)
        jack_activate(client)
    }

    deinit {
        jack_client_close(handle)
        hands.deinitialize(count: 1)
        hands.deallocate()
    }

    // MARK: Playing

    /// Plays a sequence over and over, from the next cycle on.
    func play(_ loop: [Float]) { hands.pointee.play(loop) }

    /// Plays a sequence once, and returns the frame of its first sample.
    func playOnce(_ sequence: [Float]) -> UInt32 {
        hands.pointee.play(sequence, isLoop: false)
        return waitUntil { hands.pointee.loopStart } ?? 0
    }

    /// Sends a MIDI message in the next cycle, at that frame of it; the server's frame comes back.
    @discardableResult
    func send(_ bytes: UInt8..., at offset: Int = 0) -> UInt32 {
        hands.pointee.post(bytes, offset)
        return waitUntil { hands.pointee.sentFrame } ?? 0
    }

    // MARK: Hearing

    /// How many frames were heard so far.
    var heardFrames: Int { hands.pointee.heardFrames }

    /// The frame heard last.
    var now: Float { hands.pointee.heard.last ?? 0 }

    /// All that was heard.
    var heard: [Float] { hands.pointee.heard }

    /// What was heard from a server's frame on.
    func heard(from frame: UInt32) -> [Float] { hands.pointee.heard(from: frame) }

    /// Goes on hearing for so many frames, and returns them.
    func hear(_ frames: Int) -> [Float] {
        let start = heardFrames
        _ = waitUntil { heardFrames >= start + frames ? true : nil }
        return Array(heard[start...].prefix(frames))
    }

    /// Waits until a value is heard, at most 5 s.
    func waits(for value: Float, within tolerance: Float = 1e-4) -> Bool {
        waitUntil { abs(now - value) <= tolerance ? true : nil } ?? false
    }

    /// The messages heard so far.
    var heardMessages: [[UInt8]] { hands.pointee.heardMessages }

    /// Waits until a message is among those heard after so many, at most 5 s.
    func waits(for message: [UInt8], after count: Int = 0) -> Bool {
        waitUntil { heardMessages.dropFirst(count).contains(message) ? true : nil } ?? false
    }
}

extension TestClient {
    /// A client's handle; nil where the server does not take it.
    fileprivate static func open(_ name: String) -> OpaquePointer? {
        var status = JackStatus(0)
        return jack_client_open_at(name, JackNoStartServer, &status, nil)
    }
}
