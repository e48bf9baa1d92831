internal import ArgumentParser
internal import Pipelines
internal import Processing

/// A pipeline file that a command works with.
struct LoadedPipeline {
    let pipeline: Pipeline
    let catalogue: Catalogue

    /// Reads a file for an engine of a rate, with everything that a node may be.
    ///
    /// - Throws: `ExitCode` after the file's faults were shown.
    init(_ path: String, sampleRate: Double, catalogue: Catalogue = Surroundings.catalogue()) throws
    {
        self.catalogue = catalogue
        do {
            pipeline = try Pipeline(
                contentsOf: path, catalogue: catalogue, sampleRate: sampleRate)
        } catch let invalid {
            Console.show(invalid.diagnostics)
            throw invalid.exitStatus.code
        }
    }
}
