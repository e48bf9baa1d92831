import JackHost
import Testing

@Suite("The JACK library")
struct JackLibraryTests {
    @Test(
        "is PipeWire's if its version names PipeWire",
        arguments: [
            ("3.0.0.0 (using PipeWire 0.3.65)", "0.3.65"),
            ("3.0.0.0 (using PipeWire 1.4.2)", "1.4.2"), ("(using PipeWire)", ""),
        ])
    func pipeWire(text: String, version: String) {
        let library = JackLibrary(versionText: text)
        #expect(library.isPipeWire && library.pipeWireVersion == version)
    }

    @Test(
        "gets a property next to those of the user",
        arguments: [
            (nil, " jack.locked-process = false "),
            ("", " jack.locked-process = false "),
            ("node.name = a", " jack.locked-process = false node.name = a"),
            (" { node.name = a }", " {  jack.locked-process = false node.name = a }"),
            ("{ jack.locked-process = true }", "{ jack.locked-process = true }"),
        ])
    func properties(given: String?, text: String) {
        #expect(PipeWireProperties.text(from: given) == text)
    }

    @Test("is JACK's otherwise", arguments: ["1.9.21", "0.126.0", ""])
    func jack(text: String) {
        let library = JackLibrary(versionText: text)
        #expect(!library.isPipeWire && library.pipeWireVersion == nil)
    }
}
