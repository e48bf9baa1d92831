internal import Pipelines
internal import Processing
internal import SessionCore

/// Reads the current file, from any thread.
struct SongReader: Sendable {
    /// The rate for which a file is checked before a server has reported its own.
    static let defaultSampleRate = 48_000.0

    let path: String
    let catalogue: Catalogue

    init(_ path: String, catalogue: Catalogue) {
        self.path = path
        self.catalogue = catalogue
    }

    /// Returns the paths of the file and of all files that it refers to.
    func paths(of songs: SongCollection) -> [String] {
        [path] + songs.paths.subtracting([path]).sorted()
    }

    /// Reads the file.
    ///
    /// - Throws: `InvalidPipeline` with all errors.
    func read(sampleRate: Double) throws(InvalidPipeline) -> SongCollection {
        let file = try PipelineFile(contentsOf: path, catalogue: catalogue, sampleRate: sampleRate)
        return SongCollection(file, path: path)
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
