/// What libFuzzer calls: the decoder on any bytes, as a pipeline or a setlist, with a catalogue that has each kind of node.
///
/// It is compiled together with the sources of Realtime, Processing and Pipelines, so it imports only what they do.
import Glibc

/// Decodes one input; a trap, a hang or a fault outside the text is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPipelines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(InvalidPipeline) {
        let file = try PipelineFile(
            decoding: bytes, file: "/nowhere/fuzz.json", catalogue: FakeCatalogue.catalogue)
        if case .pipeline(let pipeline) = file { check(pipeline) }
    } catch {
        check(error.diagnostics, lines: bytes.count { $0 == 0x0A || $0 == 0x0D } + 1)
    }
    return 0
}

/// Every tap leads to a channel that is there, and every node has its values.
private func check(_ pipeline: Pipeline) {
    for node in pipeline.nodes {
        precondition(node.parameters.count == node.values.count)
        for tap in node.instances.joined() { check(tap, in: pipeline) }
    }
    for output in pipeline.outputs {
        precondition(output.taps.count == output.channels)
        for tap in output.taps { check(tap, in: pipeline) }
    }
}

private func check(_ tap: Pipeline.Tap?, in pipeline: Pipeline) {
    guard let tap else { return }
    switch tap.source {
    case .input(let index): precondition(tap.channel < pipeline.inputs[index].channels)
    case .node(let index): precondition(tap.channel < pipeline.nodes[index].outputChannels)
    }
}

/// There is a fault, and each stands inside the text and can be printed.
private func check(_ diagnostics: [Diagnostic], lines: Int) {
    precondition(!diagnostics.isEmpty)
    for diagnostic in diagnostics {
        precondition((1...lines).contains(diagnostic.line) && diagnostic.column >= 1)
        precondition(!diagnostic.description.isEmpty && !diagnostic.json.text.isEmpty)
    }
}
