internal import Pipelines
internal import TestSignals
internal import Testing

@Suite("Files that are read again")
struct CheckedFilesTests {
    private let path = "folder/test.json"

    /// A pipeline in which values decide about strips, nodes and scenes.
    private let text = #"""
        {
          "version": 1,
          "description": "\"nodes\": [{,: \\",
          "inputs": {"a": {"channels": 1}, "b": {"channels": 1}},
          "nodes": [
            {"id": "n1", "type": "gain", "from": "a", "bypass": false, "mix": 0.5,
             "parameters": {"gain": -12.5, "mute": false}},
            {"id": "m", "type": "mixer", "from": ["n1", "b"],
             "parameters": {"gain": 1e0, "n1.gain": -3, "b.gain":-120, "b.solo": true,
                            "b.mute": false}},
            {"id": "f", "type": "filter", "mix": 1, "bypass": true,
             "parameters": {"shape": "peak", "frequency": 440, "order": 2, "q": 0.7}}
          ],
          "scenes": {"one": {"m.b.mute": true, "f.bypass": false}, "two": {"m.b.mute": false}},
          "tempo": 120
        }
        """#

    private typealias Found = Result<PipelineFile, InvalidPipeline>

    private func read(_ bytes: [UInt8], _ known: CheckedFiles?) -> Found {
        do throws(InvalidPipeline) {
            return .success(
                try PipelineFile(
                    contentsOf: path, catalogue: FakeCatalogue.catalogue,
                    draft: FileDraft(bytes, of: path), known: known))
        } catch {
            return .failure(error)
        }
    }

    /// Expects the same pipeline, or the same errors, as without files that are known.
    private func expectSame(_ bytes: [UInt8], _ known: CheckedFiles) {
        switch (read(bytes, known), read(bytes, nil)) {
        case (.success(let one), .success(let other)): #expect(one == other)
        case (.failure(let one), .failure(let other)):
            #expect(one.diagnostics == other.diagnostics)
        default: Issue.record("\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// The numbers of texts that were checked, that had one changed value, and that were unchanged.
    private func counts(_ known: CheckedFiles) -> [Int] {
        let counts = known.counts
        return [counts.checked, counts.changedValues, counts.unchanged]
    }

    /// Returns the places of all values that are no arrays and no objects.
    private func places(in element: JSONElement) -> [Range<Int>] {
        switch element.content {
        case .array(let elements): elements.flatMap(places)
        case .object(let members): members.flatMap { places(in: $0.value) }
        default: [element.start..<element.end]
        }
    }

    @Test(
        "give the same result as a whole check, whatever value is edited",
        arguments: [
            "0", "1", "-3", "0.25", "-120", "7.0", "1e9", "1e999", "true", "false", "null", "01",
            "-", "\"peak\"", "0.5 ", " 0.5", "0.5, \"pan\": 0", "[1]", "",
        ])
    func anyValue(new: String) {
        let bytes = Array(text.utf8)
        let document = Document(parsing: bytes, errors: ErrorList())
        for place in places(in: document.root) {
            let known = CheckedFiles()
            _ = read(bytes, known)
            var edited = bytes
            edited.replaceSubrange(place, with: new.utf8)
            expectSame(edited, known)
            // The way back begins with the edited value.
            expectSame(bytes, known)
        }
    }

    @Test("give the same result as a whole check, whatever byte is edited")
    func anyByte() {
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            for new in Array("5\",".utf8) {
                let known = CheckedFiles()
                _ = read(bytes, known)
                var edited = bytes
                edited[index] = new
                expectSame(edited, known)
            }
        }
    }

    @Test(
        "cost the check of one value if only one has changed, and nothing if none has",
        arguments: [10, 100, 4_000])
    func oneValue(count: Int) {
        func text(_ gain: Double, _ last: Int) -> [UInt8] {
            let nodes = (0..<count).map {
                #"{"id": "n\#($0)", "type": "gain", "parameters": {"gain": \#($0 == last ? gain : 0)}}"#
            }
            return Array(pipeline(nodes: nodes.joined(separator: ",\n")).utf8)
        }
        let known = CheckedFiles()
        _ = read(text(0, 0), known)
        _ = read(text(0, 0), known)
        for node in [0, count / 2, count - 1] {
            expectSame(text(-6.5, node), known)
            expectSame(text(0, node), known)
        }
        #expect(counts(known) == [1, 6, 1])
        // Two values are no single one.
        expectSame(text(-6.5, 0), known)
        expectSame(text(-6.5, count - 1), known)
        #expect(known.counts.checked == 2)
    }

    @Test("are checked at another sample rate")
    func otherRate() throws {
        let known = CheckedFiles()
        for rate in [48_000.0, 44_100, 44_100] {
            _ = try PipelineFile(
                contentsOf: path, catalogue: FakeCatalogue.catalogue, sampleRate: rate,
                draft: FileDraft(Array(text.utf8), of: path), known: known)
        }
        #expect(known.counts.checked == 2 && known.counts.unchanged == 1)
    }

    @Test("are always checked if they name other files or presets")
    func otherFiles() throws {
        let folder = TestFiles.path("Valid/")
        for name in ["everything.json"] {
            let known = CheckedFiles()
            for _ in 0..<2 {
                _ = try PipelineFile(
                    contentsOf: folder + name, catalogue: FakeCatalogue.catalogue, known: known)
            }
            #expect(known.counts.checked == 2 && known.counts.unchanged == 0)
        }
    }

    @Test("of a setlist cost what the edited song costs", arguments: [10, 500])
    func songs(count: Int) throws {
        let folder = ScratchFolder()
        func song(_ gain: Int, extra: Bool = false) -> String {
            let node = #"{"id": "a", "type": "gain", "parameters": {"gain": \#(gain)}}"#
            return pipeline(nodes: node + (extra ? #", {"id": "b", "type": "gain"}"# : ""))
        }
        for index in 0..<count { folder.write(song(0), to: "\(index).json") }
        let songs = (0..<count).map { #"{"pipeline": "\#($0).json", "name": "\#($0)"}"# }
        let path = folder.write(
            #"{"version": 1, "setlist": "s", "songs": [\#(songs.joined(separator: ","))]}"#,
            to: "set.json")
        for tolerant in [false, true] {
            let known = CheckedFiles()
            func read(_ known: CheckedFiles?) throws -> PipelineFile {
                tolerant
                    ? try PlayableFile(
                        contentsOf: path, catalogue: FakeCatalogue.catalogue, known: known
                    ).file
                    : try PipelineFile(
                        contentsOf: path, catalogue: FakeCatalogue.catalogue, known: known)
            }
            for text in [song(0), song(-6), song(-6, extra: true), song(0)] {
                folder.write(text, to: "\(count - 1).json")
                #expect(try read(known) == read(nil))
            }
            #expect(counts(known) == [count + 2, 1, 3 * (count - 1)])
        }
    }
}
