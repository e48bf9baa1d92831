internal import CRealtime
internal import Pipelines

/// The MIDI messages that a schedule's song and scenes send, at constant addresses.
struct MessageLists: BitwiseCopyable {
    /// One message.
    struct Entry: BitwiseCopyable {
        /// The engine slot of the MIDI output.
        let slot: Int32
        let byteCount: Int32
        let bytes: UnsafePointer<UInt8>
        /// The duration of a note in frames, at least 1; 0 if it has no fixed duration.
        let noteFrames: UInt64
    }

    /// Messages that are sent together.
    struct List: BitwiseCopyable {
        let first: UnsafePointer<Entry>
        let count: Int
    }

    /// The messages of the song.
    let song: List
    private let scenes: UnsafePointer<List>
    private let sceneCount: Int

    /// Lays out the messages of a pipeline, whose outputs are among `ports`.
    init(_ pipeline: Pipeline, ports: EnginePorts, sampleRate: Double, arena: Arena) {
        func list(_ messages: [Pipeline.Message]) -> List {
            let entries = messages.compactMap { message -> Entry? in
                guard pipeline.outputs.indices.contains(message.output) else { return nil }
                let name = pipeline.outputs[message.output].name
                let bytes = message.bytes.prefix(Pipeline.Message.maximumBytes)
                return Entry(
                    slot: ports.slots(ofOutput: name, .midi, count: 1)[0],
                    byteCount: Int32(bytes.count), bytes: UnsafePointer(arena.copy(Array(bytes))),
                    noteFrames: message.noteSeconds.map {
                        UInt64(max(1, min(1e15, $0 * sampleRate)))
                    } ?? 0)
            }
            return List(first: UnsafePointer(arena.copy(entries)), count: entries.count)
        }
        song = list(pipeline.messages)
        scenes = UnsafePointer(arena.copy(pipeline.scenes.map { list($0.messages) }))
        sceneCount = pipeline.scenes.count
    }

    /// Returns the messages of a scene; `nil` if there is no such scene.
    @_noLocks
    func scene(_ index: Int) -> List? {
        index >= 0 && index < sceneCount ? scenes[index] : nil
    }
}
