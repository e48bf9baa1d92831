import JackHost
import SessionCore
import Testing

struct ClientNameTests {
    @Test("client names lose colons and excess length")
    func legal() {
        #expect(legalClientName("Amp: left") == "Amp  left")
        #expect(legalClientName(":") == "stompline")
        #expect(legalClientName("a\u{1b}]0;b\u{7}\r\nc\u{9b}d\u{202e}e\u{7f}") == "a ]0;b c d e")
        #expect(legalClientName(String(repeating: "ü", count: 100)).utf8.count <= 60)
    }

    @Test("a server's name gets the lowest number that no server uses")
    func unlike() {
        #expect(clientName("voice", unlike: ["default"]) == "voice")
        #expect(clientName("default", unlike: ["default"]) == "default-1")
        #expect(clientName("x", unlike: ["x", "x-1", "y"]) == "x-2")
        let long = legalClientName(String(repeating: "x", count: 100))
        #expect(clientName(long, unlike: [long]).utf8.count <= 60)
    }

    @Test("servers are this user's JACK sockets that accept connections")
    func servers() {
        let text = """
            Num       RefCount Protocol Flags    Type St Inode Path
            00000000fd85e07b: 00000002 00000000 00010000 0001 01 525903 /dev/shm/jack_main stage_7_0
            00000000691afeb3: 00000003 00000000 00000000 0001 03 525905 /dev/shm/jack_voice_7_0
            00000000b29ebc52: 00000002 00000000 00010000 0001 01 378352 /dev/shm/jack_other_8_0
            00000000b29ebc53: 00000002 00000000 00010000 0001 01 378353 /run/user/7/bus
            00000000b29ebc54: 00000002 00000000 00010000 0001 01 378354

            """
        #expect(RunningServers.names(in: text, user: 7) == ["main stage"])
    }
}

extension JackTests {
    @Suite struct ServerNameTests {
        @Test("a pipeline with the server's name does not take the name from the server")
        func namedLikeServer() throws {
            let patchbay = try Patchbay()
            let name = TestServer.shared.name
            let session = try RunningSession(.chain(name))
            defer { session.stop() }
            #expect(session.reported.contains(.nameChanged(requested: name, assigned: name + "-1")))
            #expect(patchbay.ports(of: name + "-1").count == 2)
            #expect(TestClient(named: "another") != nil)
        }
    }
}
