import Dispatch
import Effects
import Pipelines
import Processing
import SessionCore
import Synchronization

/// A session of two songs with two scenes each, without audio, behind a control with a separate
/// thread.
final class RealSession: SessionControl {
    private let queue = DispatchQueue(label: "real show")
    private let session: Held

    // SAFETY: only closures on `queue` use the session.
    private final class Held: @unchecked Sendable {
        let session: Session

        init(_ session: Session) { self.session = session }
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
        session = Held(
            try Session(
                playing: SongCollection(
                    name: "songs",
                    songs: ["one", "two"].map { Song(name: $0, pipeline: pipeline, path: "") },
                    isSetlist: true),
                catalogue: catalogue,
                format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)))
    }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        queue.async { [session] in answer(session.session.perform(request, later: answer)) }
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        queue.async { [session] in session.session.watch(for: ObjectIdentifier(session), watcher) }
    }

    /// Performs a request and waits for its answer.
    func answer(_ request: SessionRequest) -> Answer {
        queue.sync { [session] in session.session.perform(request) }
    }
}
