import Control
import Glibc
import Pipelines
import SessionCore
import Synchronization
import Testing

@Suite("a session that follows another one")
struct SessionFollowerTests {
    private let leader = PlainControl()
    private let own = PlainControl()
    private let notices = Notices()

    private final class Notices: Sendable {
        let all = Mutex<[FollowNotice.Kind]>([])
    }

    /// A server of the leader, and the events that reach it.
    private func server(port: UInt16 = 0) throws -> OSCServer {
        let server = try OSCServer(at: .loopback(port: port), control: leader)
        leader.watch { [weak server] in server?.receive($0) }
        return server
    }

    private func follower(of server: OSCServer) throws -> SessionFollower {
        try follower(port: server.endpoint.port)
    }

    private func follower(port: UInt16) throws -> SessionFollower {
        let leader = try #require(FollowedSession("osc://127.0.0.1:\(port)"))
        return SessionFollower(of: leader, token: nil, control: own) { [notices] notice in
            notices.all.withLock { $0.append(notice.kind) }
        }
    }

    /// Waits for a fact, for at most 20 s.
    private func eventually(_ isTrue: () -> Bool) -> Bool {
        for _ in 0..<4000 {
            if isTrue() { return true }
            usleep(5000)
        }
        return false
    }

    private func isConnected(times: Int = 1) -> Bool {
        notices.all.withLock { $0.count { $0 == .connected } } >= times
    }

    @Test("it takes over song, scene, tempo and mute, the song before its scene, and nothing else")
    func connects() throws {
        leader.set(["song": .text("Ballad"), "scene": .text("verse"), "tempo": .number(93)])
        leader.set(["mute": .toggle(true), "gain": .number(-20)])
        let server = try server()
        let follower = try follower(of: server)
        #expect(eventually { isConnected() })
        #expect(
            own.history == [
                "song=Ballad", "song plays", "scene=verse", "tempo=93.0", "mute=true",
            ])
        withExtendedLifetime((server, follower)) {}
    }

    @Test("each change follows, but not a value that the session has already")
    func follows() throws {
        let server = try server()
        let follower = try follower(of: server)
        #expect(eventually { isConnected() })
        leader.set(["scene": .text("loud")])
        #expect(eventually { own.history == ["scene=loud"] })
        leader.set(["tempo": .number(133.3)])
        #expect(eventually { own.history.count == 2 })
        leader.set(["scene": .text("loud")])
        leader.set(["mute": .toggle(true)])
        #expect(eventually { own.history.last == "mute=true" })
        #expect(own.history.count == 3)
        withExtendedLifetime((server, follower)) {}
    }

    @Test("it continues without the other session, can be changed by hand, and follows it again")
    func loss() throws {
        var server: OSCServer? = try server()
        let port = try #require(server).endpoint.port
        let follower = try follower(port: port)
        leader.set(["scene": .text("verse")])
        #expect(eventually { isConnected() && own.history == ["scene=verse"] })
        leader.watch(nil)
        server = nil
        #expect(eventually { notices.all.withLock(\.last) == .lost(reason: "it does not answer") })
        own.set(["tempo": .number(80)])
        leader.set(["scene": .text("end")])
        #expect(own.history == ["scene=verse"])
        server = try self.server(port: port)
        #expect(eventually { isConnected(times: 2) })
        #expect(own.history == ["scene=verse", "scene=end", "tempo=120.0"])
        // A loss is reported once, although each second brings another attempt.
        #expect(notices.all.withLock { $0.count } == 3)
        withExtendedLifetime((server, follower)) {}
    }

    @Test("a value that the session does not have is reported once, and the others follow")
    func refusal() throws {
        let server = try server()
        let follower = try follower(of: server)
        #expect(eventually { isConnected() })
        leader.set(["scene": .text("unknown")])
        leader.set(["tempo": .number(99)])
        #expect(eventually { own.history == ["tempo=99.0"] })
        #expect(
            eventually {
                notices.all.withLock(\.last)
                    == .refused(address: "scene", reason: "there is no scene \"unknown\"")
            })
        leader.set(["scene": .text("")])
        leader.set(["scene": .text("unknown")])
        leader.set(["tempo": .number(98)])
        #expect(eventually { own.history.last == "tempo=98.0" })
        #expect(notices.all.withLock { $0.count } == 2)
        withExtendedLifetime((server, follower)) {}
    }

    @Test("an address has the form osc://HOST:PORT")
    func addresses() {
        #expect(FollowedSession("osc://stage:9000")?.description == "osc://stage:9000")
        #expect(FollowedSession("osc://10.0.0.2:1")?.host == "10.0.0.2")
        for wrong in [
            "stage:9000", "osc://stage", "osc://stage:0", "osc://stage:70000", "osc://:9000",
            "osc://a b:9000", "osc://a:9000/x", "osc://a:b:9000", "osc://",
        ] {
            #expect(FollowedSession(wrong) == nil, "\(wrong)")
        }
    }
}

/// A session that only has the values of its master section, and prepares songs for a moment.
private final class PlainControl: SessionControl {
    private let state = Mutex(State())

    private struct State {
        var values: [String: Value] = [
            "song": .text("Opener"), "scene": .text(""), "tempo": .number(120),
            "mute": .toggle(false), "gain": .number(0),
        ]
        var history: [String] = []
        var watcher: (@Sendable (SessionEvent) -> Void)?
    }

    /// The requests that have changed a value, and the starts of songs.
    var history: [String] { state.withLock(\.history) }

    /// Changes values as by hand.
    func set(_ values: [String: Value]) {
        for (address, value) in values {
            state.withLock { $0.values[address] = value }
            state.withLock(\.watcher)?(.valueChanged(AddressValue(address, value)))
        }
    }

    private static func text(of value: Value) -> String {
        switch value {
        case .number(let number): "\(number)"
        case .toggle(let isOn): "\(isOn)"
        case .text(let text): text
        }
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        state.withLock { $0.watcher = watcher }
    }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        switch request {
        case .dump:
            answer(.values(state.withLock { $0.values.map { AddressValue($0.key, $0.value) } }))
        case .get(let address):
            let value = state.withLock { $0.values[address] }
            answer(value.map { .values([AddressValue(address, $0)]) } ?? .values([]))
        case .set("scene", .text("unknown")):
            answer(.refused("there is no scene \"unknown\"", suggestion: nil))
        case .set("song", .text(let name)):
            state.withLock { $0.history.append("song=\(name)") }
            answer(.preparing(song: name))
            usleep(20_000)
            set(["song": .text(name)])
            state.withLock { $0.history.append("song plays") }
            answer(.playing(song: name))
        case .set(let address, let value):
            state.withLock { $0.history.append("\(address)=\(Self.text(of: value))") }
            set([address: value])
            answer(.done)
        default: answer(.refused("not in this test", suggestion: nil))
        }
    }
}
