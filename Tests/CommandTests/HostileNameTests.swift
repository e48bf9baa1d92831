import Testing

@Suite("Names with control characters")
struct HostileNameTests {
    private let program = Program()
    private static let inJSON = "\\u001b]0;x\\u0007\\n\\u009b2J\\u007f\\u202e"
    private static let shown = "\\u{1b}]0;x\\u{7}\\n\\u{9b}2J\\u{7f}\\u{202e}"
    private static let fileName = "song\u{1B}]0;y\u{07}\n\u{9B}\u{202E}.json"
    private static let shownFile = "song\\u{1b}]0;y\\u{7}\\n\\u{9b}\\u{202e}.json"

    private func write(_ type: String = "gain", to name: String = Self.fileName) {
        program.write(
            """
            "name": "\(Self.inJSON)", "nodes": [{ "id": "lev", "type": "\(type)" }],
            "scenes": { "\(Self.inJSON)": { "lev.gain": 0 } }
            """, to: name)
    }

    /// Expects a text without control characters, except line breaks.
    private func expectHarmless(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        let controls = text.unicodeScalars.filter {
            $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
        }
        #expect(controls.isEmpty, sourceLocation: location)
    }

    @Test("check escapes the file's name, for a valid and for an invalid file")
    func check() {
        write()
        let valid = program("check", Self.fileName)
        #expect(valid.output.hasPrefix("\(Self.shownFile): valid: "))
        #expect(valid.output.split(separator: "\n").count == 1)
        write(Self.inJSON)
        let invalid = program("check", Self.fileName)
        #expect(invalid.errors.hasPrefix("\(Self.shownFile):"))
        #expect(invalid.errors.contains("\"\(Self.shown)\""))
        #expect(invalid.errors.split(separator: "\n").count == 2)
        for text in [valid.output, invalid.errors] { expectHarmless(text) }
    }

    @Test("check escapes the names of a setlist's songs")
    func setlist() {
        write(to: "song.json")
        program.write(
            """
            "setlist": "Night", "songs": [{ "name": "\(Self.inJSON)", "pipeline": "song.json" }]
            """, to: "setlist.json")
        let outcome = program("check", "setlist.json")
        #expect(outcome.output.contains("setlist of \(Self.shown);"), "\(outcome)")
        #expect(outcome.output.contains("\n    \(Self.shown): memory "))
        #expect(outcome.output.split(separator: "\n").count == 2)
        expectHarmless(outcome.output)
    }

    @Test("graph draws names without control characters, in both languages")
    func graph() {
        write()
        for options in [[], ["--svg"]] {
            let outcome = program(["graph", Self.fileName] + options)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("]0;x"))
            expectHarmless(outcome.output)
        }
    }

    @Test("JSON uses its own escapes, and keeps the meaning")
    func json() {
        write(Self.inJSON)
        let outcome = program("check", Self.fileName, "--json")
        #expect(outcome.output.contains("song\\u001b]0;y\\u0007\\n\\u009b\\u202e.json\""))
        expectHarmless(outcome.output)
    }

    @Test("error messages escape the names of plugins and files")
    func complaints() {
        let plugin = program("plugin", "urn:\u{1B}[2J\n")
        #expect(plugin.errors.contains("urn:\\u{1b}[2J\\n"))
        expectHarmless(plugin.errors)
        let list = program("plugins", "\u{1B}[2J")
        #expect(list.errors.contains("'\\u{1b}[2J'"))
        let file = program("convert", "\u{1B}[2J.wav", "out.wav")
        #expect(file.errors.contains("\\u{1b}[2J.wav"))
        for text in [list.errors, file.errors] { expectHarmless(text) }
    }
}
