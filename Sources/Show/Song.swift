public import Pipelines

/// One song of the night: a pipeline that plays by itself is the only one.
public struct Song: Sendable, Equatable {
    /// The setlist's name for it, or its pipeline's.
    public var name: String
    /// What it plays, its initial scene the one that the song begins with, its bindings those that hold in it.
    public var pipeline: Pipeline
    /// The pipeline's file; empty where there is none.
    public var path: String

    /// All parts, each as its property says.
    public init(name: String, pipeline: Pipeline, path: String) {
        self.name = name
        self.pipeline = pipeline
        self.path = path
    }
}

extension PipelineFile {
    /// What is played of the file, in its order.
    ///
    /// - Parameter path: The file, which for a pipeline is the song's.
    /// - Returns: One song for a pipeline.
    public func songs(path: String) -> [Song] {
        switch self {
        case .pipeline(let pipeline):
            return [Song(name: pipeline.name, pipeline: pipeline, path: path)]
        case .setlist(let setlist):
            return setlist.songs.map { song in
                var pipeline = song.pipeline
                pipeline.initialScene = song.scene ?? pipeline.initialScene
                pipeline.add(song.bindings + setlist.bindings)
                return Song(name: song.name, pipeline: pipeline, path: song.path)
            }
        }
    }
}

extension Pipeline {
    /// Adds a setlist's bindings, and the MIDI input that they listen to.
    fileprivate mutating func add(_ common: [Binding]) {
        bindings += common
        let names = inputs.map(\.name) + outputs.map(\.name) + nodes.map(\.id)
        guard !common.isEmpty, !names.contains("control") else { return }
        inputs.append(Input(name: "control", channels: 0, kind: .midi, connect: []))
    }
}
