internal import ArgumentParser
internal import Pipelines
internal import Processing
internal import SessionCore

/// A pipeline file, or a song of a setlist, that a command uses.
struct LoadedPipeline {
    let pipeline: Pipeline
    /// The name of the pipeline, or of the song with its place in the setlist.
    let title: String
    let catalogue: Catalogue

    /// Reads a file for a sample rate.
    ///
    /// - Throws: `ExitCode` if the file is not valid; its errors are shown first.
    init(_ path: String, sampleRate: Double, catalogue: Catalogue = HostServices.catalogue()) throws
    {
        self.catalogue = catalogue
        do {
            pipeline = try Pipeline(
                contentsOf: path, catalogue: catalogue, sampleRate: sampleRate)
        } catch let invalid {
            Console.show(invalid.diagnostics)
            throw invalid.exitStatus.code
        }
        title = pipeline.name
    }

    /// Reads a pipeline, or a setlist of which a song is used, for a sample rate.
    ///
    /// - Throws: `ExitCode` if the file is not valid, after its errors were shown; `Failure` if
    ///   there is no such song.
    init(
        _ path: String, _ choice: SongOption, sampleRate: Double, catalogue: Catalogue
    ) throws {
        self.catalogue = catalogue
        let collection = try SongReader(path, catalogue: catalogue)
            .readOrFail(sampleRate: sampleRate)
        let index = try choice.index(in: collection, file: path)
        let song = collection.songs[index]
        pipeline = song.pipeline
        title =
            collection.isSetlist
            ? "\(song.name) · song \(index + 1) of \(collection.name)" : song.name
    }
}
