/// The checked outer level of a setlist, without a song.
struct OuterSignals {
    /// The inputs of the setlist.
    var inputs: [Pipeline.Input]
    /// The names of the songs' audio outputs; as sources of `nodes` and `outputs`, they have the
    /// indices after those of `inputs`.
    var songOutputs: [String]
    /// The nodes of `before`, then those of `after`.
    var nodes: [Pipeline.Node]
    var beforeCount: Int
    var outputs: [Pipeline.Output]
    /// The channels that the songs receive from an input, by the index of the input; an input that
    /// is absent goes to the songs itself.
    var feeds: [Int: [Pipeline.Tap]]
    /// The path of the setlist.
    var path: String

    /// Returns the pipeline of a song together with the outer level.
    ///
    /// Indices of the song's inputs, outputs and nodes remain.
    func around(_ song: Pipeline) -> Pipeline { Composition(self, song).pipeline }
}

/// The pipeline of a song together with the outer level.
private struct Composition {
    private let level: OuterSignals
    private let song: Pipeline
    private(set) var pipeline: Pipeline
    /// The name of the songs' output that each source of the outer level is; `nil` for an input of
    /// the setlist.
    private let songOutputs: [String?]
    /// The index of each input of the setlist in the pipeline.
    private var inputIndices: [Int] = []

    init(_ level: OuterSignals, _ song: Pipeline) {
        self.level = level
        self.song = song
        songOutputs = level.inputs.map { _ in nil } + level.songOutputs
        pipeline = song
        addInputs()
        feedSong()
        // The outputs of the song feed the nodes of the setlist, so they are still needed.
        let songOutputs = pipeline.outputs
        addNodes(songOutputs)
        let outputs = addOutputs(songOutputs)
        pipeline.outer = Pipeline.OuterLevel(
            firstNode: song.nodes.count, beforeCount: level.beforeCount,
            inputs: Set(inputIndices), outputs: outputs, path: level.path)
    }

    // MARK: Inputs

    private mutating func addInputs() {
        for input in level.inputs {
            guard let index = pipeline.inputs.firstIndex(where: { $0.name == input.name }) else {
                inputIndices.append(pipeline.inputs.count)
                pipeline.inputs.append(input)
                continue
            }
            inputIndices.append(index)
            pipeline.inputs[index].channels = max(
                pipeline.inputs[index].channels, input.channels)
            pipeline.inputs[index].connect = input.connect
            if let latency = input.latencyMilliseconds {
                pipeline.inputs[index].latencyMilliseconds = latency
            }
            pipeline.inputs[index].hasClock = pipeline.inputs[index].hasClock || input.hasClock
        }
    }

    /// Replaces the inputs of the song by the signals that the setlist makes of them.
    private mutating func feedSong() {
        let feeds = Dictionary(
            uniqueKeysWithValues: level.feeds.map { (inputIndices[$0.key], $0.value) })
        guard !feeds.isEmpty else { return }
        func fed(_ tap: Pipeline.Tap?) -> Pipeline.Tap? {
            guard let tap, case .input(let index) = tap.source, let feed = feeds[index],
                !feed.isEmpty
            else { return tap }
            return own(feed[tap.channel % feed.count])
        }
        for node in pipeline.nodes.indices {
            pipeline.nodes[node].instances = pipeline.nodes[node].instances.map { $0.map(fed) }
        }
        for output in pipeline.outputs.indices {
            pipeline.outputs[output].taps = pipeline.outputs[output].taps.map(fed)
        }
    }

    /// Returns a channel of the setlist's inputs and nodes as a channel of the pipeline.
    private func own(_ tap: Pipeline.Tap) -> Pipeline.Tap {
        switch tap.source {
        case .input(let index): Pipeline.Tap(.input(inputIndices[index]), channel: tap.channel)
        case .node(let index):
            Pipeline.Tap(.node(song.nodes.count + index), channel: tap.channel)
        }
    }

    // MARK: Nodes and outputs

    private mutating func addNodes(_ songOutputs: [Pipeline.Output]) {
        for node in level.nodes {
            var made = node
            let fromSong = node.instances.joined().enumerated().filter {
                songOutput($0.element) != nil
            }
            made.songInputs = Set(fromSong.map(\.offset))
            made.instances = node.instances.map { $0.map { placed($0, songOutputs) } }
            made.events = node.events.map { inputIndices[$0] }
            pipeline.nodes.append(made)
        }
    }

    /// Adds the outputs of the setlist, and returns their indices.
    private mutating func addOutputs(_ songOutputs: [Pipeline.Output]) -> Set<Int> {
        for index in pipeline.outputs.indices {
            pipeline.outputs[index].songChannels = Set(0..<pipeline.outputs[index].channels)
        }
        var indices: Set<Int> = []
        for output in level.outputs {
            var made = output
            made.songChannels = Set(
                output.taps.indices.filter { songOutput(output.taps[$0]) != nil })
            made.taps = output.taps.map { placed($0, songOutputs) }
            made.events = output.events.map { song.nodes.count + $0 }
            guard let index = songOutputs.firstIndex(where: { $0.name == output.name }) else {
                indices.insert(pipeline.outputs.count)
                pipeline.outputs.append(made)
                continue
            }
            if made.kind == .midi {
                made.events = made.events ?? songOutputs[index].events
                made.hasClock = made.hasClock || songOutputs[index].hasClock
            }
            indices.insert(index)
            made.latencyMilliseconds =
                made.latencyMilliseconds ?? songOutputs[index].latencyMilliseconds
            pipeline.outputs[index] = made
        }
        return indices
    }

    /// Returns the name of the songs' output that a channel belongs to; `nil` for another source.
    private func songOutput(_ tap: Pipeline.Tap?) -> String? {
        guard let tap, case .input(let index) = tap.source, songOutputs.indices.contains(index)
        else { return nil }
        return songOutputs[index]
    }

    /// Returns a source of the outer level as a channel of the pipeline; `nil` for a channel that
    /// the song does not have.
    ///
    /// An output of the song with one channel feeds all channels.
    private func placed(
        _ tap: Pipeline.Tap?, _ songOutputs: [Pipeline.Output]
    ) -> Pipeline.Tap? {
        guard let tap else { return nil }
        guard let name = songOutput(tap) else { return own(tap) }
        guard let output = songOutputs.first(where: { $0.name == name && $0.kind == .audio })
        else { return nil }
        let channel = output.channels == 1 ? 0 : tap.channel
        return output.taps.indices.contains(channel) ? output.taps[channel] : nil
    }
}
