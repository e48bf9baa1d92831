internal import BlackBox
internal import Engine
internal import Glibc
internal import JackHost
internal import Pipelines
internal import Processing
internal import SessionCore
internal import Synchronization

/// Captures the engine of each session as `run` does, so that the sanitizer also watches the capture.
final class StressCapture: EngineCaptures {
    private let inputChannels: Int
    private let boxes = Mutex<[BlackBox]>([])

    /// Creates captures for sessions with these songs.
    init(_ songs: [Song]) {
        inputChannels =
            songs.map { song in
                song.pipeline.inputs.filter { $0.kind == .audio }.map(\.channels).reduce(0, +)
            }.max() ?? 0
    }

    /// Returns a capture for a new engine; `nil` without memory.
    func makeCapture(ofSession number: Int, _ format: AudioFormat) -> EngineCapture? {
        var options = BlackBox.Options(
            program: "stress", name: "stress", sampleRate: format.sampleRate,
            blockFrames: format.maximumBlockFrames, inputChannels: inputChannels,
            memoryFolder: "/dev/shm/stress-\(getpid())/boxes")
        options.seconds = 10
        var message = ""
        guard let box = BlackBox(options, message: &message) else { return nil }
        boxes.withLock { $0.append(box) }
        return box.capture
    }

    /// Does nothing: `end` ends all captures.
    func sessionPlays(_ number: Int) {}

    /// Does nothing: `end` ends all captures.
    func sessionIsDropped(_ number: Int) {}

    /// Removes the memory.
    ///
    /// - Returns: The number of captures.
    func end() -> Int {
        let all = boxes.withLock { $0 }
        for box in all { box.end() }
        return all.count
    }
}
