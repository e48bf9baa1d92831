internal import Engine
internal import Pipelines
internal import Processing

extension Schedule {
    /// Prepares a pipeline for the offline host.
    ///
    /// - Throws: `RenderError.preparation` if a plugin does not load.
    convenience init(
        rendering pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat,
        costs: [Double] = []
    ) throws(RenderError) {
        do {
            try self.init(
                preparing: pipeline, catalogue: catalogue, format: format, costs: costs)
        } catch {
            throw .preparation(error)
        }
    }
}
