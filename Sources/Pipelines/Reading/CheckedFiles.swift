internal import Processing
internal import Synchronization

/// The pipelines that were read without errors, with their texts.
///
/// A text that was not changed is not checked again. If it differs from the last one in a single
/// value, only this value is checked. A pipeline that depends on other files, such as sounds or
/// presets, is always checked.
public final class CheckedFiles: Sendable {
    private let state = Mutex(State())

    private struct State {
        var files: [String: File] = [:]
        var counts = Counts()
    }

    private struct File {
        let bytes: [UInt8]
        let pipeline: Pipeline
        let sampleRate: Double
    }

    /// How often texts were read.
    public struct Counts: Sendable, Equatable {
        /// The texts that were parsed and checked.
        public var checked = 0
        /// The texts of which one value was checked.
        public var changedValues = 0
        /// The texts that were the same as before.
        public var unchanged = 0
    }

    /// Creates an empty memory, for one catalogue.
    public init() {}

    /// The numbers of texts that were read so far.
    public var counts: Counts { state.withLock(\.counts) }

    /// Returns the pipeline of a text; `nil` if the text must be checked.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - path: The path of the file.
    ///   - sampleRate: The sample rate of the check, in Hz.
    /// - Returns: The pipeline.
    func pipeline(of bytes: [UInt8], file path: String, sampleRate: Double) -> Pipeline? {
        let file = state.withLock { state -> File? in
            guard let file = state.files[path], file.sampleRate == sampleRate else { return nil }
            if file.bytes == bytes { state.counts.unchanged += 1 }
            return file
        }
        guard let file else { return nil }
        if file.bytes == bytes { return file.pipeline }
        guard bytes.count <= Document.maximumBytes,
            let difference = ValueDifference(from: file.bytes, to: bytes),
            let pipeline = file.pipeline.changed(by: difference)
        else { return nil }
        state.withLock { state in
            state.counts.changedValues += 1
            state.files[path] = File(bytes: bytes, pipeline: pipeline, sampleRate: sampleRate)
        }
        return pipeline
    }

    /// Remembers a pipeline that has no errors; it is forgotten if it depends on other files.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline; `nil` if the text has errors.
    ///   - bytes: The text.
    ///   - path: The path of the file.
    ///   - sampleRate: The sample rate of the check, in Hz.
    func note(
        _ pipeline: Pipeline?, of bytes: [UInt8], file path: String, sampleRate: Double
    ) {
        let kept = pipeline.flatMap { $0.dependsOnOtherFiles || bytes.namePreset ? nil : $0 }
        state.withLock { state in
            state.counts.checked += 1
            state.files[path] = kept.map {
                File(bytes: bytes, pipeline: $0, sampleRate: sampleRate)
            }
        }
    }

    /// Forgets all files but some.
    func forget(except paths: Set<String>) {
        state.withLock { state in
            guard state.files.count > paths.count else { return }
            state.files = state.files.filter { paths.contains($0.key) }
        }
    }
}

extension Pipeline {
    /// Whether a setting of a node or a scene names a file or a network address.
    fileprivate var dependsOnOtherFiles: Bool {
        nodes.indices.contains { index in
            nodes[index].isStandIn
                || nodes[index].settings.keys.contains(where: nodes[index].isFile)
                || nodes[index].whenLate?.settings.keys.contains(where: nodes[index].isFile) == true
        } || scenes.contains { scene in scene.settings.contains { nodes[$0.node].isFile($0.name) } }
    }
}

extension Pipeline.Node {
    /// Returns whether a setting names a file or a network address; `true` for an unknown one.
    fileprivate func isFile(_ name: String) -> Bool {
        switch description.settings.first(where: { $0.name == name })?.kind {
        case .path, .newPath, .playlist, .url, nil: true
        default: false
        }
    }
}

extension [UInt8] {
    /// Whether the text contains the key or the name of a preset, whose values come from a plugin.
    fileprivate var namePreset: Bool {
        let word = Array("preset".utf8)
        return withUnsafeBufferPointer { bytes in
            guard var index = bytes.indices.first else { return false }
            let last = bytes.count - word.count
            while index <= last {
                if bytes[index] == word[0], bytes[index + 1] == word[1],
                    bytes[index..<index + word.count].elementsEqual(word)
                {
                    return true
                }
                index += 1
            }
            return false
        }
    }
}
