import Glibc
import JackHost
import Pipelines
import Processing
import SessionCore
import Synchronization
import Testing
import TestSignals

/// A session that plays on a separate thread in the shared server, with all the events it has sent.
final class RunningSession: Sendable {
    let remote: SessionRemote
    private let events = Mutex<[SessionEvent]>([])
    private let end = Mutex<StopReason?>(nil)
    private let box: SessionBox

    /// Starts a session and waits for its first audio cycle.
    convenience init(
        _ pipeline: Pipeline, catalogue: Catalogue = LatencyEffect.catalogue,
        configure: (inout SessionOptions) -> Void = { _ in }
    ) throws {
        try self.init(
            songs: [Song(name: pipeline.name, pipeline: pipeline, path: "")], named: pipeline.name,
            catalogue: catalogue, configure: configure)
    }

    /// Starts a session of songs and waits for its first audio cycle.
    init(
        songs: [Song], named name: String = "Songs", catalogue: Catalogue,
        configure: (inout SessionOptions) -> Void = { _ in }
    ) throws {
        var options = SessionOptions()
        options.locksMemory = false
        options.statusSeconds = 0.05
        if let cores = getenv("STOMPLINE_TEST_CORES").flatMap({ Int(String(cString: $0)) }) {
            options.coreCount = cores
            options.usesCoresAutomatically = false
        }
        configure(&options)
        let server = try JoinedServer(
            clientName: name, server: nil, mayStart: false)
        let session = try JackSession(
            playing: SongCollection(name: name, songs: songs, isSetlist: songs.count > 1),
            catalogue: catalogue, on: server, options: options)
        remote = session.remote
        box = SessionBox(session)
        start()
        try #require(waitFor { if case .started = $0 { true } else { false } } != nil)
    }

    /// The events that the session has sent so far.
    var reported: [SessionEvent] { events.withLock { $0 } }

    /// Returns the first event that meets a condition; waits for at most 5 s.
    func waitFor(_ fits: (SessionEvent) -> Bool) -> SessionEvent? {
        waitUntil { reported.first(where: fits) }
    }

    /// Ends the session and waits until it has left the server, for at most 5 s.
    @discardableResult
    func stop() -> StopReason? {
        remote.stop()
        return waitForEnd()
    }

    /// Waits until the session has left the server, for at most 5 s.
    func waitForEnd() -> StopReason? { waitUntil { end.withLock { $0 } } }

    private func start() {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<RunningSession>.fromOpaque(context).takeRetainedValue().play()
                return nil
            }, context.toOpaque())
        pthread_detach(thread)
    }

    private func play() {
        let reason = try? box.session.play { event in self.events.withLock { $0.append(event) } }
        end.withLock { $0 = reason ?? .requested }
    }
}

/// Carries a session to the thread that plays it.
private final class SessionBox: @unchecked Sendable {
    // SAFETY: only the session's own thread uses it.
    let session: JackSession

    init(_ session: JackSession) { self.session = session }
}

/// Polls until there is an answer, for at most 5 s.
func waitUntil<Answer>(_ answer: () -> Answer?) -> Answer? {
    for _ in 0..<2500 {
        if let found = answer() { return found }
        usleep(2_000)
    }
    return nil
}
