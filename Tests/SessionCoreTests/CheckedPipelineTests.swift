import Pipelines
import Testing

@Suite("A shipped pipeline that is read again")
struct CheckedPipelineTests {
    private static let folder =
        String(#filePath.dropLast("Tests/SessionCoreTests/CheckedPipelineTests.swift".count))
        + "pipelines/"

    @Test(
        "is the same as after a whole check, whatever value was edited",
        arguments: [
            "clean-vocal", "ducking", "four-sources", "key-harmony", "mixer-mono", "mixer-stereo",
            "rig-guitar", "rig-vocal", "talkback", "vocal-harmony",
        ])
    func values(name: String) throws {
        let path = Self.folder + name + ".json"
        let bytes = try FileContents(path: path).bytes
        let document = Document(parsing: bytes, errors: ErrorList())
        var count = 0
        let known = CheckedFiles()
        func read(_ bytes: [UInt8], _ known: CheckedFiles?) -> PlayableFile? {
            try? PlayableFile(
                contentsOf: path, catalogue: Stage.catalogue, draft: FileDraft(bytes, of: path),
                known: known)
        }
        _ = read(bytes, known)
        for node in document.root["nodes"]?.elements ?? [] {
            for member in node["parameters"]?.members ?? [] {
                for new in ["0", "1", "-1.5", "true"] {
                    var edited = bytes
                    edited.replaceSubrange(
                        member.value.start..<member.value.end, with: new.utf8)
                    #expect(read(edited, known) == read(edited, nil), "\(member.key)")
                    #expect(read(bytes, known) == read(bytes, nil))
                    count += 1
                }
            }
        }
        #expect(count > 0)
    }
}
