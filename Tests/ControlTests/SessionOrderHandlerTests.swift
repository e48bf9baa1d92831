import Control
import Dispatch
import SessionCore
import Testing
import TestSessions
import TestSignals

@Suite("a session under a session manager")
struct SessionOrderHandlerTests {
    private let folder = ScratchFolder()

    @Test("it gets the session's values before it reports that it is open, and saves its own")
    func restoreAndSave() throws {
        let manager = try FakeManager()
        let client = try SessionClient(of: try #require(Endpoint(sessionURL: manager.url)))
        let part = SessionPart(folder: folder.file("part"), displayName: "V", clientID: "c")
        let queue = DispatchQueue(label: "client")
        queue.async { _ = try? client.join(executable: "stompline") }
        _ = manager.receive(1)
        manager.say("/nsm/client/open", part.folder, part.displayName, part.clientID)
        queue.sync {}
        let file = SessionFile(
            plays: "/voice.json",
            values: [
                .init("scene", .text("chorus")), .init("gone.mix", .number(1)),
                .init("verb.mix", .number(0.75)),
            ])
        let control = FakeControl()
        let handler = try ManagerRequestHandler(
            client: client, part: part, file: file, control: control
        ) {
            _, name, done in done(name == "y" ? "it is not valid" : nil)
        }
        #expect(manager.receive(1) == ["/reply /nsm/client/open done"])
        #expect(control.value("verb.mix") == .number(0.75))
        #expect(control.value("scene") == .text("chorus"))

        control.ask(.set("verb.mix", .number(0.5))) { _ in }
        #expect(manager.receive(1) == ["/nsm/client/is_dirty"])
        manager.say("/nsm/client/save")
        #expect(manager.receive(2) == ["/reply /nsm/client/save done", "/nsm/client/is_clean"])
        let saved = try #require(try SessionFile.read(inFolder: part.folder))
        #expect(saved.plays == "/voice.json")
        #expect(saved.values.first == .init("scene", .text("chorus")))
        #expect(saved.values.contains(.init("verb.mix", .number(0.5))))
        manager.say("/nsm/client/open", folder.file("other"), "x", "y")
        #expect(manager.receive(1) == ["/error /nsm/client/open -1 it is not valid"])
        _ = handler
    }

    @Test("if the session's folder cannot be written, saving fails with that reason")
    func unwritable() throws {
        let manager = try FakeManager()
        let client = try SessionClient(of: try #require(Endpoint(sessionURL: manager.url)))
        let part = SessionPart(
            folder: folder.file("no/such/part"), displayName: "V", clientID: "c")
        let queue = DispatchQueue(label: "client")
        queue.async { _ = try? client.join(executable: "stompline") }
        _ = manager.receive(1)
        manager.say("/nsm/client/open", part.folder, part.displayName, part.clientID)
        queue.sync {}
        let handler = try ManagerRequestHandler(
            client: client, part: part, file: SessionFile(plays: "/a"), control: FakeControl()
        ) { _, _, done in done(nil) }
        _ = manager.receive(1)
        manager.say("/nsm/client/save")
        let reason = "the folder \(part.folder) cannot be created"
        #expect(manager.receive(1) == ["/error /nsm/client/save -1 \(reason)"])
        _ = handler
    }
}
