import CJack
import Glibc
import JackHost
import Pipelines
import SessionCore
import Synchronization
import Testing

extension JackTests {
    @Suite struct MetadataTests {
        private let prettyName = "http://jackaudio.org/metadata/pretty-name"
        private let order = "http://jackaudio.org/metadata/order"

        @Test("ports have readable names and an order as metadata")
        func metadata() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain(channels: 2))
            let name = waitUntil { patchbay.metadata("Lead voice:main_2", prettyName) }
            #expect(name == "Lead voice main 2")
            #expect(waitUntil { patchbay.metadata("Lead voice:main_2", order) } == "4")
            #expect(patchbay.metadata("Lead voice:mic_1", order) == "1")
            session.stop()
        }

        @Test("a locked metadata store costs only the readable names")
        func lockedStore() throws {
            let patchbay = try Patchbay()
            let store = LockedStore()
            try playWithoutMetadata(store, patchbay)
            store.unlock()
            #expect(waitUntil { patchbay.ports(of: "Locked voice").isEmpty ? true : nil } == true)
        }

        @Test(
            "the client joins another server only after a late metadata writer has ended",
            .onJack("PipeWire must really end before the program leaves it"))
        func writerOutlivesServer() throws {
            let store = LockedStore()
            let session = try RunningSession(.chain()) {
                $0.precedesMetadata = { store.wait() }
                $0.hangSeconds = 0.3
            }
            #expect(waitUntil { store.isAwaited ? true : nil } == true)
            session.remote.loseServer()
            #expect(session.waitFor(Self.isLost) != nil)
            #expect(session.waitFor { $0 == .jackHangs } != nil)
            // The next search for a server starts within a quarter of a second.
            usleep(600_000)
            #expect(session.reported.count { $0 == .jackHangs } == 1)
            #expect(!session.reported.contains(where: Self.isBack))
            store.unlock()
            #expect(session.waitFor(Self.isBack) != nil)
            #expect(session.stop() == .requested)
            #expect(session.reported.count { $0 == .jackHangs } == 1)
        }

        private static func isLost(_ event: SessionEvent) -> Bool {
            if case .serverLost = event { true } else { false }
        }

        private static func isBack(_ event: SessionEvent) -> Bool {
            if case .serverBack = event { true } else { false }
        }

        private func playWithoutMetadata(_ store: LockedStore, _ patchbay: Patchbay) throws {
            let pipeline = Pipeline.chain(
                "Locked voice", connectInput: [.pattern("guest:out_\\d")])
            let session = try RunningSession(pipeline) { $0.precedesMetadata = { store.wait() } }
            let guest = try #require(TestClient(named: "guest"))
            guest.addPort("out_1", isInput: false)
            guest.start()
            #expect(patchbay.waits("guest:out_1", "Locked voice:mic"))
            #expect(
                session.waitFor { if case .status = $0 { true } else { false } } != nil)
            // The port may still have the name of an earlier port with the same index, which jackd
            // has not removed.
            #expect(patchbay.metadata("Locked voice:mic", prettyName) != "Locked voice mic")
            #expect(session.stop() == .requested)
        }
    }
}

/// A metadata store that answers no client until it is unlocked.
private final class LockedStore: Sendable {
    private let isLocked = Atomic(true)
    private let isAwaitedNow = Atomic(false)

    /// Whether a writer waits for the store.
    var isAwaited: Bool { isAwaitedNow.load(ordering: .acquiring) }

    func wait() {
        isAwaitedNow.store(true, ordering: .releasing)
        _ = waitUntil { isLocked.load(ordering: .acquiring) ? nil : true }
    }

    func unlock() { isLocked.store(false, ordering: .releasing) }
}
