import CJack
import JackHost
import Pipelines
import SessionCore
import Synchronization
import Testing

extension JackTests {
    /// Requests to list and connect ports, with a second client in the graph.
    @Suite struct PortRequestTests {
        /// Performs a request, and waits for its answer, for at most 5 s.
        private func ask(_ session: RunningSession, _ request: PortRequest) -> Answer? {
            let answers = Answers()
            session.remote.control(for: .remote).ask(.ports(request)) { answer in
                answers.all.withLock { $0.append(answer) }
            }
            return waitUntil { answers.all.withLock { $0.first } }
        }

        private final class Answers: Sendable {
            let all = Mutex<[Answer]>([])
        }

        private func listed(_ session: RunningSession) -> [ServerPort] {
            guard case .ports(let ports)? = ask(session, .list) else { return [] }
            return ports
        }

        @Test(
            "all ports of the server are listed with their kind and direction",
            .onJack("the ports of PipeWire's sink for the tests are not physical"))
        func list() throws {
            _ = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            let guest = try #require(TestClient(named: "guest"))
            guest.addPort("keys", isInput: false, type: JACK_DEFAULT_MIDI_TYPE)
            guest.start()
            let ports = try #require(
                waitUntil {
                    let ports = listed(session)
                    return ports.contains { $0.name == "guest:keys" } ? ports : nil
                })
            let keys = try #require(ports.first { $0.name == "guest:keys" })
            #expect(keys.kind == .midi && keys.isForInputs && !keys.isPhysical)
            let capture = try #require(ports.first { $0.name == "system:capture_1" })
            #expect(capture.kind == .audio && capture.isForInputs && capture.isPhysical)
            let playback = try #require(ports.first { $0.name == "system:playback_1" })
            #expect(!playback.isForInputs)
            #expect(ports.contains { $0.name == "Lead voice:mic" && !$0.isForInputs })
        }

        @Test(
            "ports are connected and disconnected, and the connections are reported before the answer"
        )
        func connect() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            #expect(session.waitFor { if case .connections = $0 { true } else { false } } != nil)
            let input = PortPair(own: "mic", other: "system:capture_2")
            let output = PortPair(own: "main", other: "system:playback_1")
            #expect(ask(session, .connect(input)) == .done)
            #expect(patchbay.isConnected("system:capture_2", "Lead voice:mic"))
            #expect(ask(session, .connect(output)) == .done)
            #expect(patchbay.isConnected("Lead voice:main", "system:playback_1"))
            // To connect again is no error.
            #expect(ask(session, .connect(input)) == .done)
            let last = session.reported.reversed().lazy.compactMap { event in
                if case .connections(let connections) = event { connections } else { nil }
            }.first
            #expect(last?.ports.map(\.others) == [["system:capture_2"], ["system:playback_1"]])
            #expect(ask(session, .disconnect(input)) == .done)
            #expect(!patchbay.isConnected("system:capture_2", "Lead voice:mic"))
            #expect(ask(session, .disconnect(input)) == .done)
        }

        @Test("a connection of a rule is marked, and stays removed when a client removes it")
        func ruled() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                .chain(connectInput: [.pattern("system:capture_1|guest:out_\\d")]))
            defer { session.stop() }
            #expect(patchbay.waits("system:capture_1", "Lead voice:mic"))
            let marked = session.waitFor { event in
                guard case .connections(let connections) = event else { return false }
                return connections.ports.first?.ruledConnections == [
                    .init(other: "system:capture_1", rule: "/system:capture_1|guest:out_\\d/")
                ]
            }
            #expect(marked != nil)
            let pair = PortPair(own: "mic", other: "system:capture_1")
            #expect(ask(session, .disconnect(pair)) == .done)
            let guest = try #require(TestClient(named: "guest"))
            guest.start()
            for name in ["out_1", "out_2"] {
                guest.addPort(name, isInput: false)
                #expect(patchbay.waits("guest:\(name)", "Lead voice:mic"))
            }
            #expect(!patchbay.isConnected("system:capture_1", "Lead voice:mic"))
        }

        @Test("a port that does not exist or does not fit is refused with the most similar name")
        func refusals() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            func refusal(_ own: String, _ other: String) -> String?? {
                guard
                    case .refused(_, let suggestion)? = ask(
                        session, .connect(PortPair(own: own, other: other)))
                else { return nil }
                return .some(suggestion)
            }
            #expect(refusal("mik", "system:capture_1") == .some("mic"))
            #expect(refusal("mic", "sytem:capture_1") == .some("system:capture_1"))
            // An input cannot be connected to an input.
            #expect(refusal("mic", "system:playback_1") != nil)
            #expect(refusal("mic", "system:midi_nothing") != nil)
            #expect(!patchbay.isConnected("system:capture_1", "Lead voice:mic"))
        }

        @Test(
            "an event has the ports soon after they come, go and get a readable name",
            .onJack("PipeWire reports no new names of ports"))
        func events() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            let guest = try #require(TestClient(named: "guest"))
            guest.start()
            let port = guest.addPort("late", isInput: false)
            func waits(_ fits: @escaping ([ServerPort]) -> Bool) -> Bool {
                waitUntil {
                    let last = session.reported.reversed().lazy.compactMap { event in
                        if case .serverPorts(let ports) = event { ports } else { nil }
                    }.first
                    return last.map(fits) == true ? true : nil
                } ?? false
            }
            #expect(waits { $0.contains { $0.name == "guest:late" } })
            let identity = try #require(patchbay.identity("guest:late"))
            jack_set_property(
                guest.handle, identity, "http://jackaudio.org/metadata/pretty-name", "Late port",
                "text/plain")
            #expect(
                waits {
                    $0.first { $0.name == "guest:late" }?.metadata.prettyName == "Late port"
                })
            guest.removePort(port)
            #expect(waits { !$0.contains { $0.name == "guest:late" } })
        }
    }
}
