internal import Pipelines
internal import TestSignals
internal import Testing

@Suite("Setlists")
struct SetlistTests {
    private func setlist(_ text: String) throws(InvalidPipeline) -> PipelineFile {
        try PipelineFile(
            decoding: Array(text.utf8), file: TestFiles.path("Valid/none.json"),
            catalogue: FakeCatalogue.catalogue)
    }

    @Test("a setlist contains its songs' pipelines and scenes")
    func songs() throws {
        let file = try PipelineFile(
            contentsOf: TestFiles.path("Valid/friday.setlist.json"),
            catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let friday) = file else {
            Issue.record("it was taken for a pipeline")
            return
        }
        #expect(friday.name == "Friday")
        #expect(friday.songs.map(\.name) == ["Opener", "least", "Everything"])
        #expect(friday.songs.map(\.scene) == [0, nil, nil])
        #expect(friday.songs.map(\.bindings.count) == [2, 0, 2])
        #expect(friday.bindings.map(\.action) == [.perform(.nextSong)])
        #expect(friday.songs[0].bindings.last?.action == .scene(0))
    }

    @Test("a binding to a value of the session applies in every song, with or without addresses")
    func sessionValues() throws {
        let text = #"""
            {"version": 1, "setlist": "x",
             "songs": [{"pipeline": "least.json"}, {"pipeline": "everything.json"}],
             "midi": [{"cc": 7, "to": "gain", "port": "control"},
                      {"cc": 8, "to": [{"address": "tempo"}, {"address": "cut.frequency"}]},
                      {"cc": 9, "to": [{"address": "gain"}, {"address": "tempo"}]}]}
            """#
        guard case .setlist(let found) = try setlist(text) else {
            Issue.record("it was taken for a pipeline")
            return
        }
        func values(_ bindings: [Pipeline.Binding]) -> [Pipeline.Binding.Movable] {
            bindings.compactMap {
                if case .move(let value, _, _, _, _, _) = $0.action { value } else { nil }
            }
        }
        #expect(values(found.bindings) == [.master(.gain), .master(.gain), .master(.tempo)])
        #expect(values(found.songs[0].bindings) == [.master(.tempo)])
        #expect(values(found.songs[1].bindings).count == 2)
    }

    @Test(
        "songs keep their values unless the setlist says otherwise",
        arguments: [("", true), (#", "keep": "values""#, true), (#", "keep": "nothing""#, false)])
    func keep(key: String, keepsValues: Bool) throws {
        let text =
            #"{"version": 1, "setlist": "x", "songs": [{"pipeline": "least.json"}]\#(key)}"#
        guard case .setlist(let found) = try setlist(text) else {
            Issue.record("it was taken for a pipeline")
            return
        }
        #expect(found.keepsValues == keepsValues)
    }

    @Test("another value of `keep` is reported with the allowed ones")
    func wrongKeep() {
        let text =
            #"{"version": 1, "setlist": "x", "songs": [{"pipeline": "least.json"}], "keep": "value"}"#
        let error = #expect(throws: InvalidPipeline.self) { try setlist(text) }
        let reported = error?.diagnostics ?? []
        #expect(reported.map(\.code) == [.range] && reported.first?.suggestion == "values")
    }

    @Test("a pipeline is distinguished from a setlist")
    func pipelines() throws {
        let file = try setlist(#"{"version": 1}"#)
        guard case .pipeline = file else {
            Issue.record("it was taken for a setlist")
            return
        }
    }

    @Test("a song's own errors follow the setlist's, with the song's file")
    func songErrors() {
        let text = """
            {"version": 1, "setlist": "x", "songs": [{"pipeline": "../Broken/range-top.json"}, \
            {"pipeline": "everything.json", "scene": "vers"}, {"pipeline": "../Broken/range-top.json"}]}
            """
        #expect {
            try setlist(text)
        } throws: { error in
            let reported = (error as? InvalidPipeline)?.diagnostics ?? []
            return reported.map(\.code) == [.reference, .range, .range, .range, .range]
                && reported.first?.suggestion == "verse"
                && reported.dropFirst().allSatisfy { $0.file.hasSuffix("Broken/range-top.json") }
        }
    }

    @Test("a song outside the folder that is not a pipeline is refused without quoting it")
    func strangeSong() throws {
        let folder = ScratchFolder()
        for contents in ["s3cret:word", #"{"s3cret": 1}"#, #"{"version": 1, "s3cret"#] {
            let path = folder.write(contents, to: "song")
            let text = #"{"version": 1, "setlist": "x", "songs": [{"pipeline": "\#(path)"}]}"#
            let error = #expect(throws: InvalidPipeline.self) { try setlist(text) }
            let reported = error?.diagnostics ?? []
            #expect(reported.count == 1)
            #expect(reported.first?.message.contains("outside the setlist's folder") == true)
            #expect(!reported.contains { $0.message.contains("s3cret") })
        }
    }

    @Test("a song that is a setlist is refused with one error")
    func nested() {
        let text = """
            {"version": 1, "setlist": "x", "songs": [{"pipeline": "friday.setlist.json"}]}
            """
        let error = #expect(throws: InvalidPipeline.self) { try setlist(text) }
        let messages = error?.diagnostics.map(\.message)
        #expect(
            messages == ["the song \"friday.setlist.json\" is a setlist; a song must be a pipeline"]
        )
    }

    @Test(
        "a binding without meaning in any song is reported once",
        arguments: [
            #"{"cc": 1, "to": "zebra.gain"}"#, #"{"cc": 1, "scene": "zebra"}"#,
            #"{"cc": 1, "to": "last.gain", "range": [0, 100]}"#,
        ])
    func bindings(binding: String) {
        let text = """
            {"version": 1, "setlist": "x", "songs": [{"pipeline": "everything.json"}, \
            {"pipeline": "least.json"}, {"pipeline": "everything.json"}], "midi": [\(binding)]}
            """
        #expect {
            try setlist(text)
        } throws: { error in
            (error as? InvalidPipeline)?.diagnostics.count == 1
        }
    }

    private func setlist(binding: String) throws -> Setlist? {
        let text = """
            {"version": 1, "setlist": "x", "songs": [{"name": "Opener", "pipeline": "everything.json"}, \
            {"pipeline": "least.json"}], "midi": [\(binding)]}
            """
        guard case .setlist(let setlist) = try setlist(text) else { return nil }
        return setlist
    }

    @Test("a binding of a setlist starts a song by name")
    func songTargets() throws {
        let found = try setlist(binding: #"{"program": 3, "bank": 1, "song": "least"}"#)
        #expect(found?.bindings.map(\.action) == [.song(1)])
        #expect(found?.bindings.map(\.bank) == [1])
    }

    @Test("an unknown song is reported with the nearest name; so is a song next to a scene")
    func songTargetErrors() {
        #expect {
            try setlist(binding: #"{"program": 3, "song": "Opner"}"#)
        } throws: { error in
            let reported = (error as? InvalidPipeline)?.diagnostics ?? []
            return reported.map(\.code) == [.reference] && reported.first?.suggestion == "Opener"
                && reported.first?.pointer == "/midi/0/song"
        }
        #expect {
            try setlist(binding: #"{"program": 3, "song": "Opener", "scene": "verse"}"#)
        } throws: { error in
            (error as? InvalidPipeline)?.diagnostics.map(\.code) == [.binding]
        }
    }
}
