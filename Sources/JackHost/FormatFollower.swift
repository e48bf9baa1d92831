package import Engine
package import Pipelines
package import Processing

/// Prepares the pipeline anew whenever the server's block length or sample rate changes.
///
/// Until the new schedule is there the engine plays the old one, in pieces of what that was prepared for.
package struct FormatFollower {
    private let pipeline: Pipeline
    private let catalogue: Catalogue
    /// What the playing schedule was prepared for.
    package private(set) var format: AudioFormat

    package init(_ pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat) {
        self.pipeline = pipeline
        self.catalogue = catalogue
        self.format = format
    }

    /// A schedule for the server's format; nil where it is the same as before.
    ///
    /// - Throws: `PreparationFault`; the format then counts as followed, so that it is not tried again.
    package mutating func follow(_ newFormat: AudioFormat) throws(PreparationFault) -> Schedule? {
        guard newFormat != format else { return nil }
        format = newFormat
        return try Schedule(preparing: pipeline, catalogue: catalogue, format: newFormat)
    }
}
