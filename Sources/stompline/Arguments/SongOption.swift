internal import ArgumentParser
internal import Pipelines
internal import SessionCore

/// The option that chooses a song of a setlist.
struct SongOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A song of the setlist, by name or number (default: the first).", valueName: "song"))
    var song: String?

    /// Returns the index of the song.
    ///
    /// - Throws: `Failure` if there is no such song, or the file is not a setlist.
    func index(in collection: SongCollection, file: String) throws -> Int {
        guard let song else { return collection.firstPlayable }
        guard collection.isSetlist else {
            throw Failure.usage("--song requires a setlist, and \(file) is a single pipeline")
        }
        return try NamedChoice("--song", "song", of: collection.songs.map(\.name), in: file)
            .index(of: song)
    }
}

/// The option that chooses the scene with which a session begins.
struct FirstSceneOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Begin with this scene, by name or number (default: the one in the file).",
            valueName: "scene"))
    var scene: String?

    /// Returns the index of the scene; `nil` without the option.
    ///
    /// - Throws: `Failure` if the song has no such scene.
    func index(in song: Song) throws -> Int? {
        let names = song.pipeline.scenes.map(\.name)
        return try scene.map {
            try NamedChoice("--scene", "scene", of: names, in: "'\(song.name)'").index(of: $0)
        }
    }
}

/// A choice between names, by a name or a number from 1.
private struct NamedChoice {
    private let option: String
    private let kind: String
    private let names: [String]
    private let owner: String

    /// Creates a choice.
    ///
    /// - Parameters:
    ///   - option: The option of the command line.
    ///   - kind: The kind of the things that have the names, such as "song".
    ///   - names: All names, in order.
    ///   - owner: The text for the file or song that contains them.
    init(_ option: String, _ kind: String, of names: [String], in owner: String) {
        self.option = option
        self.kind = kind
        self.names = names
        self.owner = owner
    }

    /// Returns the index of a name or a number.
    ///
    /// - Throws: `Failure` if no song or scene has it.
    func index(of text: String) throws -> Int {
        if let index = names.index(named: text) { return index }
        let near = Nearest.name(to: text, in: names).map { " (did you mean \($0)?)" }
        throw Failure.usage("\(option): there is no \(kind) '\(text)' in \(owner)\(near ?? count)")
    }

    private var count: String {
        switch names.count {
        case 0: ", which has no \(kind)s"
        case 1: ", which has only '\(names[0])'"
        default: ", which has \(names.count) \(kind)s"
        }
    }
}
