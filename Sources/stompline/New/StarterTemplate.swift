internal import Pipelines
internal import Processing

/// A complete pipeline for a kind of musician, from which `stompline new` makes a file.
///
/// Its text passes `check` and sounds without a change: it contains built-in effects only, and the ports of
/// a sound card as jackd names them. Players have sounds that the program makes.
struct StarterTemplate {
    /// An input or output that can be connected.
    struct Signal {
        let name: String
        let isInput: Bool
        let kind: Pipeline.SignalKind
        /// The number of ports: 1 for MIDI.
        let channels: Int
        /// The device at its other end, such as "the microphone".
        let place: String
        /// Whether the text connects it; otherwise it belongs to another program.
        let isConnected: Bool
    }

    /// The templates, in the order of the question.
    static var all: [StarterTemplate] {
        [voice, guitar, bass, keys, dj, theatre, monitor, streaming, podcast]
    }

    /// The name on the command line, such as `voice`.
    let name: String
    /// The purpose, such as "a singer at one microphone".
    let summary: String
    /// The devices at the inputs and outputs, by the names of these.
    let places: [String: String]
    /// The text of the file.
    let text: String
    /// The sounds that its players play.
    var sounds: [StarterSound] = []

    /// Returns the inputs and outputs, in the order of the file.
    ///
    /// - Throws: `InvalidPipeline` if the text is not valid, which a test excludes.
    func signals() throws(InvalidPipeline) -> [Signal] {
        // The check reads the sounds, which do not exist yet.
        let samples = StarterSamples(of: sounds)
        defer { samples.remove() }
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: samples.folder + name,
            catalogue: HostServices.catalogue())
        return pipeline.inputs.map {
            Signal(
                name: $0.name, isInput: true, kind: $0.kind, channels: max(1, $0.channels),
                place: places[$0.name] ?? $0.name, isConnected: !$0.connect.isEmpty)
        }
            + pipeline.outputs.map {
                Signal(
                    name: $0.name, isInput: false, kind: $0.kind, channels: max(1, $0.channels),
                    place: places[$0.name] ?? $0.name, isConnected: !$0.connect.isEmpty)
            }
    }

    /// Returns the text of a file.
    ///
    /// - Parameters:
    ///   - name: The name of the pipeline; `nil` keeps that of the template.
    ///   - connections: The signals with their ports or expressions. Signals that are not listed
    ///     keep their connections.
    /// - Returns: The text.
    /// - Throws: `EditError` or `PatchError` if the text has no such signal, which a test excludes.
    func text(
        name: String?, connections: [(signal: Signal, ports: [String])]
    ) throws -> PipelineText {
        let names = name.map {
            [
                JSONPatch.Operation(
                    .replace(JSONFragment(.string($0))), at: JSONPointer(tokens: ["name"]))
            ]
        }
        let rules = connections.map { signal, ports in
            JSONPatch.Operation(
                .add(JSONFragment(.array(ports.map { .string($0) }))),
                at: JSONPointer(
                    tokens: [signal.isInput ? "inputs" : "outputs", signal.name, "connect"]))
        }
        return try PipelineText(Array(text.utf8)).applying(JSONPatch((names ?? []) + rules))
    }
}
