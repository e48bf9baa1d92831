internal import Pipelines
internal import TestSignals
internal import Testing

@Suite("Inputs, outputs and nodes of a setlist")
struct OuterLevelTests {
    private let folder = ScratchFolder()

    private static let song =
        #""inputs": {"mic": {"channels": 2}}, "outputs": {"out": {"channels": 2}}, "nodes": [{"id": "own", "type": "gain", "from": "mic"}]"#

    /// Reads a setlist of two songs.
    private func read(
        _ keys: String, _ first: String = song, _ second: String = song
    ) throws(InvalidPipeline) -> Setlist {
        for (name, text) in [("a", first), ("b", second)] {
            folder.write("{\"version\": 1, \(text)}", to: "\(name).json")
        }
        let text =
            #"{"version": 1, "setlist": "x", "songs": [{"pipeline": "a.json"}, {"pipeline": "b.json"}], \#(keys)}"#
        let file = try PipelineFile(
            decoding: Array(text.utf8), file: folder.file("x.json"),
            catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let setlist) = file else { fatalError("it is a setlist") }
        return setlist
    }

    private func messages(
        _ keys: String, _ first: String = song, _ second: String = song
    ) -> [String] {
        do throws(InvalidPipeline) {
            _ = try read(keys, first, second)
            return []
        } catch {
            return error.diagnostics.map { "\($0.pointer): \($0.message)" }
        }
    }

    @Test("a setlist without these keys has no outer level")
    func none() throws {
        let setlist = try read(#""description": """#)
        #expect(setlist.songs.allSatisfy { $0.pipeline.outer == nil })
    }

    @Test("the nodes of the setlist come after those of the song, and process its output")
    func after() throws {
        let setlist = try read(
            #""after": [{"id": "trim", "type": "gain"}], "outputs": {"out": {"channels": 2}}"#)
        let pipeline = setlist.songs[0].pipeline
        #expect(pipeline.nodes.map(\.id) == ["own", "trim"])
        #expect(pipeline.outer?.firstNode == 1 && pipeline.hasOuterSound)
        #expect(
            pipeline.nodes[1].instances == [
                [.init(.node(0), channel: 0), .init(.node(0), channel: 1)]
            ])
        #expect(pipeline.nodes[1].songInputs == [0, 1])
        #expect(pipeline.outputs.map(\.name) == ["out"])
        #expect(pipeline.outputs[0].taps.map { $0?.source } == [.node(1), .node(1)])
        #expect(pipeline.outer?.outputs == [0])
    }

    @Test("the signal for the songs replaces their input")
    func before() throws {
        let setlist = try read(
            #""inputs": {"mic": {"connect": ["system:capture_1"], "songs": "pad"}}, "before": [{"id": "pad", "type": "gain"}]"#
        )
        let pipeline = setlist.songs[0].pipeline
        #expect(pipeline.inputs[0].connect == [.port("system:capture_1")])
        // One channel feeds both channels of the song's input.
        #expect(
            pipeline.nodes[0].instances == [
                [.init(.node(1), channel: 0), .init(.node(1), channel: 0)]
            ])
        #expect(pipeline.nodes[1].instances == [[.init(.input(0), channel: 0)]])
    }

