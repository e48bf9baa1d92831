internal import Drawing
internal import Pipelines

extension FuzzTarget {
    /// The decoder of pipelines and setlists, and the drawing of the accepted ones.
    static let pipeline = FuzzTarget(name: "pipeline") { bytes in
        do throws(InvalidPipeline) {
            let file = try PipelineFile(
                decoding: bytes, file: "/nowhere/fuzz.json", catalogue: FakeCatalogue.catalogue)
            if case .pipeline(let pipeline) = file { check(pipeline) }
            // A valid file has no problems.
            let playable = try PlayableFile(
                decoding: bytes, file: "/nowhere/fuzz.json", catalogue: FakeCatalogue.catalogue)
            require(playable == PlayableFile(file), "a valid file has problems")
        } catch {
            let playable = try? PlayableFile(
                decoding: bytes, file: "/nowhere/fuzz.json", catalogue: FakeCatalogue.catalogue)
            if case .pipeline(let pipeline)? = playable?.file { check(pipeline) }
            check(error.diagnostics, lines: bytes.count { $0 == 0x0A || $0 == 0x0D } + 1)
        }
    }
}

/// Checks that every wire leads to an existing channel, and that every node has its values.
private func check(_ pipeline: Pipeline) {
    for node in pipeline.nodes {
        require(node.parameters.count == node.values.count, "\(node.id) lacks values")
        require(node.values.allSatisfy(\.isFinite), "\(node.id) has a value that is not finite")
        for tap in node.instances.joined() { check(tap, in: pipeline) }
    }
    for output in pipeline.outputs {
        require(output.taps.count == output.channels, "\(output.name) lacks channels")
        for tap in output.taps { check(tap, in: pipeline) }
    }
    // A large drawing takes long and would slow the search for other findings.
    guard pipeline.nodes.count <= 64 else { return }
    let picture = SignalDiagram(
        of: pipeline,
        latencies: GraphLatencies(
            sampleRate: 48_000,
            nodes: pipeline.nodes.map { _ in .init(ownFrames: 0, inputFrames: 0) },
            outputFrames: pipeline.outputs.map { _ in 0 }))
    require(!picture.svg.isEmpty && !picture.dot.isEmpty, "the picture is empty")
}

private func check(_ tap: Pipeline.Tap?, in pipeline: Pipeline) {
    guard let tap else { return }
    let channels =
        switch tap.source {
        case .input(let index): pipeline.inputs[index].channels
        case .node(let index): pipeline.nodes[index].outputChannels
        }
    require((0..<channels).contains(tap.channel), "a wire comes from channel \(tap.channel)")
}

/// Checks that there is at least one diagnostic, and that each is inside the text and printable.
private func check(_ diagnostics: [Diagnostic], lines: Int) {
    require(!diagnostics.isEmpty, "a file is refused without a reason")
    for diagnostic in diagnostics {
        require(
            (1...lines).contains(diagnostic.line) && diagnostic.column >= 1,
            "a fault lies outside of the text")
        require(
            !diagnostic.description.isEmpty && !diagnostic.json.text.isEmpty,
            "a fault has no text")
    }
}
