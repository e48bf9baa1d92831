import Control
import Dispatch
import Glibc
import SessionCore
import Synchronization
import Testing
import TestSessions
import TestSignals

@Suite("a session manager's client")
struct SessionTests {
    private let welcome = ["/nsm/server/announce", "Howdy", "Fake", ":server-control:"]

    @Test("it announces itself, and plays the session that the manager opens")
    func join() throws {
        let manager = try FakeManager()
        let client = try SessionClient(of: try #require(Endpoint(sessionURL: manager.url)))
        let joined = Outcome()
        DispatchQueue(label: "client").async {
            joined.put { try client.join(executable: "stompline") }
        }
        #expect(
            manager.receive(1) == [
                "/nsm/server/announce Stompline :dirty:switch: stompline 1 2 \(getpid())"
            ])
        manager.say("/reply", welcome[0], welcome[1], welcome[2], welcome[3])
        manager.say("/nsm/client/open", "/tmp/session/stompline.nABC", "Voice", "stompline.nABC")
        #expect(
            try joined.receive()
                == SessionPart(
                    folder: "/tmp/session/stompline.nABC", displayName: "Voice",
                    clientID: "stompline.nABC"))
        #expect(client.managerName == "Fake")
    }

    @Test("it follows the manager's requests, answers, and reports unsaved changes once")
    func orders() throws {
        let (manager, client) = try joined()
        client.answer(.open(SessionPart(folder: "/a", displayName: "b", clientID: "c")))
        #expect(manager.receive(1) == ["/reply /nsm/client/open done"])
        client.report(isDirty: true)
        client.report(isDirty: true)
        try client.follow { order in client.answer(order, error: order == .save ? nil : "no room") }
        #expect(manager.receive(1) == ["/nsm/client/is_dirty"])
        manager.say("/nsm/client/session_is_loaded")
        manager.say("/nsm/client/save")
        #expect(manager.receive(2) == ["/reply /nsm/client/save done", "/nsm/client/is_clean"])
        manager.say("/nsm/client/open", "/other", "Other", "other.nX")
        #expect(manager.receive(1) == ["/error /nsm/client/open -1 no room"])
        manager.say("/nsm/client/open", "relative")
        #expect(manager.receive(1)[0].hasPrefix("/error /nsm/client/open -1 "))
    }

    @Test("a manager that refuses the client, or does not run, is an error")
    func refusals() throws {
        let manager = try FakeManager()
        let client = try SessionClient(of: try #require(Endpoint(sessionURL: manager.url)))
        let joined = Outcome()
        DispatchQueue(label: "client").async {
            joined.put { try client.join(executable: "stompline") }
        }
        _ = manager.receive(1)
        manager.say("/error", "/nsm/server/announce", "too old")
        #expect(throws: SessionRefusal.refused("too old")) { try joined.receive() }
        #expect(throws: SessionRefusal.silence) {
            try SessionClient(of: .loopback(port: 9)).join(executable: "x", timeoutSeconds: 0.1)
        }
    }

    @Test("only OSC over UDP is a session manager's URL")
    func urls() {
        let url = Endpoint(sessionURL: "osc.udp://127.0.0.1:17551/")
        #expect(url == .loopback(port: 17_551))
        for text in ["", "osc.tcp://127.0.0.1:1/", "osc.udp://:1/", "osc.udp://127.0.0.1/", "x"] {
            #expect(Endpoint(sessionURL: text) == nil)
        }
    }

    @Test("a session file keeps the played file and its values, songs and scenes first")
    func file() throws {
        let folder = ScratchFolder()
        let part = SessionPart(folder: folder.file("part"), displayName: "V", clientID: "c")
        let given = folder.write("{}", to: "voice.json")
        var file = try SessionFile.opened(part, given: given)
        #expect(file.plays == given)
        file.keep([
            .init("verb.mix", .number(0.1)), .init("tuner", .text("mic")),
            .init("scene", .text("a \"b\"")), .init("mute", .toggle(true)),
            .init("song", .number(2)),
        ])
        try file.write(inFolder: part.folder)
        let again = try SessionFile.opened(part, given: nil)
        #expect(again == file)
        #expect(again.requests.first == .set("song", .number(2)))
        #expect(again.values.map(\.address) == ["song", "scene", "verb.mix", "mute"])
    }

    @Test("a session without a file starts with a new pipeline, and never overwrites one")
    func start() throws {
        let folder = ScratchFolder()
        let part = SessionPart(folder: folder.file("part"), displayName: "V", clientID: "c")
        let file = try SessionFile.opened(part, given: nil)
        let path = file.path(inFolder: part.folder)
        #expect(path == folder.file("part/pipeline.json"))
        #expect(access(path, F_OK) == 0)
        folder.write("mine", to: "part/pipeline.json")
        unlink(folder.file("part/stompline.json"))
        _ = try SessionFile.opened(part, given: nil)
        #expect(read(path) == "mine")
    }

    @Test("a file that is not a session is an error, and stays unchanged")
    func damaged() throws {
        let folder = ScratchFolder()
        let part = SessionPart(folder: folder.path, displayName: "V", clientID: "c")
        folder.write("{ \"plays\": 3 }", to: SessionFile.name)
        #expect(throws: SessionFileError.self) { try SessionFile.opened(part, given: nil) }
        #expect(throws: SessionFileError.self) {
            try SessionFile.opened(
                .init(folder: folder.file("x"), displayName: "", clientID: ""), given: "/nowhere")
        }
    }

    private func read(_ path: String) -> String? {
        guard let stream = fopen(path, "r") else { return nil }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = fread(&bytes, 1, 100, stream)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Returns a client that already plays.
    private func joined() throws -> (FakeManager, SessionClient) {
        let manager = try FakeManager()
        let client = try SessionClient(of: try #require(Endpoint(sessionURL: manager.url)))
        let joined = Outcome()
        DispatchQueue(label: "client").async {
            joined.put { try client.join(executable: "stompline") }
        }
        _ = manager.receive(1)
        manager.say("/nsm/client/open", "/a", "b", "c")
        _ = try joined.receive()
        return (manager, client)
    }
}

/// The result of a join on another thread.
private final class Outcome: Sendable {
    private let result = Mutex<Result<SessionPart, any Error>?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    func put(_ body: () throws -> SessionPart) {
        let outcome = Result(catching: body)
        result.withLock { $0 = outcome }
        arrival.signal()
    }

    func receive() throws -> SessionPart {
        arrival.wait()
        guard let outcome = result.withLock({ $0 }) else { throw ServedSession.Silence() }
        return try outcome.get()
    }
}
