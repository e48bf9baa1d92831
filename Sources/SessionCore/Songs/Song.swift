public import Pipelines
internal import Processing

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
    /// The errors of the song's file that the session tolerates.
    public var problems: [Problem]
    /// Free text of the setlist for displays; can be empty.
    public var notes = ""
    /// The color of the song on displays, such as `#ff8800`; empty without one.
    public var color = ""

    /// Creates a song from its parts.
    public init(name: String, pipeline: Pipeline, path: String, problems: [Problem] = []) {
        self.name = name
        self.pipeline = pipeline
        self.path = path
        self.problems = problems
    }

    /// Whether the song can play; if not, its pipeline is empty.
    public var isPlayable: Bool { refusal == nil }

    /// The reason why the song cannot play, without a full stop; `nil` if it can.
    public var refusal: String? {
        problems.first { $0.consequence == .skipped }.map {
            "\($0.diagnostic.file):\($0.diagnostic.line): \($0.diagnostic.message)"
        }
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
    /// The tolerated errors of a setlist that concern no song.
    public var commonProblems: [Problem]
    /// The path of the setlist; empty for a single pipeline, or without a file.
    public var setlistPath: String
    /// The bridges of the setlist; a single pipeline has its own.
    public var setlistBridges: [Bridge] = []
    /// The session that this one follows; `nil` without one.
    public var followed: FollowedSession?

    /// Creates a collection from its parts.
    public init(
        name: String, songs: [Song], isSetlist: Bool, keepsValues: Bool = true,
        commonProblems: [Problem] = [], setlistPath: String = ""
    ) {
        self.setlistPath = setlistPath
        self.name = name
        self.songs = songs
        self.isSetlist = isSetlist
        self.keepsValues = keepsValues
        self.commonProblems = commonProblems
    }

    /// The bridges of the file and of all songs, each once.
    public var bridges: Set<Bridge> {
        Set(setlistBridges + songs.flatMap(\.pipeline.bridges))
    }

    /// All tolerated errors, in the order of the songs.
    public var problems: [Problem] { songs.flatMap(\.problems) + commonProblems }

    /// The index of the first song that can play; 0 if no song can play.
    public var firstPlayable: Int { songs.firstIndex(where: \.isPlayable) ?? 0 }

    /// Creates the collection that a file with tolerated errors describes.
    ///
    /// - Parameters:
    ///   - playable: The content of the file, and its problems.
    ///   - path: The path of the file. If the file is a pipeline, it is the path of the song.
    public init(_ playable: PlayableFile, path: String) {
        self.init(playable.file, path: path)
        if isSetlist {
            commonProblems = playable.problems
        } else {
            songs[0].problems = playable.problems
        }
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
            followed = pipeline.followed
        case .setlist(let setlist):
            let songs = setlist.songs.map { song in
                guard song.isPlayable else {
                    return Song(
                        name: song.name, pipeline: song.pipeline, path: song.path,
                        problems: song.problems)
                }
                var pipeline = song.pipeline
                pipeline.initialScene = song.scene ?? pipeline.initialScene
                pipeline.tempo = song.tempo ?? pipeline.tempo
                pipeline.gainDecibels = song.gainDecibels
                pipeline.add(song.bindings + setlist.bindings)
                pipeline.messages += song.messages
                var result = Song(
                    name: song.name, pipeline: pipeline.decidingAlignment(), path: song.path,
                    problems: song.problems)
                result.notes = song.notes
                result.color = song.color ?? ""
                return result
            }
            self.init(
                name: setlist.name, songs: songs, isSetlist: true,
                keepsValues: setlist.keepsValues, setlistPath: path)
            setlistBridges = setlist.bridges
            followed = setlist.followed
        }
    }

    /// The paths of the songs' files, without duplicates.
    public var paths: Set<String> { Set(songs.map(\.path).filter { !$0.isEmpty }) }
}

