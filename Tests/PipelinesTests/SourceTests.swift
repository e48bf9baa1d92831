internal import Glibc
internal import Pipelines
internal import Processing
internal import Testing

/// Files with nodes that have no audio input, and with paths outside the pipeline's folder.
@Suite("Sources in files")
struct SourceTests {
    private func player(_ settings: String, _ more: String = "") -> String {
        """
        { "version": 1, "inputs": {}, "nodes": [
          { "id": "tape", "type": "player", "settings": \(settings) }\(more)] }
        """
    }

    private func decode(
        _ text: String, file: String = "/songs/p.json", _ permissions: Permissions = Permissions()
    ) throws -> Pipeline {
        var catalogue = FakeCatalogue.catalogue
        catalogue.permissions = permissions
        return try Pipeline(decoding: Array(text.utf8), file: file, catalogue: catalogue)
    }

    @Test("a source has its sound's channels and length, and feeds the node after it")
    func facts() throws {
        let pipeline = try decode(
            player(#"{"file": "a.wav"}"#, #", {"id": "level", "type": "gain"}"#))
        #expect(pipeline.nodes[0].instances == [[]])
        #expect(pipeline.nodes[0].outputChannels == 2)
        #expect(pipeline.nodes[0].durationSeconds == 3)
        #expect(
            pipeline.nodes[1].instances == [
                [Pipeline.Tap(.node(0), channel: 0), Pipeline.Tap(.node(0), channel: 1)]
            ])
    }

    @Test("the setting `channels` overrides the channels of the sound")
    func channels() throws {
        #expect(
            try decode(player(#"{"file": "a.wav", "channels": 1}"#)).nodes[0].outputChannels == 1)
    }

    @Test("a playlist's items are paths or objects, relative to the file's folder")
    func playlist() throws {
        let pipeline = try decode(
            player(#"{"files": ["a.wav", {"file": "b/c.flac", "gain": -3.5}]}"#))
        #expect(
            pipeline.nodes[0].settings["files"]?.playlist == [
                PlaylistItem(path: "/songs/a.wav"),
                PlaylistItem(path: "/songs/b/c.flac", gain: -3.5),
            ])
    }

    @Test(
        "a path outside the folder is refused unless it is permitted",
        arguments: ["../a.wav", "/a.wav", "b/../../a.wav", "/songs2/a.wav", "/songs/../a.wav"])
    func outside(_ path: String) throws {
        let text = player(#"{"file": "\#(path)"}"#)
        #expect {
            try decode(text)
        } throws: { error in
            (error as? InvalidPipeline)?.diagnostics.map(\.code) == [.file]
        }
        #expect(throws: Never.self) { try decode(text, Permissions(outsideFolder: true)) }
    }

    @Test(
        "a path inside the folder is accepted",
        arguments: ["a.wav", "b/a.wav", "/songs/a.wav", "..a.wav"])
    func inside(_ path: String) throws {
        #expect(throws: Never.self) { try decode(player(#"{"file": "\#(path)"}"#)) }
    }

    @Test("the folder may be relative to the working folder", arguments: ["", "b/", "./c/../"])
    func relative(_ folder: String) throws {
        let current = try #require(getcwd(nil, 0))
        defer { free(current) }
        let here = String(cString: current)
        func decodeThere(_ path: String) throws {
            _ = try decode(player(#"{"file": "\#(path)"}"#), file: folder + "p.json")
        }
        #expect(throws: Never.self) { try decodeThere("\(here)/b/a.wav") }
        #expect(throws: InvalidPipeline.self) { try decodeThere("\(here)2/b/a.wav") }
        #expect(throws: InvalidPipeline.self) { try decodeThere("/b/a.wav") }
    }

    @Test("a network address is refused unless the network is permitted")
    func network() throws {
        let text = player(#"{"url": "https://example.org/a.mp3"}"#)
        #expect(throws: InvalidPipeline.self) { try decode(text) }
        #expect(throws: Never.self) { try decode(text, Permissions(network: true)) }
    }

    @Test(
        "an address of this machine or of a private network is refused unless it is permitted",
        arguments: ["localhost:8017", "192.168.1.5", "[::1]:80", "user:word@10.0.0.1", "127.1"])
    func privateHost(place: String) throws {
        let text = player(#"{"url": "http://\#(place)/a.mp3"}"#)
        let error = #expect(throws: InvalidPipeline.self) {
            try decode(text, Permissions(network: true))
        }
        let message = error?.diagnostics.first?.message ?? ""
        #expect(message.hasSuffix("which requires --allow-private"))
        #expect(!message.contains("word"))
        #expect(throws: Never.self) {
            try decode(text, Permissions(network: true, privateHosts: true))
        }
        #expect(throws: InvalidPipeline.self) { try decode(text, Permissions(privateHosts: true)) }
    }

    @Test("takes are saved next to the file, or in the folder that the user selected")
    func takes() throws {
        let text = """
            { "version": 1, "nodes": [
              { "id": "r", "type": "recorder", "settings": { "take": "x/%H.wav" } }] }
            """
        #expect(try decode(text).nodes[0].settings["take"]?.text == "/songs/x/%H.wav")
        let elsewhere = Permissions(takesFolder: "/50% takes")
        #expect(
            try decode(text, elsewhere).nodes[0].settings["take"]?.text == "/50%% takes/x/%H.wav")
    }
}
