internal import Pipelines
internal import Processing
internal import TestSignals
internal import Testing

@Suite("Files that play despite errors")
struct ToleranceTests {
    private let folder = ScratchFolder()

    private func playable(_ text: String) throws(InvalidPipeline) -> PlayableFile {
        try PlayableFile(
            decoding: Array(text.utf8), file: "folder/test.json",
            catalogue: FakeCatalogue.catalogue)
    }

    /// Returns the pipeline of a text, and its problems.
    private func played(_ text: String) throws -> (pipeline: Pipeline, problems: [Problem]) {
        let file = try playable(text)
        guard case .pipeline(let pipeline) = file.file else { throw NotAPipeline() }
        return (pipeline, file.problems)
    }

    private struct NotAPipeline: Error {}

    // MARK: Pipelines

    @Test("a node with a missing plugin passes its input, and the other nodes play")
    func missingPlugin() throws {
        let text = pipeline(
            nodes: """
                {"id": "a", "type": "gain"}, {"id": "amp", "type": "lv2", "uri": "urn:fake:none"},
                {"id": "b", "type": "gain"}
                """)
        #expect(errors(text).map(\.code) == [.plugin])
        let (pipeline, problems) = try played(text)
        #expect(pipeline.nodes.map(\.isStandIn) == [false, true, false])
        let stereo = { node in (0...1).map { Pipeline.Tap(.node(node), channel: $0) } }
        #expect(pipeline.nodes[1].instances == [stereo(0)])
        #expect(pipeline.nodes[1].outputChannels == 2)
        #expect(pipeline.nodes[2].instances == [stereo(1)])
        #expect(problems.map(\.node) == ["amp"])
        #expect(problems.map(\.consequence) == [.dry])
        #expect(problems.map(\.diagnostic) == errors(text))
    }

