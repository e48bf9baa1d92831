package import Pipelines

/// The bindings of one pipeline, prepared for the audio thread; they live as long as its schedule.
package final class Bindings: @unchecked Sendable {
    // SAFETY: after initialization, only the audio thread changes the memory behind the table's
    // pointers. The owner frees the object after the audio thread has released it.

    /// The data that the audio thread reads and writes.
    package let table: BindingTable
    private let arena = Arena()

    /// Prepares a pipeline's bindings.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline to run.
    ///   - ports: The engine ports, including the pipeline's MIDI inputs.
    ///   - sampleRate: In Hz.
    package init(
        _ pipeline: Pipeline, ports: EnginePorts, sampleRate: Double
    ) {
        var layout = BindingLayout(
            pipeline, ports: ports, sampleRate: sampleRate, arena: arena)
        for binding in pipeline.bindings { layout.add(binding) }
        table = layout.table()
    }
}
