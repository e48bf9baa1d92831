import CJack
import Glibc
import Synchronization
import Testing

extension JackTests {
    /// The thread on which a client receives the server's notifications.
    @Suite struct ClientThreadTests {
        /// The thread's observations of itself.
        private final class Sight: Sendable {
            /// The type that `pthread_setcanceltype` returns; -1 before the first notification.
            let cancelType = Atomic<Int32>(-1)
        }

        @Test("can be cancelled only while it waits, after its first graph notification")
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
                // A new client notifies the thread and changes the graph.
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
