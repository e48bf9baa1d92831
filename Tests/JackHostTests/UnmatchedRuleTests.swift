import Glibc
import JackHost
import Pipelines
import SessionCore
import Testing
import TestSignals

extension JackTests {
    /// Rules in `connect` that match no port of the running server.
    @Suite struct UnmatchedRuleTests {
        private static let misspelt = """
            {"version": 1, "name": "Voice",
             "inputs": {"mic": {"connect": ["sytem:capture_1"]}},
             "nodes": [{"id": "level", "type": "gain"}]}
            """
        private let folder = PipelineFolder(misspelt)

        init() { _ = TestServer.shared }

        // MARK: run

        @Test("run reports a rule without a port, and the connection when the port appears")
        func appears() throws {
            let program = try Program(
                ["run", folder.file, "--json", "--server", TestServer.shared.name],
                by: ["sh", "-c", "exec \"$0\" \"$@\" 2>&1"])
            defer {
                kill(program.process, SIGTERM)
                _ = program.waitForStatus()
            }
            let line = try #require(program.waitFor(event: "connections"))
            #expect(
                line.contains(
                    """
                    {"port": "mic", "direction": "input", "kind": "audio", "connected": false, \
                    "to": [], "unmatched": \
                    [{"rule": "sytem:capture_1", "nearest": "system:capture_1"}], "ruled": []}
                    """))
            #expect(
                program.waitFor(
                    text: "connections: mic NOT CONNECTED: no port \"sytem:capture_1\" "
                        + "(did you mean system:capture_1?)") == true)
            let guest = try #require(TestClient(named: "sytem"))
            guest.addPort("capture_1", isInput: false)
            guest.start()
            #expect(
                program.waitFor(
                    text: "\"connected\": true, \"to\": [\"sytem:capture_1\"], \"unmatched\": []")
                    == true)
            #expect(program.waitFor(text: "connections: mic from sytem:capture_1") == true)
            guest.close()
            #expect(program.waitFor(event: "connections", times: 3) != nil)
        }

        @Test("a rule that is corrected in the file connects its port at once")
        func corrected() throws {
            let files = ScratchFolder()
            let file = files.write(Self.misspelt, to: "voice.json")
            let program = try Program(
                ["run", file, "--json", "--server", TestServer.shared.name])
            defer {
                kill(program.process, SIGTERM)
                _ = program.waitForStatus()
            }
            #expect(
                program.waitFor(event: "connections")?.contains("\"rule\": \"sytem:capture_1\"")
                    == true)
            files.write(Self.misspelt.replacing("sytem", with: "system"), to: "voice.json")
            #expect(
                program.waitFor(
                    text: "\"connected\": true, \"to\": [\"system:capture_1\"], \"unmatched\": []")
                    == true)
        }

        @Test("a port without a rule is reported as not connected, without a fault")
        func noRule() throws {
            let session = try RunningSession(
                .chain(connectOutput: [.port("system:playback_1")]))
            defer { session.stop() }
            let event = session.waitFor { if case .connections = $0 { true } else { false } }
            guard case .connections(let connections) = try #require(event) else { return }
            #expect(connections.ports.map(\.name) == ["mic", "main"])
            #expect(connections.ports.map(\.others) == [[], ["system:playback_1"]])
            #expect(connections.ports.allSatisfy { !$0.lacksConnection })
        }

        @Test("no rule is missing a port if automatic connections are off")
        func noConnections() throws {
            let session = try RunningSession(.chain(connectInput: [.port("none:at_all")])) {
                $0.makesConnections = false
            }
            defer { session.stop() }
            let event = session.waitFor { if case .connections = $0 { true } else { false } }
            guard case .connections(let connections) = try #require(event) else { return }
            #expect(connections.ports.allSatisfy { $0.unmatchedRules.isEmpty })
        }

        // MARK: check

        @Test("check warns of a rule without a port, with its place and the nearest port")
        func checkWarns() throws {
            let program = try Program(
                ["check", folder.file, "--server", TestServer.shared.name],
                by: ["sh", "-c", "exec \"$0\" \"$@\" 2>&1"])
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(text: "voice.json:2:33: warning: ") == true)
            #expect(
                program.waitFor(text: "has no audio port \"sytem:capture_1\" to connect an input")
                    == true)
            #expect(
                program.waitFor(
                    text: "at /inputs/mic/connect/0 (did you mean system:capture_1?)") == true)
        }

        @Test("check says why a port that exists cannot be connected")
        func checkDirection() throws {
            let folder = PipelineFolder(
                Self.misspelt.replacing("sytem:capture_1", with: "system:playback_1"))
            let program = try Program(
                ["check", folder.file, "--server", TestServer.shared.name],
                by: ["sh", "-c", "exec \"$0\" \"$@\" 2>&1"])
            #expect(program.waitForStatus() == 0)
            #expect(
                program.waitFor(
                    text: "\"system:playback_1\" cannot be connected to this audio input: "
                        + "it is a port for audio outputs") == true)
        }

        @Test("check warns of the songs of a setlist")
        func checkSetlist() throws {
            let files = ScratchFolder()
            files.write(Self.misspelt, to: "song.json")
            let setlist = files.write(
                "{\"version\": 1, \"setlist\": \"Night\", \"songs\": [{\"pipeline\": \"song.json\"}]}",
                to: "night.json")
            let program = try Program(
                ["check", setlist, "--json", "--server", TestServer.shared.name])
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(text: "song.json\"") == true)
            #expect(program.waitFor(text: "\"suggestion\": \"system:capture_1\"") == true)
        }

        @Test("check says nothing about connections, and starts no server, if no server runs")
        func checkWithoutServer() throws {
            let server = "stompline-nowhere"
            let program = try Program(["check", folder.file, "--json", "--server", server])
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(text: "\"warnings\": []") == true)
            #expect(processes(withArgument: server).isEmpty)
        }

        // MARK: ports

        @Test(
            "ports lists the ports for inputs and outputs",
            .onJack("the ports of PipeWire's sink for the tests are not physical"))
        func ports() throws {
            let guest = try #require(TestClient(named: "guest"))
            guest.addPort("out_1", isInput: false)
            let program = try Program(["ports", "--json", "--server", TestServer.shared.name])
            #expect(program.waitForStatus() == 0)
            for (name, use, isPhysical) in [
                ("system:capture_1", "inputs", true), ("system:playback_2", "outputs", true),
                ("guest:out_1", "inputs", false),
            ] {
                let wanted = [
                    "\"name\": \"\(name)\"", "\"kind\": \"audio\"", "\"for\": \"\(use)\"",
                    "\"physical\": \(isPhysical)",
                ].joined(separator: ",\n    ")
                #expect(program.waitFor(text: wanted) == true, "\(name)")
            }
        }

        @Test("ports lists text for people")
        func portsText() throws {
            let program = try Program(["ports", "--server", TestServer.shared.name])
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(text: "for audio inputs:\n") == true)
            #expect(program.waitFor(text: "\n  system:capture_1 ") == true)
            #expect(program.waitFor(text: "for audio outputs:\n") == true)
        }

        @Test("ports ends with status 69 if no server runs")
        func portsWithoutServer() throws {
            let program = try Program(["ports", "--server", "stompline-nowhere"])
            #expect(program.waitForStatus() == 69)
        }
    }
}
