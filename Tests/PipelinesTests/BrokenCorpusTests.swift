internal import Pipelines
internal import Testing

/// One file for each possible diagnostic, with its exact expected text.
@Suite("Broken files")
struct BrokenCorpusTests {
    static let names = TestFiles.names(in: "Broken", extension: "json").map {
        String($0.dropLast(".json".count))
    }

    @Test("a broken file has exactly the expected diagnostics", arguments: names)
    func diagnostics(name: String) throws {
        let expected = try TestFiles.text("Broken/\(name).expected")
        let reported = try Self.reported(name)
        #expect(reported == expected, "\(Difference(from: expected, to: reported))")
    }

    @Test("every diagnostic code occurs in a broken file")
    func codes() throws {
        let expected = try Self.names.map { try TestFiles.text("Broken/\($0).expected") }.joined()
        for code in Diagnostic.Code.allCases { #expect(expected.contains("[\(code.rawValue)]")) }
    }

    /// Writes the current diagnostics as the expected ones, for review before they are committed.
    @Test("expectations are recorded again", .enabled(if: TestFiles.isRecording), arguments: names)
    func record(name: String) throws {
        try TestFiles.write(try Self.reported(name), to: "Broken/\(name).expected")
    }

    /// Returns the diagnostics of a file as the command line prints them.
    static func reported(_ name: String) throws -> String {
        let file = "\(name).json"
        let bytes = try TestFiles.bytes("Broken/\(file)")
        do throws(InvalidPipeline) {
            _ = try PipelineFile(
                decoding: bytes, file: file, catalogue: FakeCatalogue.catalogue)
            return ""
        } catch {
            return error.diagnostics.map { "\($0)\n" }.joined()
        }
    }
}

/// The lines in which two texts differ.
struct Difference: CustomStringConvertible {
    let description: String

    init(from old: String, to new: String) {
        let oldLines = old.split(separator: "\n")
        let newLines = new.split(separator: "\n")
        let changes = newLines.difference(from: oldLines).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
        description = "\n" + changes.joined(separator: "\n")
    }
}
