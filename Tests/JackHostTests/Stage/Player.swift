import CJack
import Glibc
import Synchronization
import Testing

/// A JACK client that plays sound and MIDI, records both, and knows the server's frame of each
/// event.
///
/// Use one client to play and another to listen: JACK adds a cycle between a client's own output
/// and input.
final class Player: @unchecked Sendable {
    // SAFETY: the process callback only uses `callback`, whose variable fields are atomics or guarded
    // by atomics.
    let handle: OpaquePointer
    private let callback: UnsafeMutablePointer<PlayerCallback>

    /// Joins the server that all tests share, with the ports `out`, `in`, `keys` and `lights`.
    init(_ name: String) throws {
        _ = TestServer.shared
        let client = try #require(TestClient.open(name))
        handle = client
        callback = .allocate(capacity: 1)
        callback.initialize(to: PlayerCallback(client))
        jack_set_process_callback(
            client,
            { frames, context in
                context?.assumingMemoryBound(to: PlayerCallback.self).pointee.process(frames)
                return 0
            }, callback)
        jack_activate(client)
    }

    deinit {
        jack_client_close(handle)
        callback.deinitialize(count: 1)
        callback.deallocate()
    }

    // MARK: Playing

    /// Plays a sequence repeatedly, from the next cycle on.
    func play(_ loop: [Float]) { callback.pointee.play(loop) }

    /// Plays a sequence once, and returns the frame of its first sample.
    func playOnce(_ sequence: [Float]) -> UInt32 {
        callback.pointee.play(sequence, isLoop: false)
        return waitUntil { callback.pointee.loopStart } ?? 0
    }

    /// Sends a MIDI message in the next cycle, at the given frame of the cycle, and returns the
    /// server's frame.
    @discardableResult
    func send(_ bytes: UInt8..., at offset: Int = 0) -> UInt32 {
        callback.pointee.post(bytes, offset)
        return waitUntil { callback.pointee.sentFrame } ?? 0
    }

    // MARK: Listening

    /// The number of frames received so far.
    var heardFrames: Int { callback.pointee.heardFrames }

    /// The last frame received.
    var now: Float { callback.pointee.heard.last ?? 0 }

    /// All frames received so far.
    var heard: [Float] { callback.pointee.heard }

    /// Returns the frames received from a frame of the server on.
    func heard(from frame: UInt32) -> [Float] { callback.pointee.heard(from: frame) }

    /// Receives the given number of further frames, and returns them.
    func record(_ frames: Int) -> [Float] {
        let start = heardFrames
        _ = waitUntil { heardFrames >= start + frames ? true : nil }
        return Array(heard[start...].prefix(frames))
    }

    /// Waits until a value is received, for at most 5 s.
    func waits(for value: Float, within tolerance: Float = 1e-4) -> Bool {
        waitUntil { abs(now - value) <= tolerance ? true : nil } ?? false
    }

    /// The messages received so far.
    var heardMessages: [[UInt8]] { callback.pointee.heardMessages }

    /// Waits until a message is received after the first `count` messages, for at most 5 s.
    func waits(for message: [UInt8], after count: Int = 0) -> Bool {
        waitUntil { heardMessages.dropFirst(count).contains(message) ? true : nil } ?? false
    }
}

extension TestClient {
    /// Returns a client's handle; `nil` if the server refuses the client.
    fileprivate static func open(_ name: String) -> OpaquePointer? {
        var status = JackStatus(0)
        return jack_client_open_at(name, JackNoStartServer, &status, nil)
    }
}
