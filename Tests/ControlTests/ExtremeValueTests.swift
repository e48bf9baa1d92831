import Control
import Dispatch
import SessionCore
import Testing
import TestSessions
import TestSignals

@Suite("extreme values from other programs")
struct ExtremeValueTests {
    private let folder = ScratchFolder()

    private static let arguments: [OSCMessage.Argument] = [
        .float(-9_223_372_036_854_775_808), .float(9_223_372_036_854_775_808), .long(.min),
        .long(.max), .double(-9_223_372_036_854_775_808), .double(1e300), .double(-1e300),
        .float(.infinity), .float(.nan), .integer(.min), .integer(.max), .integer(0), .text(":"),
        .text("in:-9223372036854775808"), .text("in:9223372036854775807"),
        .text("-9223372036854775808"), .text(""), .toggle(true), .other(UInt8(ascii: "N")),
    ]

    @Test("no OSC message with an extreme value ends a session", arguments: arguments)
    func osc(argument: OSCMessage.Argument) throws {
        let control = try RealSession()
        let server = try OSCServer(at: .loopback(port: 0), control: control)
        let caller = try OSCCaller(to: server.endpoint)
        let paths = [
            "/scene", "/song", "/tuner", "/tempo", "/gain", "/mute", "/learn", "/a/gain", "/a/mix",
            "/a/bypass", "/*/*", "/save", "/save/scene", "/save-scene", "/undo", "/redo",
            "/compare", "/keep",
        ]
        let answers = caller.ask(paths.map { OSCMessage($0, argument) }, timeoutSeconds: 20)
        #expect(answers?.contains { $0.arguments.first == .text("/scene") } == true)
        let scene = caller.ask(
            [OSCMessage("/scene", .integer(2)), OSCMessage("/scene")], timeoutSeconds: 20)
        #expect(scene == [OSCMessage("/scene", .text("loud"))])
    }

    @Test("a session's file with extreme values opens without its impossible values")
    func sessionFile() throws {
        let manager = try FakeManager()
        let client = try SessionClient(of: try #require(Endpoint(sessionURL: manager.url)))
        let part = SessionPart(folder: folder.path, displayName: "V", clientID: "c")
        folder.write(
            """
            { "version": 1, "plays": "/voice.json", "values": {
              "song": -9223372036854775808, "scene": -9.3e300, "tuner": ":", "tempo": 1e300,
              "a.gain": -6, "gain": -1e300, "a.mix": 9223372036854775807,
              "a.bypass": "-9223372036854775808", "mute": 9223372036854775807 } }
            """, to: SessionFile.name)
        let queue = DispatchQueue(label: "client")
        queue.async { _ = try? client.join(executable: "stompline") }
        _ = manager.receive(1)
        manager.say("/nsm/client/open", part.folder, part.displayName, part.clientID)
        queue.sync {}
        let file = try #require(try SessionFile.read(inFolder: part.folder))
        let control = try RealSession()
        for request in file.requests { _ = control.answer(request) }
        let handler = try ManagerRequestHandler(
            client: client, part: part, file: file, control: control
        ) {
            _, _, done in done(nil)
        }
        #expect(manager.receive(1) == ["/reply /nsm/client/open done"])
        #expect(control.answer(.get("a.gain")) == .values([.init("a.gain", .number(-6))]))
        #expect(control.answer(.get("song")) == .values([.init("song", .text("one"))]))
        _ = handler
    }
}
