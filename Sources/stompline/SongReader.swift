internal import Pipelines
internal import Processing
internal import Show

/// Reads the file that plays, and reads it again when it is edited; from any thread.
struct SongReader: Sendable {
    /// What a file is checked for before a server has said its own rate.
    static let usualSampleRate = 48_000.0

    let path: String
    let catalogue: Catalogue

    init(_ path: String, catalogue: Catalogue) {
        self.path = path
        self.catalogue = catalogue
    }

    /// What a file holds.
    struct Contents: Sendable {
        /// The pipeline's name, or the setlist's.
        var name: String
        var songs: [Song]
        var isSetlist: Bool

        /// The file and all that it names, which may be edited.
        func paths(_ path: String) -> [String] {
            [path] + Set(songs.map(\.path)).subtracting([path]).sorted()
        }
    }

    /// Reads the file.
    ///
    /// - Throws: `InvalidPipeline` with everything that is wrong.
    func read(sampleRate: Double) throws(InvalidPipeline) -> Contents {
        let file = try PipelineFile(contentsOf: path, catalogue: catalogue, sampleRate: sampleRate)
        let songs = file.songs(path: path)
        switch file {
        case .pipeline(let pipeline):
            return Contents(name: pipeline.name, songs: songs, isSetlist: false)
        case .setlist(let setlist):
            return Contents(name: setlist.name, songs: songs, isSetlist: true)
        }
    }

    /// Reads the file, or shows its faults.
    ///
    /// - Throws: `ExitCode` after the faults were shown.
    func readOrFail(sampleRate: Double) throws -> Contents {
        do {
            return try read(sampleRate: sampleRate)
        } catch {
            Console.show(error.diagnostics)
            throw error.exitStatus.code
        }
    }
}
