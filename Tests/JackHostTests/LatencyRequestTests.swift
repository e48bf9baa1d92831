import CJack
import Glibc
import JackHost
import Pipelines
import SessionCore
import Synchronization
import Testing

extension JackTests {
    /// How often JACK asks all clients for their latencies.
    @Suite struct LatencyRequestTests {
        /// A client that counts the questions.
        private final class Listener {
            private let client: TestClient
            private let questions = Questions()

            init() throws {
                client = try #require(TestClient(named: "listener"))
                jack_set_latency_callback(
                    client.handle,
                    { _, context in
                        guard let context else { return }
                        // SAFETY: the object lives until the client is closed.
                        Unmanaged<Questions>.fromOpaque(context).takeUnretainedValue()
                            .count.add(1, ordering: .relaxed)
                    }, Unmanaged.passUnretained(questions).toOpaque())
                client.start()
            }

            deinit { client.close() }

            var count: Int { questions.count.load(ordering: .relaxed) }

            /// Returns the count when it has been the same for a fifth of a second.
            func settledCount() -> Int {
                var last = count
                for _ in 0..<50 {
                    usleep(200_000)
                    if count == last { break }
                    last = count
                }
                return last
            }
        }

        private final class Questions: Sendable {
            let count = Atomic(0)
        }

        private func edit(_ session: RunningSession, node: String, frames: Int) throws {
            var pipeline = Pipeline.chain(lateFrames: [frames])
            pipeline.nodes[0].id = node
            let reloads = reloadCount(session)
            let song = Song(name: pipeline.name, pipeline: pipeline, path: "")
            session.remote.follow(
                SongCollection(name: pipeline.name, songs: [song], isSetlist: false))
            try #require(
                waitUntil { reloadCount(session) > reloads ? true : nil } != nil,
                "the edit is not active")
        }

        private func reloadCount(_ session: RunningSession) -> Int {
            session.reported.count { if case .reloaded = $0 { true } else { false } }
        }

        @Test(
            "JACK asks again after an exchange only if a latency has changed",
            .onJack("PipeWire asks whenever a client announces a latency"))
        func exchanges() throws {
            let patchbay = try Patchbay()
            defer { withExtendedLifetime(patchbay) {} }
            let listener = try Listener()
            let session = try RunningSession(.chain(lateFrames: [10]))
            defer { session.stop() }
            let first = listener.settledCount()
            try edit(session, node: "same", frames: 10)
            #expect(listener.settledCount() == first)
            try edit(session, node: "later", frames: 20)
            #expect(waitUntil { listener.count > first ? true : nil } != nil)
        }
    }
}
