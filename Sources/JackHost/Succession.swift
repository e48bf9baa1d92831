internal import Engine
internal import Pipelines
public import Processing
public import Show
internal import Threads

/// Other songs in the place of those that play, and the name of their JACK client.
///
/// They are prepared beside what plays, which fades out only when they are ready. Under another name the old client
/// leaves JACK, and a new one makes the connections that the songs ask for. Under the same name they are followed like
/// edited ones. Mute, master gain and tempo stay.
public struct Succession: Sendable {
    let songs: [Song]
    let name: String
    let catalogue: Catalogue
    let clientName: String
    let done: @Sendable (String?) -> Void

    /// What is to play.
    ///
    /// - Parameters:
    ///   - songs: Checked for the server's sample rate; at least one.
    ///   - name: What they are called.
    ///   - catalogue: The one that they were checked with.
    ///   - clientName: The JACK client's name.
    ///   - done: Called once, on the session's thread: with nil when they play, before anybody is told
    ///     `Notice.structure`; otherwise with the reason, a sentence without its full stop, and what played plays on.
    public init(
        songs: [Song], named name: String, catalogue: Catalogue, clientName: String,
        done: @escaping @Sendable (String?) -> Void
    ) {
        self.songs = songs
        self.name = name
        self.catalogue = catalogue
        self.clientName = clientName
        self.done = done
    }
}

/// What is ready to play in the place of what plays.
struct Successor: @unchecked Sendable {
    // SAFETY: who prepared the show does not use it any more when it is in a letter.
    let succession: Succession
    let show: Show
}

/// What played and does no more, to be freed.
struct FormerShow: @unchecked Sendable {
    // SAFETY: nobody uses it any more.
    let show: Show
}

extension Show {
    /// A show that wakes the reader of a session's letters.
    ///
    /// - Throws: `SessionFault` where a plugin does not load or the songs' signals do not go together.
    convenience init(
        playing songs: [Song], catalogue: Catalogue, format: AudioFormat, mailbox: Mailbox<Letter>
    ) throws(SessionFault) {
        var options = Show.Options()
        options.wake = { mailbox.ring() }
        options.bell = mailbox.bell
        do {
            try self.init(playing: songs, catalogue: catalogue, format: format, options: options)
        } catch {
            switch error {
            case .preparation(let fault): throw .preparation(fault)
            case .signals(let message): throw .signals(message)
            }
        }
    }
}

extension SessionFault {
    /// A sentence without its full stop.
    var sentence: String {
        switch self {
        case .jack(let fault): fault.message
        case .preparation(let fault): "\(fault.node): \(fault.fault.message)"
        case .signals(let message): message
        }
    }
}
