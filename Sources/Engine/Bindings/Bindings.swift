package import Pipelines

/// The bindings of one pipeline, prepared for the audio thread: they live as long as its schedule.
package final class Bindings: @unchecked Sendable {
    // SAFETY: after it is made, only the audio thread changes what the table's pointers lead to; whoever owns it frees it
    // once the audio thread has let go of it.

    /// What the audio thread reads and writes.
    package let table: BindingTable
    private let arena = Arena()

    /// Prepares a pipeline's bindings.
    ///
    /// - Parameters:
    ///   - pipeline: What plays.
    ///   - others: Bindings that act beside its own: a setlist's, as they are meant in this song.
    ///   - outside: The signals of the engine, among which are the pipeline's MIDI inputs.
    ///   - sampleRate: In frames a second.
    package init(
        _ pipeline: Pipeline, adding others: [Pipeline.Binding] = [], outside: Outside,
        sampleRate: Double
    ) {
        var layout = BindingLayout(pipeline, outside: outside, arena: arena)
        for binding in pipeline.bindings + others { layout.add(binding) }
        table = layout.table(sampleRate: sampleRate)
    }
}