    @Test("a missing plugin has the outputs that references name")
    func missingPorts() throws {
        let amp = #""nodes": [{"id": "amp", "type": "lv2", "uri": "urn:fake:none"}]"#
        let ports = try played(
            """
            {"version": 1, \(amp),
             "outputs": {"main": {"channels": 2, "from": ["amp:out_l", "amp:out_r"]}}}
            """)
        #expect(ports.pipeline.nodes[0].outputChannels == 2)
        #expect(
            ports.pipeline.outputs[0].taps
                == [Pipeline.Tap(.node(0), channel: 0), Pipeline.Tap(.node(0), channel: 1)])
        let channels = try played(
            #"{"version": 1, \#(amp), "outputs": {"main": {"from": "amp:3"}}}"#)
        #expect(channels.pipeline.nodes[0].outputChannels == 3)
        #expect(channels.pipeline.outputs[0].taps == [Pipeline.Tap(.node(0), channel: 2)])
        let whole = try played(#"{"version": 1, \#(amp), "outputs": {"main": {"channels": 2}}}"#)
        #expect(whole.pipeline.nodes[0].outputChannels == 2)
    }

    @Test("a stand-in excuses only the channels of outputs that it feeds")
    func channelsOfOutputs() throws {
        let text = """
            {"version": 1, "inputs": {"in": {"channels": 1}, "band": {"channels": 3}}, "nodes": [
              {"id": "amp", "type": "lv2", "uri": "urn:fake:none", "from": "in"},
              {"id": "trim", "type": "gain", "from": "amp"},
              {"id": "level", "type": "gain", "from": "band"}],
             "outputs": {"voice": {"channels": 4, "from": "trim"}, "main": {"channels": 2, "from": "level"}}}
            """
        #expect(errors(text).map(\.code).contains(.channels))
        #expect(throws: InvalidPipeline.self) { try played(text) }
        let fitting = text.replacing(#""main": {"channels": 2"#, with: #""main": {"channels": 3"#)
        let voice = try played(fitting).pipeline.outputs.first { $0.name == "voice" }
        #expect(voice?.taps.count == 4)
    }

    @Test("a missing instrument is silent")
    func missingInstrument() throws {
        let (pipeline, problems) = try played(
            """
            {"version": 1, "inputs": {"in": {}, "keys": {"kind": "midi"}}, "nodes": [
              {"id": "organ", "type": "lv2", "uri": "urn:fake:none", "events": "keys"}]}
            """)
        #expect(pipeline.nodes[0].instances == [[]])
        #expect(pipeline.nodes[0].events == nil)
        #expect(problems.map(\.consequence) == [.silent])
    }

    @Test("a player without its file is silent, and keeps its addresses")
    func missingFile() throws {
        let (pipeline, problems) = try played(
            """
            {"version": 1, "nodes": [
              {"id": "tape", "type": "player", "settings": {"file": "gone.wav"}}],
             "outputs": {"main": {"channels": 2}}, "scenes": {"low": {"tape.gain": -20}}}
            """)
        #expect(pipeline.nodes[0].isStandIn)
        #expect(pipeline.nodes[0].instances == [[]])
        #expect(pipeline.nodes[0].outputChannels == 2)
        #expect(pipeline.nodes[0].settings["file"] == .text("folder/gone.wav"))
        #expect(pipeline.scenes[0].changes.map(\.value) == [-20])
        #expect(problems.map(\.node) == ["tape"])
        #expect(problems.map(\.consequence) == [.silent])
        #expect(problems.map(\.diagnostic.code) == [.file])
    }

    @Test("a wrong value of a parameter is left out, and the node plays")
    func wrongValue() throws {
        let text = pipeline(
            nodes: #"{"id": "a", "type": "gain", "parameters": {"gain": 99, "pan": 0.5}}"#)
        #expect(errors(text).map(\.code) == [.range])
        let (pipeline, problems) = try played(text)
        #expect(!pipeline.nodes[0].isStandIn)
        #expect(pipeline.nodes[0].values.prefix(2) == [0, 0.5])
        #expect(problems.map(\.node) == ["a"])
        #expect(problems.map(\.consequence) == [.ignored])
    }

    @Test("a wrong address in a scene is left out, and the rest of the scene applies")
    func wrongScene() throws {
        let (pipeline, problems) = try played(
            """
            {"version": 1, "nodes": [{"id": "a", "type": "gain"}],
             "scenes": {"low": {"a.gian": -20, "a.gain": -10}}}
            """)
        #expect(pipeline.scenes[0].changes.map(\.value) == [-10])
        #expect(problems.map(\.node) == [nil])
        #expect(problems.map(\.consequence) == [.ignored])
    }

    @Test("a binding with a wrong channel is left out instead of listening to all channels")
    func wrongBinding() throws {
        let (pipeline, problems) = try played(
            """
            {"version": 1, "nodes": [{"id": "a", "type": "gain"}], "midi": [
              {"cc": 7, "channel": 99, "to": "a.gain"}, {"cc": 8, "to": "a.gain"}]}
            """)
        #expect(pipeline.bindings.map(\.trigger) == [.controller(8)])
        #expect(problems.map(\.consequence) == [.ignored])
    }

    @Test("references to more ports than a node can have are no wires")
    func manyPorts() {
        let references = (1...70).map { "\"amp:port\(100 + $0)\"" }.joined(separator: ", ")
        let text = """
            {"version": 1, "nodes": [{"id": "amp", "type": "lv2", "uri": "urn:fake:none"},
              {"id": "a", "type": "gain", "from": [\(references)]}]}
            """
        #expect(throws: InvalidPipeline.self) { try playable(text) }
    }

    @Test(
        "a file without a known signal flow is refused with the same errors as in a strict check",
        arguments: [
            #"{"version": 1, "nodes": [}]}"#, #"{"version": 1, "nodes": [7]}"#,
            #"{"version": 1, "nodes": [{"id": "a", "type": "gain", "from": "zebra"}]}"#,
            #"{"version": 1, "nodes": [{"id": "a", "type": "gain"}, {"id": "a", "type": "gain"}]}"#,
            #"{"version": 1, "nodes": [], "outputs": {"main": {"from": "zebra"}}}"#,
            #"{"version": 2}"#, "[]", "",
        ])
    func refused(text: String) {
        let error = #expect(throws: InvalidPipeline.self) { try playable(text) }
        #expect(error?.diagnostics == errors(text))
    }

    @Test(
        "a valid file has no problems, and the same content as in a strict check",
        arguments: TestFiles.names(in: "Valid", extension: "json"))
    func valid(name: String) throws {
        let path = TestFiles.path("Valid/\(name)")
        let strict = try PipelineFile(contentsOf: path, catalogue: FakeCatalogue.catalogue)
        let tolerant = try PlayableFile(contentsOf: path, catalogue: FakeCatalogue.catalogue)
        #expect(tolerant == PlayableFile(strict))
    }

    @Test("every broken file is refused or plays with problems", arguments: BrokenCorpusTests.names)
    func broken(name: String) throws {
        let bytes = try TestFiles.bytes("Broken/\(name).json")
        do throws(InvalidPipeline) {
            let file = try PlayableFile(
                decoding: bytes, file: "\(name).json", catalogue: FakeCatalogue.catalogue)
            switch file.file {
            case .pipeline(let pipeline):
                #expect(!file.problems.isEmpty)
                #expect(pipeline.outputs.allSatisfy { $0.taps.count == $0.channels })
            case .setlist(let setlist):
                #expect(!(file.problems + setlist.songs.flatMap(\.problems)).isEmpty)
            }
        } catch {
            #expect(!error.diagnostics.isEmpty)
        }
    }

    // MARK: Setlists

    /// Writes a setlist and its songs, and returns its path.
    private func setlist(_ songs: String, _ rest: String = "") -> String {
        folder.write(#"{"version": 1, "nodes": [{"id": "a", "type": "gain"}]}"#, to: "good.json")
        folder.write(#"{"version": 1, "nodes": [}]}"#, to: "brace.json")
        folder.write(
            pipeline(nodes: #"{"id": "amp", "type": "lv2", "uri": "urn:fake:none"}"#),
            to: "plugin.json")
        let text = #"{"version": 1, "setlist": "Night", "songs": [\#(songs)]\#(rest)}"#
        return folder.write(text, to: "night.json")
    }

    @Test("a broken song keeps its place in the setlist, and the other songs play")
    func songs() throws {
        let path = setlist(
            """
            {"pipeline": "good.json"}, {"name": "Brace", "pipeline": "brace.json"},
            {"pipeline": "none.json"}, {"pipeline": "plugin.json", "scene": "zebra"},
            {"pipeline": "brace.json"}
            """, #", "midi": [{"program": 1, "song": "plugin"}, {"program": 2, "song": "zebra"}]"#)
        let file = try PlayableFile(contentsOf: path, catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let night) = file.file else {
            Issue.record("it was taken for a pipeline")
            return
        }
        #expect(night.songs.map(\.name) == ["good", "Brace", "none", "plugin", "brace"])
        #expect(night.songs.map(\.isPlayable) == [true, false, false, true, false])
        #expect(night.songs[0].problems.isEmpty)
        for (index, name) in [(1, "Brace"), (4, "brace")] {
            #expect(!night.songs[index].problems.isEmpty)
            #expect(night.songs[index].problems.allSatisfy { $0.diagnostic.code == .syntax })
            #expect(night.songs[index].problems.allSatisfy { $0.song == name })
        }
        #expect(night.songs[2].problems.map(\.diagnostic.code) == [.file])
        #expect(night.songs[3].problems.map(\.consequence) == [.dry, .ignored])
        #expect(night.songs[3].scene == nil)
        #expect(night.bindings.map(\.action) == [.song(3)])
        // The unknown song may be one whose name an error hides.
        #expect(file.problems.isEmpty)
    }

    @Test("a setlist in which no song can play is refused with the errors of its songs")
    func nothing() {
        let path = setlist(#"{"pipeline": "brace.json"}, {"pipeline": "none.json"}"#)
        let error = #expect(throws: InvalidPipeline.self) {
            try PlayableFile(contentsOf: path, catalogue: FakeCatalogue.catalogue)
        }
        #expect(Set(error?.diagnostics.map(\.code) ?? []) == [.file, .syntax])
        #expect(error?.lacksOnlyPlugins == false)
    }

    @Test("a strict check refuses a setlist with one broken song")
    func strict() {
        let path = setlist(#"{"pipeline": "good.json"}, {"pipeline": "brace.json"}"#)
        let error = #expect(throws: InvalidPipeline.self) {
            try PipelineFile(contentsOf: path, catalogue: FakeCatalogue.catalogue)
        }
        #expect(error?.diagnostics.first?.code == .syntax)
    }

    @Test(
        "a song whose signal has another kind than in an earlier song is refused, the others play")
    func kinds() throws {
        for (name, keys) in [("audio", "{}"), ("midi", #"{"kind": "midi"}"#), ("wide", "{}")] {
            folder.write(
                #"{"version": 1, "inputs": {"in": {}, "keys": \#(keys)}}"#, to: "\(name).json")
        }
        folder.write(
            #"{"version": 1, "outputs": {"main": {}, "keys": {"kind": "midi"}}, "inputs": {"in": {}}}"#,
            to: "output.json")
        let path = setlist(
            #"{"pipeline": "output.json"}, {"pipeline": "audio.json"}, {"pipeline": "midi.json"}, {"pipeline": "wide.json"}"#
        )
        let error = #expect(throws: InvalidPipeline.self) {
            try PipelineFile(contentsOf: path, catalogue: FakeCatalogue.catalogue)
        }
        #expect(error?.diagnostics.map(\.code) == [.reference])
        #expect(error?.diagnostics.first?.pointer == "/songs/2/pipeline")
        let message = try #require(error?.diagnostics.first?.message)
        #expect(message.hasPrefix(#"the input "keys" of the song "midi" is MIDI, but audio in"#))

        let file = try PlayableFile(contentsOf: path, catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let night) = file.file else {
            Issue.record("it was taken for a pipeline")
            return
        }
        #expect(night.songs.map(\.isPlayable) == [true, true, false, true])
        #expect(night.songs[2].problems.map(\.diagnostic) == error?.diagnostics)
        #expect(night.songs[2].pipeline.nodes.isEmpty)
    }
}
