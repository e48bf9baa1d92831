import CJack
import JackHost
import Pipelines
import SessionCore
import Testing

extension JackTests {
    @Suite struct ConnectionTests {
        @Test("a port named in the file is connected at the start")
        func namedPort() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                .chain(connectInput: [.port("system:capture_2")]))
            defer { session.stop() }
            #expect(patchbay.waits("system:capture_2", "Lead voice:mic"))
        }

        @Test("a pattern assigns its matches to the channels in turn")
        func pattern() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                .chain(channels: 2, connectOutput: [.pattern("system:playback_.*")]))
            defer { session.stop() }
            #expect(patchbay.waits("Lead voice:main_1", "system:playback_1"))
            #expect(patchbay.waits("Lead voice:main_2", "system:playback_2"))
            #expect(!patchbay.isConnected("Lead voice:main_1", "system:playback_2"))
        }

        @Test("no port is connected if automatic connections are off")
        func unconnected() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain(connectInput: [.port("system:capture_1")])) {
                $0.makesConnections = false
            }
            let late = try RunningSession(
                .chain("Later", connectInput: [.port("system:capture_1")]))
            #expect(patchbay.waits("system:capture_1", "Later:mic"))
            #expect(!patchbay.isConnected("system:capture_1", "Lead voice:mic"))
            late.stop()
            session.stop()
        }

        @Test("a port is connected each time it appears after the start")
        func latePort() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain(connectInput: [.pattern("guest:out_\\d")]))
            defer { session.stop() }
            let guest = try #require(TestClient(named: "guest"))
            let port = guest.addPort("out_1", isInput: false)
            guest.start()
            #expect(patchbay.waits("guest:out_1", "Lead voice:mic"))
            guest.removePort(port)
            #expect(waitUntil { patchbay.ports(of: "guest").isEmpty ? true : nil } == true)
            guest.addPort("out_1", isInput: false)
            #expect(patchbay.waits("guest:out_1", "Lead voice:mic"))
        }

        @Test("a connection made by hand is restored when its port appears again")
        func replugged() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain(connectInput: [.pattern("guest:out_1")]))
            defer { session.stop() }
            let guest = try #require(TestClient(named: "guest"))
            let port = guest.addPort("in", isInput: true)
            guest.start()
            patchbay.connect("Lead voice:main", "guest:in")
            // When the second port is connected, the session has seen the change made by hand.
            guest.addPort("out_1", isInput: false)
            #expect(patchbay.waits("guest:out_1", "Lead voice:mic"))
            guest.removePort(port)
            #expect(patchbay.waits(port: "guest:in", exists: false))
            guest.addPort("in", isInput: true)
            #expect(patchbay.waits("Lead voice:main", "guest:in"))
        }

        @Test("a connection removed by hand stays removed when another port appears")
        func madeByUser() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                .chain(
                    connectInput: [.pattern("system:capture_1|guest:out_\\d")]))
            defer { session.stop() }
            #expect(patchbay.waits("system:capture_1", "Lead voice:mic"))
            patchbay.disconnect("system:capture_1", "Lead voice:mic")
            #expect(patchbay.waits("system:capture_1", "Lead voice:mic", connected: false))
            let guest = try #require(TestClient(named: "guest"))
            guest.start()
            // When the second port is connected, the session has handled the first one completely.
            for name in ["out_1", "out_2"] {
                guest.addPort(name, isInput: false)
                #expect(patchbay.waits("guest:\(name)", "Lead voice:mic"))
            }
            #expect(!patchbay.isConnected("system:capture_1", "Lead voice:mic"))
        }
    }
}