    @Test("a song with one channel feeds all channels, and one without the output is silent")
    func widths() throws {
        let mono = #""inputs": {"mic": {}}, "outputs": {"out": {"from": "mic"}}"#
        let setlist = try read(
            #""after": [{"id": "trim", "type": "gain", "from": "out"}], "outputs": {"main": {"channels": 2}}"#,
            Self.song, mono)
        #expect(
            setlist.songs[1].pipeline.nodes[0].instances == [
                [.init(.input(0), channel: 0), .init(.input(0), channel: 0)]
            ])
        let other = #""inputs": {"mic": {}}, "outputs": {"phones": {"from": "mic"}}"#
        let silent = try read(
            #""after": [{"id": "trim", "type": "gain", "from": "out"}], "outputs": {"main": {"channels": 2}}"#,
            Self.song, other)
        #expect(silent.songs[1].pipeline.nodes[0].instances == [[nil, nil]])
        // The outputs that the setlist does not name remain.
        #expect(silent.songs[1].pipeline.outputs.map(\.name) == ["phones", "main"])
    }

    @Test("bindings of the setlist reach its nodes and its MIDI inputs in every song")
    func bindings() throws {
        let midi =
            #""inputs": {"keys": {"kind": "midi"}, "mic": {"channels": 2}}, "outputs": {"out": {"channels": 2}}, "nodes": [{"id": "own", "type": "gain", "from": "mic"}]"#
        let setlist = try read(
            #""inputs": {"pads": {"kind": "midi", "connect": ["/pads.*/"]}}, "after": [{"id": "trim", "type": "gain"}], "outputs": {"out": {"channels": 2}}, "midi": [{"cc": 7, "port": "pads", "to": "trim.gain"}, {"cc": 8, "action": "mute"}]"#,
            Self.song, midi)
        #expect(setlist.bindings.isEmpty)
        for song in setlist.songs {
            #expect(song.bindings.count == 2)
            let port = try #require(song.bindings[0].port)
            #expect(song.pipeline.inputs[port].name == "pads")
            #expect(song.pipeline.inputs[port].connect == [.pattern("pads.*")])
            guard case .move(.node(let address), _, _, _, _, _) = song.bindings[0].action else {
                Issue.record("it moves no value")
                continue
            }
            #expect(song.pipeline.nodes[address.node].id == "trim")
        }
    }

    @Test(
        "clashes with songs are reported with both names",
        arguments: [
            (
                #""after": [{"id": "own", "type": "gain"}]"#,
                #"/after/0/id: "own" is already the name of a node of the song "a""#
            ),
            (
                #""after": [{"id": "out", "type": "gain"}]"#,
                #"/after/0/id: "out" cannot be the name of a node: it is the name of an output of the song "a""#
            ),
            (
                #""inputs": {"out": {}}"#,
                #"/inputs/out: "out" cannot be the name of an input: it is the name of an output of the song "a""#
            ),
            (
                #""inputs": {"mic": {"kind": "midi"}}"#,
                #"/inputs/mic: the input "mic" is MIDI here, but audio in the song "a""#
            ),
            (
                #""outputs": {"out": {"kind": "midi"}}"#,
                #"/outputs/out: the output "out" is MIDI here, but audio in the song "a""#
            ),
        ])
    func clashes(keys: String, expected: String) {
        let found = messages(keys)
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found)")
    }

    @Test(
        "signals that come too late or do not fit are reported",
        arguments: [
            (
                #""inputs": {"mic": {"channels": 2}}, "before": [{"id": "pad", "type": "gain", "from": "out"}]"#,
                #"/before/0/from: the node "pad" of "before" cannot use "out", which is an output of the songs"#
            ),
            (
                #""inputs": {"mic": {"channels": 2}}, "before": [{"id": "pad", "type": "gain", "from": "trim"}], "after": [{"id": "trim", "type": "gain"}]"#,
                #"/before/0/from: the node "pad" of "before" cannot use the node "trim" of "after", which comes after the songs"#
            ),
            (
                #""inputs": {"mic": {"channels": 2, "songs": "trim"}}, "after": [{"id": "trim", "type": "gain"}]"#,
                #"/inputs/mic/songs: an input of the songs cannot use the node "trim" of "after", which comes after the songs"#
            ),
            (
                #""inputs": {"pads": {"kind": "midi", "songs": "out"}}"#,
                #"/inputs/pads/songs: "songs" is only for audio inputs; "pads" is a MIDI input"#
            ),
            (
                #""before": [{"id": "pad", "type": "gain"}]"#,
                #"/before/0: nothing feeds the first node of "before": the setlist has no audio input and the node has no "from""#
            ),
            (
                #""after": [{"id": "trim", "type": "gain", "from": "ou"}]"#,
                #"/after/0/from: there is no node, input or output of a song "ou""#
            ),
            (
                #""after": [{"id": "trim", "type": "gain", "from": "main"}], "outputs": {"main": {"channels": 2}}"#,
                #"/after/0/from: no song has an output "main""#
            ),
            (
                #""after": [{"id": "trim", "type": "gain"}], "outputs": {"out": {"channels": 3}}"#,
                #"/outputs/out: the output "out" has 3 channels, but its source has 2 channels"#
            ),
            (
                #""inputs": {"pads": {"kind": "midi"}}, "midi": [{"cc": 1, "port": "control", "action": "mute"}]"#,
                #"/midi/0/port: there is no MIDI input "control"; a setlist has only its own: "pads""#
            ),
        ])
    func wrongSignals(keys: String, expected: String) {
        #expect(messages(keys) == [expected])
    }

    @Test("a song may send messages to a MIDI output of the setlist")
    func messagesOfSongs() throws {
        folder.write("{\"version\": 1, \(Self.song)}", to: "a.json")
        let text =
            #"{"version": 1, "setlist": "x", "songs": [{"pipeline": "a.json", "send": [{"port": "lights", "program": 3}]}], "outputs": {"lights": {"kind": "midi"}}}"#
        let file = try PipelineFile(
            decoding: Array(text.utf8), file: folder.file("x.json"),
            catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let setlist) = file else { fatalError("it is a setlist") }
        let message = try #require(setlist.songs[0].messages.first)
        #expect(setlist.songs[0].pipeline.outputs[message.output].name == "lights")
    }

    @Test("if errors are tolerated, a broken outer node passes its input")
    func tolerance() throws {
        folder.write("{\"version\": 1, \(Self.song)}", to: "a.json")
        let text =
            #"{"version": 1, "setlist": "x", "songs": [{"pipeline": "a.json"}], "after": [{"id": "trim", "type": "gian"}], "outputs": {"out": {"channels": 2}}}"#
        let playable = try PlayableFile(
            decoding: Array(text.utf8), file: folder.file("x.json"),
            catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let setlist) = playable.file else { fatalError("it is a setlist") }
        #expect(playable.problems.map(\.consequence) == [.dry])
        #expect(playable.problems.map(\.node) == ["trim"])
        #expect(setlist.songs[0].pipeline.nodes.map(\.isStandIn) == [false, true])
    }
}
