import Dispatch
import Effects
import Pipelines
import Processing
import Show
import Synchronization

/// A session of two songs with two scenes each, without audio, behind a control with a separate
/// thread.
final class RealShow: SessionControl {
    private let queue = DispatchQueue(label: "real show")
    private let show: Held

    // SAFETY: only closures on `queue` use the show.
    private final class Held: @unchecked Sendable {
        let show: Session

        init(_ show: Session) { self.show = show }
    }

    init() throws {
        let catalogue = Catalogue(effects: EffectCatalogue.effects, plugins: NoPlugins())
        let text = """
            { "version": 1, "inputs": { "in": { "channels": 2 } },
              "outputs": { "out": { "channels": 2 } }, "nodes": [ { "id": "a", "type": "gain" } ],
              "scenes": { "soft": { "a.gain": -12 }, "loud": { "a.gain": 0 } } }
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "song.json", catalogue: catalogue)
        show = Held(
            try Session(
                playing: SongCollection(
                    name: "songs",
                    songs: ["one", "two"].map { Song(name: $0, pipeline: pipeline, path: "") },
                    isSetlist: true),
                catalogue: catalogue,
                format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)))
    }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        queue.async { [show] in answer(show.show.perform(request)) }
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        queue.async { [show] in show.show.watch(for: ObjectIdentifier(show), watcher) }
    }

    /// Performs a request and waits for its answer.
    func answer(_ request: SessionRequest) -> Answer {
        queue.sync { [show] in show.show.perform(request) }
    }
}
