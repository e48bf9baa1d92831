public import Pipelines

/// One song of a session.
///
/// A pipeline that is not part of a setlist is the only song.
public struct Song: Sendable, Equatable {
    /// The name in the setlist, or the pipeline's name if there is no setlist.
    public var name: String
    /// The pipeline, with the song's own initial scene and bindings.
    public var pipeline: Pipeline
    /// The path of the pipeline's file; empty for a pipeline without a file.
    public var path: String

    /// Creates a song from its parts.
    public init(name: String, pipeline: Pipeline, path: String) {
        self.name = name
        self.pipeline = pipeline
        self.path = path
    }
}

/// The songs of a file: all songs of a setlist, or one song for a single pipeline.
public struct SongCollection: Sendable, Equatable {
    /// The name of the pipeline or the setlist.
    public var name: String
    /// The songs, at least one.
    public var songs: [Song]
    /// Whether the file is a setlist.
    public var isSetlist: Bool
    /// Whether a song that begins again has the scene and the live values that it was left with.
    public var keepsValues: Bool

    /// Creates a collection from its parts.
    public init(name: String, songs: [Song], isSetlist: Bool, keepsValues: Bool = true) {
        self.name = name
        self.songs = songs
        self.isSetlist = isSetlist
        self.keepsValues = keepsValues
    }

    /// Creates the collection that a file describes.
    ///
    /// - Parameters:
    ///   - file: The content of the file.
    ///   - path: The path of the file. If the file is a pipeline, it is the path of the song.
    public init(_ file: PipelineFile, path: String) {
        switch file {
        case .pipeline(let pipeline):
            self.init(
                name: pipeline.name,
                songs: [Song(name: pipeline.name, pipeline: pipeline, path: path)],
                isSetlist: false)
        case .setlist(let setlist):
            let songs = setlist.songs.map { song in
                var pipeline = song.pipeline
                pipeline.initialScene = song.scene ?? pipeline.initialScene
                pipeline.add(song.bindings + setlist.bindings)
                return Song(name: song.name, pipeline: pipeline, path: song.path)
            }
            self.init(
                name: setlist.name, songs: songs, isSetlist: true,
                keepsValues: setlist.keepsValues)
        }
    }

    /// The paths of the songs' files, without duplicates.
    public var paths: Set<String> { Set(songs.map(\.path)) }
}

extension Pipeline {
    /// Adds the bindings of a setlist, and the MIDI input that they listen to.
    fileprivate mutating func add(_ common: [Binding]) {
        bindings += common
        let names = inputs.map(\.name) + outputs.map(\.name) + nodes.map(\.id)
        guard !common.isEmpty, !names.contains("control") else { return }
        inputs.append(Input(name: "control", channels: 0, kind: .midi, connect: []))
    }
}
