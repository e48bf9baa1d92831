import Engine
import JackHost
import Pipelines
import Processing
import SessionCore
import Synchronization
import Testing
import TestSignals

extension JackTests {
    @Suite struct SessionSwitchTests {
        /// A catalogue with an effect that passes every check and cannot be created.
        private static let catalogue = Catalogue(
            effects: [
                LatencyEffect.effect,
                Effect(
                    description: NodeDescription(name: "broken", label: "Broken", summary: ""),
                    makeProcessor: { _ throws(PluginError) in throw PluginError("it is broken") }),
            ], plugins: NoPlugins())

        private func songs(_ type: String) throws -> [Song] {
            let text = """
                { "version": 1, "inputs": { "mic": {} }, "outputs": { "main": {} },
                  "nodes": [{ "id": "one", "type": "\(type)" }] }
                """
            let pipeline = try Pipeline(
                decoding: Array(text.utf8), file: "\(type).json", catalogue: Self.catalogue)
            return [Song(name: type, pipeline: pipeline, path: "")]
        }

        /// Switches to other songs, and returns the error; `nil` if they play.
        private func turn(_ session: RunningSession, to type: String, as name: String) throws
            -> String?
        {
            let outcome = Outcome()
            session.remote.switchSongs(
                SessionSwitch(
                    to: SongCollection(name: type, songs: try songs(type), isSetlist: false),
                    catalogue: Self.catalogue, clientName: name
                ) { outcome.put($0) })
            return try #require(waitUntil { outcome.found })
        }

        @Test(
            "an error of the preparation is reported, and the present session continues",
            arguments: ["Old", "New"])
        func broken(name: String) throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                songs: try songs("late"), named: "Old", catalogue: Self.catalogue)
            let (player, recorder) = try patchbay.steadySound(through: "Old")
            #expect(try turn(session, to: "broken", as: name) == "one: it is broken")
            #expect(recorder.lastRecorded == 0.5)
            #expect(patchbay.isConnected("Old:main", "recorder:in"))
            #expect(patchbay.ports(of: "New").isEmpty)
            #expect(session.stop() == .requested)
            _ = player
        }

        @Test("the captures of sessions that fail are dropped, and those that play are noted")
        func captures() throws {
            let patchbay = try Patchbay()
            let captures = NotedCaptures()
            let session = try RunningSession(
                songs: try songs("late"), named: "Old", catalogue: Self.catalogue
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
                songs: try songs("late"), named: "Old", catalogue: Self.catalogue)
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

/// The result of an operation, once it is known.
private final class Outcome: Sendable {
    private let value = Mutex<String??>(nil)

    var found: String?? { value.withLock { $0 } }

    func put(_ outcome: String?) { value.withLock { $0 = .some(outcome) } }
}