extension SongCollection {
    /// Returns the edited songs, with the previous version of each song that the edit would break.
    ///
    /// - Parameter old: The songs before the edit.
    /// - Returns: The songs to play, and the new errors of the songs that keep their previous
    ///   versions.
    public func refusingNewProblems(
        since old: SongCollection
    ) -> (songs: SongCollection, refused: [Problem]) {
        // A node of the setlist plays in every song.
        let outer = commonProblems.filter { problem in
            problem.node != nil && !old.commonProblems.contains { $0.isSame(as: problem) }
        }
        if !outer.isEmpty, isSetlist, old.isSetlist { return (old, outer) }
        var result = self
        var refused: [Problem] = []
        let formerSongs = Dictionary(grouping: old.songs.indices) { old.songs[$0].path }
        for (index, song) in songs.enumerated() where !song.problems.isEmpty {
            let former =
                isSetlist
                ? formerSongs[song.path]?.map { old.songs[$0] }.first { $0.name == song.name }
                : old.songs.first
            guard let former, former.isPlayable else { continue }
            let new = song.problems.filter { problem in
                !former.problems.contains { $0.isSame(as: problem) }
            }
            guard !new.isEmpty else { continue }
            refused += new
            result.songs[index] = former
        }
        return (result, refused)
    }

    /// Returns the errors that an edit of a file causes, in any song and in the setlist.
    ///
    /// Errors of a new song's own file are not among them: the setlist may name a song whose plugin
    /// is missing.
    ///
    /// - Parameters:
    ///   - former: Versions before the edit, whose errors the edit does not cause.
    ///   - path: The path of the edited file.
    /// - Returns: The errors, each once.
    public func newErrors(since former: [SongCollection], inFile path: String) -> [Diagnostic] {
        let known = former.flatMap(\.problems)
        let formerPaths = Set(former.flatMap(\.songs).map(\.path))
        let inSongs = songs.flatMap { song in
            let isNew = isSetlist && !formerPaths.contains(song.path)
            return song.problems.filter { !isNew || $0.diagnostic.file == path }
        }
        var errors: [Diagnostic] = []
        for problem in inSongs + commonProblems
        where !errors.contains(problem.diagnostic)
            && !known.contains(where: { problem.hasSameCause(as: $0) })
        {
            errors.append(problem.diagnostic)
        }
        return errors
    }

    /// Returns whether the songs have the same names in the same order, and the same ones can play.
    func hasSameList(as other: SongCollection) -> Bool {
        songs.elementsEqual(other.songs) { $0.name == $1.name && $0.isPlayable == $1.isPlayable }
    }

    /// The paths of files that nodes with stand-ins need, without duplicates.
    public var missingPaths: Set<String> {
        Set(songs.flatMap(\.pipeline.nodes).filter(\.isStandIn).flatMap(\.paths))
    }
}

extension Pipeline.Node {
    /// The paths of the files that the settings name.
    fileprivate var paths: [String] {
        description.settings.flatMap { setting -> [String] in
            switch (setting.kind, settings[setting.name]) {
            case (.path, .text(let path)?): [path]
            case (.playlist, .playlist(let items)?): items.map(\.path)
            default: []
            }
        }
    }
}

extension Pipeline {
    /// Adds the bindings of a setlist, and the MIDI input that they listen to.
    fileprivate mutating func add(_ common: [Binding]) {
        bindings += common
        // A setlist that has MIDI inputs needs no further one.
        let hasOwn = outer?.inputs.contains { inputs[$0].kind == .midi } ?? false
        let names = inputs.map(\.name) + outputs.map(\.name) + nodes.map(\.id)
        // A key of the computer needs no input.
        let needsInput = common.contains { if case .key = $0.trigger { false } else { true } }
        guard needsInput, !hasOwn, !names.contains("control") else { return }
        inputs.append(Input(name: "control", channels: 0, kind: .midi, connect: []))
    }
}

extension Problem {
    /// Returns whether another problem has the same cause, perhaps in a song with another name.
    fileprivate func hasSameCause(as other: Problem) -> Bool {
        var renamed = other
        renamed.song = song
        return isSame(as: renamed)
    }
}
