import CJack
import Glibc
import Synchronization
import Testing

/// A JACK client that notes the position of JACK's transport in each of its cycles, as any program
/// sees it.
final class TransportListener: @unchecked Sendable {
    // SAFETY: the process callback writes `times` before it counts them, and the test's thread only
    // reads counted ones.
    let handle: OpaquePointer
    private let state: UnsafeMutablePointer<State>

    private struct State: ~Copyable {
        static let capacity = 1 << 18
        let client: OpaquePointer
        let times = UnsafeMutablePointer<JackTime>.allocate(capacity: State.capacity)
        let count = Atomic<Int>(0)

        init(_ client: OpaquePointer) { self.client = client }

        borrowing func process() {
            let index = count.load(ordering: .relaxed)
            guard index < Self.capacity else { return }
            times[index] = jack_rt_time(client)
            count.store(index + 1, ordering: .releasing)
        }
    }

    /// Joins the server that all tests share, and stops its transport at frame 0.
    init(_ name: String) throws {
        _ = TestServer.shared
        var status = JackStatus(0)
        let client = try #require(jack_client_open_at(name, JackNoStartServer, &status, nil))
        handle = client
        state = .allocate(capacity: 1)
        state.initialize(to: State(client))
        jack_set_process_callback(
            client,
            { _, context in
                context?.assumingMemoryBound(to: State.self).pointee.process()
                return 0
            }, state)
        jack_activate(client)
        // Other tests leave the transport where they stopped it.
        rewind()
    }

    deinit {
        jack_client_close(handle)
        state.pointee.times.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The positions of all cycles so far.
    var times: [JackTime] {
        let count = state.pointee.count.load(ordering: .acquiring)
        return Array(UnsafeBufferPointer(start: state.pointee.times, count: count))
    }

    /// Notes a number of further cycles, and returns them.
    func record(cycles: Int) -> [JackTime] {
        let start = times.count
        _ = waitUntil { times.count >= start + cycles ? true : nil }
        return Array(times[start...].prefix(cycles))
    }

    /// Waits until a cycle meets a condition, for at most 5 s.
    func waits(_ fits: (JackTime) -> Bool) -> Bool {
        waitUntil { times.last.map(fits) == true ? true : nil } ?? false
    }

    /// Stops the transport at frame 0, and removes its beats, for the tests that follow.
    func rewind() {
        jack_transport_stop(handle)
        jack_transport_locate(handle, 0)
        #expect(waits { !$0.isRolling && $0.frame == 0 && !$0.hasBeats })
    }
}

extension JackTime {
    /// The beats since the beginning.
    var beats: Double { Double(bar) * beatsPerBar + barBeat }
}
