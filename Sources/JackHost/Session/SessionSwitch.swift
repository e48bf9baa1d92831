internal import Engine
public import Processing
public import SessionCore
internal import Platform

/// A request to play other songs instead of the current ones, under a client name.
///
/// The new songs are prepared while the current ones play. Under another name, the current songs
/// fade out when the new ones are ready, the old client leaves JACK, and a new client makes the
/// connections that the songs request. Under the same name, the songs are applied like edited ones.
/// Mute, master gain and tempo remain.
public struct SessionSwitch: Sendable {
    let collection: SongCollection
    let clientName: String
    /// The number of the session that the songs become; 0 before it is known.
    var number = 0
    private let catalogue: Catalogue
    private let done: @Sendable (String?) -> Void

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - collection: The songs, checked for the server's sample rate; at least one.
    ///   - catalogue: The catalogue that they were checked with.
    ///   - clientName: The name of the JACK client.
    ///   - done: Called once on the session's thread: with `nil` when the songs play, before
    ///     watchers receive `SessionEvent.addressesChanged`; otherwise with the reason, a sentence
    ///     without its full stop, and the current songs continue.
    public init(
        to collection: SongCollection, catalogue: Catalogue, clientName: String,
        done: @escaping @Sendable (String?) -> Void
    ) {
        self.collection = collection
        self.catalogue = catalogue
        self.clientName = clientName
        self.done = done
    }

    /// Reports that the songs play, or with a reason that they do not.
    func finish(_ reason: String? = nil) { done(reason) }

    /// Prepares the songs on another thread, and posts the result.
    ///
    /// - Parameters:
    ///   - format: The server's format.
    ///   - isEdit: Whether the client keeps its name, so that the songs are applied like edited
    ///     ones.
    ///   - usesCoresAutomatically: Whether more than one core is used only while it pays.
    ///   - isTolerant: Whether stand-ins replace nodes that cannot be prepared.
    ///   - captures: Makes the capture of the engine of the songs.
    ///   - mailbox: Receives the result.
    func prepare(
        _ format: AudioFormat, isEdit: Bool, usesCoresAutomatically: Bool, isTolerant: Bool,
        captures: (any EngineCaptures)?,
        _ mailbox: Mailbox<SessionMessage>
    ) {
        _ = BlockingTask { [self] in
            do throws(SessionError) {
                let session = try Session(
                    playing: collection, catalogue: catalogue, format: format,
                    usesCoresAutomatically: usesCoresAutomatically, isTolerant: isTolerant,
                    // The session of an edit never plays.
                    capture: isEdit ? nil : captures?.makeCapture(ofSession: number, format),
                    mailbox: mailbox)
                // An edit is prepared again together with the active schedule; this session has
                // shown that it is possible.
                mailbox.post(
                    isEdit
                        ? .switchAsEdit(self)
                        : .switchReady(PreparedSwitch(request: self, session: session)))
            } catch {
                mailbox.post(.switchFailed(self, JackSessionError(error).message))
            }
        }
    }
}

/// A session that is ready to replace the current one.
struct PreparedSwitch: @unchecked Sendable {
    // SAFETY: the thread that prepared the session does not use it after it has posted it.
    let request: SessionSwitch
    let session: Session
}

/// A replaced session, which is freed on another thread together with its plugins.
struct ReplacedSession: @unchecked Sendable {
    // SAFETY: no thread uses the session any more.
    let session: Session
}

extension Session {
    /// Creates a session that wakes the reader of a mailbox.
    convenience init(
        playing collection: SongCollection, from start: StartingPoint = StartingPoint(),
        catalogue: Catalogue, format: AudioFormat, usesCoresAutomatically: Bool, isTolerant: Bool,
        capture: EngineCapture?, mailbox: Mailbox<SessionMessage>
    ) throws(SessionError) {
        var options = Session.Options()
        options.usesCoresAutomatically = usesCoresAutomatically
        options.isTolerant = isTolerant
        options.wake = { mailbox.ring() }
        options.bell = mailbox.bell
        options.capture = capture
        try self.init(
            playing: collection, from: start, catalogue: catalogue, format: format,
            options: options)
    }
}
