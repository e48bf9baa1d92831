import Pipelines
import TestSignals
import Testing

@Suite("Bridges to other machines")
struct BridgeTests {
    private func bridges(_ list: String) throws -> [Bridge] {
        let text = """
            { "version": 1, "bridges": \(list), "nodes": [ { "id": "a", "type": "gain" } ] }
            """
        return try Pipeline(
            decoding: Array(text.utf8), file: "a.json", catalogue: FakeCatalogue.catalogue
        ).bridges
    }

    @Test("the command line of each program has all that the file states, and the server")
    func commands() throws {
        let all = try bridges(
            """
            [ { "program": "zita-j2n", "host": "stage", "port": 4000, "channels": 3, "name": "out" },
              { "program": "zita-n2j", "channels": 3, "buffer": 5 },
              { "program": "netmanager", "name": "rig" } ]
            """)
        #expect(
            all.map { $0.command(server: "desk").joined(separator: " ") } == [
                "zita-j2n --jname out --jserv desk --chan 3 stage 4000",
                "zita-n2j --jserv desk --chan 1,2,3 --buff 5 0.0.0.0 30042",
                "jack_load -w -s desk -i -p 19000 rig netmanager",
            ])
        #expect(all[1].command(server: nil).prefix(2) == ["zita-n2j", "--chan"])
    }

    @Test("a file without bridges has none")
    func none() throws { #expect(try bridges("[]").isEmpty) }
}

@Suite("Bridges of a setlist and its songs")
struct SharedBridgeTests {
    private let folder = ScratchFolder()

    private static let receiver = #""program": "zita-n2j", "name": "link", "port": 5000"#

    /// Returns the text of a song with one bridge, which is in its second line.
    private func song(_ bridge: String) -> String {
        """
        { "version": 1,
          "bridges": [ { \(bridge) } ] }
        """
    }

    /// Writes two songs with one bridge each, and returns the text of their setlist.
    private func setlist(_ first: String, _ second: String, own: String? = nil) -> [UInt8] {
        folder.write(song(first), to: "one.json")
        folder.write(song(second), to: "two.json")
        let bridges = own.map { ",\n  \"bridges\": [ { \($0) } ]" } ?? ""
        return Array(
            """
            { "version": 1, "setlist": "x", "songs": [
              { "pipeline": "one.json" }, { "pipeline": "two.json" } ]\(bridges) }
            """.utf8)
    }

    private func errors(_ first: String, _ second: String, own: String? = nil) -> [Diagnostic] {
        do throws(InvalidPipeline) {
            _ = try PipelineFile(
                decoding: setlist(first, second, own: own), file: folder.file("night.json"),
                catalogue: FakeCatalogue.catalogue)
            return []
        } catch {
            return error.diagnostics
        }
    }

    @Test("equal bridges of several files are one bridge, also if one states what is usual")
    func equal() {
        #expect(errors(Self.receiver, Self.receiver) == [])
        #expect(errors(Self.receiver, Self.receiver, own: Self.receiver) == [])
        #expect(errors(Self.receiver, Self.receiver + #", "channels": 2"#) == [])
    }

    @Test("two bridges with one name that differ are an error that names both places")
    func names() {
        let other = #""program": "zita-n2j", "name": "link", "port": 5001"#
        let found = errors(Self.receiver, other)
        #expect(found.map(\.code) == [.duplicateID])
        #expect(found.map(\.pointer) == ["/songs/1/pipeline"])
        let message = found.first?.message ?? ""
        let (one, two) = (folder.file("one.json"), folder.file("two.json"))
        #expect(message.hasPrefix("the bridge \"link\" at \(two):2:49 differs from the one at "))
        #expect(message.contains("at \(one):2:49; all bridges"))
    }

    @Test("the name of a bridge without one is that of its program")
    func programs() {
        let found = errors(
            #""program": "zita-j2n", "host": "stage""#, #""program": "zita-j2n", "host": "desk""#)
        #expect(found.map(\.code) == [.duplicateID])
        #expect(found.first?.message.contains("one.json:2:16;") == true)
    }

    @Test("the bridges of the setlist come first")
    func ownBridges() {
        let found = errors(
            Self.receiver, Self.receiver, own: Self.receiver + #", "channels": 1"#)
        #expect(found.map(\.pointer) == ["/songs/0/pipeline", "/songs/1/pipeline"])
        let earlier = "from the one at \(folder.file("night.json")):3:49;"
        #expect(found.allSatisfy { $0.message.contains(earlier) })
    }

    @Test("two receivers at one port are an error, unless they listen at different addresses")
    func ports() {
        let other = #""program": "zita-n2j", "name": "other", "port": 5000"#
        let found = errors(Self.receiver, other)
        #expect(found.map(\.code) == [.range])
        #expect(found.first?.message.contains("one.json:2:49 does;") == true)
        let (here, there) = (#", "host": "10.0.0.1""#, #", "host": "10.0.1.1""#)
        #expect(errors(Self.receiver + here, other + there) == [])
        #expect(errors(Self.receiver + here, other + here).count == 1)
        #expect(errors(Self.receiver + here, other).count == 1)
        // Senders need no port of their own.
        let sender = #""program": "zita-j2n", "host": "stage", "name": "out", "port": 5000"#
        #expect(errors(Self.receiver, sender) == [])
    }

    @Test("a session plays the song without such a bridge")
    func tolerance() throws {
        let playable = try PlayableFile(
            decoding: setlist(Self.receiver, Self.receiver + #", "channels": 1"#),
            file: folder.file("night.json"), catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let setlist) = playable.file else {
            Issue.record("it was taken for a pipeline")
            return
        }
        #expect(setlist.songs.map(\.pipeline.bridges.count) == [1, 0])
        #expect(setlist.songs.map(\.isPlayable) == [true, true])
        #expect(setlist.songs[1].problems.map(\.consequence) == [.ignored])
        #expect(playable.problems == [])
    }
}
