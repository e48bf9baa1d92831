internal import Effects
internal import Pipelines
internal import Processing
internal import SessionCore

extension Song {
    /// Returns the song with a random edit.
    ///
    /// Up to two nodes, in any order and each of one of two types, are inserted before its first
    /// audio output.
    func edited(using random: inout SeededRandom) -> Song {
        var song = self
        let ids = ["extra-one", "extra-other"].shuffled(using: &random)
        for id in ids.prefix(Int.random(in: 0...2, using: &random)) {
            let name = ["gain", "filter"].randomElement(using: &random) ?? "gain"
            song.pipeline.append(name, id: id)
        }
        song.pipeline.tailSeconds = [0, 0.2, 4].randomElement(using: &random) ?? 0
        return song
    }
}

extension Pipeline {
    /// Inserts an effect before the first audio output.
    fileprivate mutating func append(_ name: String, id: String) {
        guard let index = outputs.firstIndex(where: { $0.kind == .audio }),
            let description = EffectCatalogue.effects.first(where: { $0.description.name == name })?
                .description
        else { return }
        let count = outputs[index].channels
        nodes.append(
            Node(
                id: id, type: .effect(name), description: description,
                instances: [outputs[index].taps], outputChannels: count, strips: [],
                parameters: description.parameters,
                values: description.parameters.map(\.defaultValue), settings: [:],
                isBypassed: false, mix: 1, isolation: .none, events: nil))
        outputs[index].taps = (0..<count).map { Tap(.node(nodes.count - 1), channel: $0) }
    }
}
