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
            (" { node.name = a }", " { jack.locked-process = false  node.name = a }"),
            ("# mine\n{ node.name = a }", "# mine\n{ jack.locked-process = false  node.name = a }"),
            ("#\r\n{a=b}", "#\r\n{ jack.locked-process = false a=b}"),
            ("# {\nnode.name = a", " jack.locked-process = false # {\nnode.name = a"),
            ("# only this", " jack.locked-process = false # only this"),
            // The name of the property is in a comment, a value or another object.
            (
                "{ # jack.locked-process = true\n a = b }",
                "{ jack.locked-process = false  # jack.locked-process = true\n a = b }"
            ),
            (
                "{ node.name = jack.locked-process }",
                "{ jack.locked-process = false  node.name = jack.locked-process }"
            ),
            (
                "a = { jack.locked-process = true }",
                " jack.locked-process = false a = { jack.locked-process = true }"
            ),
        ])
    func properties(given: String?, text: String) {
        #expect(PipeWireProperties.text(from: given) == text)
    }

    @Test(
        "keeps the user's value of that property",
        arguments: [
            "{ jack.locked-process = true }", "jack.locked-process=true",
            "# mine\n{ \"jack.locked-process\" : true }",
            "{ a = { b = c }, d = [ 1 2 ], jack.locked-process = true }",
            "{ a = \"\\\"{\" jack.locked-process = true }",
        ])
    func userValue(given: String) {
        #expect(PipeWireProperties.text(from: given) == given)
    }

    @Test("is JACK's otherwise", arguments: ["1.9.21", "0.126.0", ""])
    func jack(text: String) {
        let library = JackLibrary(versionText: text)
        #expect(!library.isPipeWire && library.pipeWireVersion == nil)
    }
}
