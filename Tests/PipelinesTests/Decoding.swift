internal import Pipelines

/// What a text decodes to with the catalogue of these tests.
func decode(_ text: String, sampleRate: Double = 48000) throws -> Pipeline {
    try decode(Array(text.utf8), sampleRate: sampleRate)
}

/// What bytes decode to with the catalogue of these tests.
func decode(_ bytes: [UInt8], sampleRate: Double = 48000) throws(InvalidPipeline) -> Pipeline {
    try Pipeline(
        decoding: bytes, file: "folder/test.json", catalogue: FakeCatalogue.catalogue,
        sampleRate: sampleRate)
}

/// Everything that is wrong with a text; nothing where it is right.
func faults(_ text: String) -> [Diagnostic] { faults(Array(text.utf8)) }

/// Everything that is wrong with bytes; nothing where they are right.
func faults(_ bytes: [UInt8]) -> [Diagnostic] {
    do throws(InvalidPipeline) {
        _ = try decode(bytes)
        return []
    } catch {
        return error.diagnostics
    }
}

/// The text of a pipeline with these nodes and nothing else.
func pipeline(nodes: String) -> String { #"{"version": 1, "nodes": ["# + nodes + "]}" }
