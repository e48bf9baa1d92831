import Engine
import Glibc
import JackHost
import Pipelines
import Processing
import SessionCore
import Synchronization
import Testing
import TestSignals

extension JackTests {
    @Suite struct SessionSwitchTests {
        private let gate = Gate()

        /// A catalogue with an effect that passes every check and cannot be created, and one whose
        /// creation waits for the gate.
        private var catalogue: Catalogue {
            var slow = LatencyEffect.description
            slow.name = "slow"
            return Catalogue(
                effects: [
                    LatencyEffect.effect,
                    Effect(
                        description: NodeDescription(name: "broken", label: "Broken", summary: ""),
                        makeProcessor: { _ throws(PluginError) in
                            throw PluginError("it is broken")
                        }),
                    Effect(
                        description: slow,
                        makeProcessor: { [gate] request throws(PluginError) in
                            gate.wait()
                            return LatencyEffect.makeProcessor(request)
                        }),
                ], plugins: NoPlugins())
        }

        private func songs(_ type: String) throws -> [Song] {
            let text = """
                { "version": 1, "inputs": { "mic": {} }, "outputs": { "main": {} },
                  "nodes": [{ "id": "one", "type": "\(type)" }] }
                """
            let pipeline = try Pipeline(
                decoding: Array(text.utf8), file: "\(type).json", catalogue: catalogue)
            return [Song(name: type, pipeline: pipeline, path: "")]
        }

        /// Asks for other songs, and returns the outcome, which is not known yet.
        private func ask(_ session: RunningSession, for type: String, as name: String) throws
            -> Outcome
        {
            let outcome = Outcome()
            session.remote.switchSongs(
                SessionSwitch(
                    to: SongCollection(name: type, songs: try songs(type), isSetlist: false),
                    catalogue: catalogue, clientName: name
                ) { outcome.put($0) })
            return outcome
        }

        /// Switches to other songs, and returns the error; `nil` if they play.
        private func turn(_ session: RunningSession, to type: String, as name: String) throws
            -> String?
        {
            let outcome = try ask(session, for: type, as: name)
            return try #require(waitUntil { outcome.found })
        }

        @Test(
            "an error of the preparation is reported, and the present session continues",
            arguments: ["Old", "New"])
        func broken(name: String) throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                songs: try songs("late"), named: "Old", catalogue: catalogue)
            let (player, recorder) = try patchbay.steadySound(through: "Old")
            #expect(try turn(session, to: "broken", as: name) == "one: it is broken")
            #expect(recorder.lastRecorded == 0.5)
            #expect(patchbay.isConnected("Old:main", "recorder:in"))
            #expect(patchbay.ports(of: "New").isEmpty)
            #expect(session.stop() == .requested)
            _ = player
        }

        @Test(
            "a request that gets ready after a later one does not replace it",
            arguments: ["Old", "New"])
        func order(name: String) throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                songs: try songs("late"), named: "Old", catalogue: catalogue)
            let earlier = try ask(session, for: "slow", as: "Slow")
            #expect(try turn(session, to: "late", as: name) == nil)
            #expect(earlier.found == nil)
            gate.open()
            let outcome = try #require(waitUntil { earlier.found })
            #expect(outcome == "a later request replaced this one")
            #expect(patchbay.ports(of: "Slow").isEmpty)
            #expect(patchbay.ports(of: name) == ["\(name):main", "\(name):mic"])
            #expect(session.stop() == .requested)
        }

        @Test("an edit that gets ready after a session with another name does not change it")
        func edit() throws {
            _ = TestServer.shared
            let session = try RunningSession(
                songs: try songs("late"), named: "Old", catalogue: catalogue)
            let earlier = try ask(session, for: "slow", as: "Old")
            #expect(try turn(session, to: "late", as: "New") == nil)
            gate.open()
            let outcome = try #require(waitUntil { earlier.found })
            #expect(outcome == "a later request replaced this one")
            #expect(session.stop() == .requested)
        }

        @Test("the captures of sessions that fail are dropped, and those that play are noted")
        func captures() throws {
            let patchbay = try Patchbay()
            let captures = NotedCaptures()
            let session = try RunningSession(
                songs: try songs("late"), named: "Old", catalogue: catalogue
            ) { $0.captures = captures }
            #expect(try turn(session, to: "broken", as: "New") == "one: it is broken")
            #expect(try turn(session, to: "late", as: "New") == nil)
            #expect(captures.notes == ["make 0", "make 1", "drop 1", "make 2", "play 2"])
            #expect(session.stop() == .requested)
            _ = patchbay
        }

        @Test("a session ends under its new name after a switch")
        func end() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                songs: try songs("late"), named: "Old", catalogue: catalogue)
            #expect(try turn(session, to: "late", as: "New") == nil)
            #expect(patchbay.ports(of: "Old").isEmpty)
            #expect(patchbay.ports(of: "New") == ["New:main", "New:mic"])
            #expect(session.reported.contains(.switched(clientName: "New", pipelineName: "late")))
            #expect(session.stop() == .requested)
            #expect(patchbay.ports(of: "New").isEmpty)
        }
    }
}

/// Notes what happens to sessions, and captures nothing.
private final class NotedCaptures: EngineCaptures {
    private let list = Mutex<[String]>([])

    var notes: [String] { list.withLock { $0 } }

    func makeCapture(ofSession number: Int, _ format: AudioFormat) -> EngineCapture? {
        note("make \(number)")
        return nil
    }

    func sessionPlays(_ number: Int) { note("play \(number)") }

    func sessionIsDropped(_ number: Int) { note("drop \(number)") }

    private func note(_ text: String) { list.withLock { $0.append(text) } }
}

/// Delays the creation of processors until it is opened.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() { while !isOpen.withLock({ $0 }) { usleep(1_000) } }
}

/// The result of an operation, once it is known.
private final class Outcome: Sendable {
    private let value = Mutex<String??>(nil)

    var found: String?? { value.withLock { $0 } }

    func put(_ outcome: String?) { value.withLock { $0 = .some(outcome) } }
}
