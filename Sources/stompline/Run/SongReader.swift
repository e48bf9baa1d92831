internal import Pipelines
internal import Processing
internal import SessionCore

/// Reads the current file, from any thread.
struct SongReader: Sendable {
    /// The rate for which a file is checked before a server has reported its own.
    static let defaultSampleRate = 48_000.0

    let path: String
    let catalogue: Catalogue
    /// Whether the file plays as far as possible if it has errors.
    let isTolerant: Bool
    /// What was read so far, so that an edit costs little.
    let known = CheckedFiles()

    init(_ path: String, catalogue: Catalogue, isTolerant: Bool = false) {
        self.path = path
        self.catalogue = catalogue
        self.isTolerant = isTolerant
    }

    /// Returns the paths of the file, of all pipelines that it refers to, and of the files that
    /// their faulty nodes need.
    func paths(of songs: SongCollection) -> [String] {
        [path] + songs.paths.union(songs.missingPaths).subtracting([path]).sorted()
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate for which it is checked, in Hz.
    ///   - draft: The text to read instead of one of the files; `nil` to read all from the disk.
    /// - Returns: The songs.
    /// - Throws: `InvalidPipeline` with all errors, unless they are tolerated.
    func read(
        sampleRate: Double, draft: FileDraft? = nil
    ) throws(InvalidPipeline) -> SongCollection {
        guard !isTolerant else {
            return SongCollection(
                try PlayableFile(
                    contentsOf: path, catalogue: catalogue, sampleRate: sampleRate, draft: draft,
                    known: known),
                path: path)
        }
        let file = try PipelineFile(
            contentsOf: path, catalogue: catalogue, sampleRate: sampleRate, draft: draft,
            known: known)
        return SongCollection(file, path: path)
    }

    /// Returns the files that a client may edit, with the tags of their contents.
    func files(of songs: SongCollection) -> [SessionFiles.File] {
        var paths = songs.isSetlist ? [path] : []
        var names: [String: [String]] = [:]
        for song in songs.songs where !song.path.isEmpty {
            if names[song.path] == nil, song.path != paths.first { paths.append(song.path) }
            names[song.path, default: []].append(song.name)
        }
        return paths.map { path in
            let bytes = try? FileContents(path: path).bytes
            return SessionFiles.File(
                path: path, isSetlist: songs.isSetlist && path == self.path,
                songs: names[path] ?? [],
                tag: bytes.map { ContentTag(of: $0, file: path) })
        }
    }

    /// Reads the file, or shows its errors.
    ///
    /// - Throws: `ExitCode` after the errors were shown.
    func readOrFail(sampleRate: Double) throws -> SongCollection {
        do {
            return try read(sampleRate: sampleRate)
        } catch {
            Console.show(error.diagnostics)
            throw error.exitStatus.code
        }
    }
}
