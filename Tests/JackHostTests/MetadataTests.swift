import CJack
import JackHost
import Pipelines
import Synchronization
import Testing

extension JackTests {
    @Suite struct MetadataTests {
        private let prettyName = "http://jackaudio.org/metadata/pretty-name"
        private let order = "http://jackaudio.org/metadata/order"

        @Test("ports have readable names and an order as metadata, gone with the session")
        func metadata() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain(channels: 2))
            let name = waitUntil { patchbay.metadata("Lead voice:main_2", prettyName) }
            #expect(name == "Lead voice main 2")
            #expect(waitUntil { patchbay.metadata("Lead voice:main_2", order) } == "4")
            #expect(patchbay.metadata("Lead voice:mic_1", order) == "1")
            let identity = try #require(patchbay.identity("Lead voice:mic_1"))
            session.stop()
            #expect(patchbay.metadata(identity, order) == nil)
        }

        @Test("a locked metadata store costs the readable names and nothing else")
        func lockedStore() throws {
            let patchbay = try Patchbay()
            let store = LockedStore()
            try playWithoutMetadata(store, patchbay)
            store.unlock()
            #expect(waitUntil { patchbay.ports(of: "Lead voice").isEmpty ? true : nil } == true)
        }

        @Test("who still writes to the store is waited for before another server is joined")
        func writerOutlivesServer() throws {
            let store = LockedStore()
            let session = try RunningSession(.chain()) {
                $0.precedesMetadata = { store.wait() }
                $0.hangSeconds = 0.3
            }
            session.remote.loseServer()
            #expect(session.waitFor(Self.isLost) != nil)
            // The next look for a server is due after a quarter of a second at the latest.
            usleep(600_000)
            #expect(session.told.count { $0 == .jackHangs } == 1)
            #expect(!session.told.contains(where: Self.isBack))
            store.unlock()
            #expect(session.waitFor(Self.isBack) != nil)
            #expect(session.stop() == .asked)
            #expect(session.told.count { $0 == .jackHangs } == 1)
        }

        private static func isLost(_ event: SessionEvent) -> Bool {
            if case .serverLost = event { true } else { false }
        }

        private static func isBack(_ event: SessionEvent) -> Bool {
            if case .serverBack = event { true } else { false }
        }

        private func playWithoutMetadata(_ store: LockedStore, _ patchbay: Patchbay) throws {
            let session = try RunningSession(.chain(connectInput: [.pattern("guest:out_\\d")])) {
                $0.precedesMetadata = { store.wait() }
            }
            let guest = try #require(TestClient(named: "guest"))
            guest.addPort("out_1", isInput: false)
            guest.start()
            #expect(patchbay.waits("guest:out_1", "Lead voice:mic"))
            #expect(
                session.waitFor { if case .status = $0 { true } else { false } } != nil)
            #expect(patchbay.metadata("Lead voice:mic", order) == nil)
            #expect(session.stop() == .asked)
        }
    }
}

/// A metadata store that answers nobody until it is unlocked.
private final class LockedStore: Sendable {
    private let isLocked = Atomic(true)

    func wait() { _ = waitUntil { isLocked.load(ordering: .acquiring) ? nil : true } }

    func unlock() { isLocked.store(false, ordering: .releasing) }
}
