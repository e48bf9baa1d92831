internal import ArgumentParser
internal import Pipelines
internal import Processing

/// A pipeline file that a command uses.
struct LoadedPipeline {
    let pipeline: Pipeline
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
    }
}
