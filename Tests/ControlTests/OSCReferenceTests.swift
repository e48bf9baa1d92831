import Control
import SessionCore
import Testing
import TestSessions

@Suite("the reference of OSC messages")
struct OSCReferenceTests {
    private static var ofClients: [String] {
        OSCMessageDescription.all.filter { !$0.isSentByServer }.map(\.path)
    }
    private static var ofServers: [String] {
        OSCMessageDescription.all.filter(\.isSentByServer).map(\.path)
    }

    @Test("each path is described once for each direction")
    func paths() {
        for paths in [Self.ofClients, Self.ofServers] {
            #expect(!paths.isEmpty && Set(paths).count == paths.count)
        }
        #expect(Self.ofServers == ServerMessage.allCases.map(\.rawValue))
    }

    @Test("the server ignores the messages of another server", arguments: ofServers)
    func ignored(path: String) throws {
        let session = try ServedSession()
        #expect(try session.answers(.init(path, .text("/x"), .text("y"))).isEmpty)
        #expect(session.control.history.isEmpty)
    }

    @Test("no message of a client is taken for an address", arguments: ofClients)
    func understood(path: String) throws {
        let session = try ServedSession()
        let answers = try session.answers(.init(path, .integer(1)))
        #expect(!answers.contains { $0.errorText?.hasPrefix("there is no address") == true })
        #expect(session.control.history.isEmpty)
    }

    @Test("the server sends only messages that are described")
    func sent() throws {
        let session = try ServedSession()
        let answers = try session.answers(
            .init("/dump"), .init("/subscribe", .text("/verb")), .init("/sync", .text("x")),
            .init("/nothing", .integer(1)), .init("/dump", .text("reports")))
        let values = Set(FakeControl.usual.map { OSCMessage($0).path })
        let own = answers.map(\.path).filter { !values.contains($0) }
        #expect(own.contains("/dump/end") && own.contains("/subscribed") && own.contains("/error"))
        #expect(Set(own).isSubset(of: Self.ofServers))
    }
}
