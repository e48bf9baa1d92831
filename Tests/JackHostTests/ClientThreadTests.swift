import CJack
import Glibc
import Synchronization
import Testing

extension JackTests {
    /// The thread by which a client hears from the server.
    @Suite struct ClientThreadTests {
        /// What the thread has seen of itself.
        private final class Sight: Sendable {
            /// As `pthread_setcanceltype` tells; -1 before.
            let cancelType = Atomic<Int32>(-1)
        }

        @Test("is ended only where it waits, once it has heard of the graph")
        func cancelType() throws {
            let sight = Sight()
            let client = try Patchbay().client
            jack_set_client_registration_callback(
                client.handle,
                { _, _, sight in
                    guard let sight else { return }
                    var type: Int32 = 0
                    pthread_setcanceltype(Int32(PTHREAD_CANCEL_DEFERRED), &type)
                    Unmanaged<Sight>.fromOpaque(sight).takeUnretainedValue()
                        .cancelType.store(type, ordering: .relaxed)
                    pthread_setcanceltype(type, nil)
                }, Unmanaged.passUnretained(sight).toOpaque())
            client.start()
            let type = waitUntil {
                // Heard of by the one, and a change of the graph.
                let newcomer = TestClient(named: "newcomer")
                newcomer?.start()
                newcomer?.close()
                let type = sight.cancelType.load(ordering: .relaxed)
                return type == Int32(PTHREAD_CANCEL_DEFERRED) ? type : nil
            }
            #expect(type == Int32(PTHREAD_CANCEL_DEFERRED))
            client.close()
            withExtendedLifetime(sight) {}
        }
    }
}
