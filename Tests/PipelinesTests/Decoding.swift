internal import Pipelines

/// Decodes a text with the catalogue of these tests.
func decode(_ text: String, sampleRate: Double = 48000) throws -> Pipeline {
    try decode(Array(text.utf8), sampleRate: sampleRate)
}

/// Decodes bytes with the catalogue of these tests.
func decode(_ bytes: [UInt8], sampleRate: Double = 48000) throws(InvalidPipeline) -> Pipeline {
    try Pipeline(
        decoding: bytes, file: "folder/test.json", catalogue: FakeCatalogue.catalogue,
        sampleRate: sampleRate)
}

/// Returns all errors in a text; empty if it is valid.
func errors(_ text: String) -> [Diagnostic] { errors(Array(text.utf8)) }

/// Returns all errors in the bytes; empty if they are valid.
func errors(_ bytes: [UInt8]) -> [Diagnostic] {
    do throws(InvalidPipeline) {
        _ = try decode(bytes)
        return []
    } catch {
        return error.diagnostics
    }
}

/// Returns the text of a pipeline with these nodes and nothing else.
func pipeline(nodes: String) -> String { #"{"version": 1, "nodes": ["# + nodes + "]}" }
