internal import CJack
internal import Engine
internal import Glibc
internal import Show
internal import Threads

/// What comes to the session's own thread from JACK's threads and from those who command it.
enum Letter: Sendable {
    case portAppeared(UInt32)
    /// Somewhere in the graph.
    case connectionsChanged
    case blockFrames(Int)
    case sampleRate(Double)
    case freewheel(Bool)
    case xrun
    case serverLost(reason: String)
    /// The lost server's client is gone, and with it all that it could still say.
    case clientClosed
    /// What came of trying to join a server; nil where there is none.
    case clientOpened(JackClient?)
    /// Our own ports are others than before.
    case portsChanged
    case use(Outside)
    case portRefused(String)
    /// All songs as they are in their files now.
    case edited([Song])
    /// Other songs are to play under a client's name.
    case turn(Succession)
    /// Those that were prepared can play.
    case ready(Successor)
    /// They bear the name that there is, and can play.
    case follows(Succession)
    /// They cannot play, for this reason.
    case unfit(Succession, String)
    case request(Request, @Sendable (Answer) -> Void)
    case listen(ObjectIdentifier, (@Sendable (Notice) -> Void)?)
    case command(Command)
    case stop(StopReason)
}

/// JACK's callbacks other than the audio: each leaves a letter and returns, but for latency, which is answered at once.
///
/// It has to outlive the client.
final class Notifications: Sendable {
    let mailbox: Mailbox<Letter>
    let latencies: LatencyBook
    private let audioSide: AudioSide
    // SAFETY: used by the client's own threads alone, which end with it.
    private nonisolated(unsafe) let handle: OpaquePointer
    /// Told before any cycle off the clock.
    private let followFreewheel: @Sendable (Bool) -> Void

    init(
        of client: JackClient, mailbox: Mailbox<Letter>, latencies: LatencyBook,
        audioSide: AudioSide, followFreewheel: @escaping @Sendable (Bool) -> Void
    ) {
        handle = client.handle
        self.mailbox = mailbox
        self.audioSide = audioSide
        self.latencies = latencies
        self.followFreewheel = followFreewheel
    }

    /// The server leaves the clock, or comes back to it.
    private func freewheel(_ isOn: Bool) {
        audioSide.setFreewheeling(isOn)
        followFreewheel(isOn)
        mailbox.post(.freewheel(isOn))
    }

    /// Has the client call us: `jack_set_…_callback`, to be done before it is activated.
    func listen() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        listenToFormat(of: handle, context)
        listenToGraph(of: handle, context)
        listenToEnd(of: handle, context)
    }

    /// Has the present thread, one of the client's, do something.
    ///
    /// A server that ends in order lets its drivers go after it has told of its end. The thread that hears of it does so
    /// with a lock of the whole process in hand: who ends it there keeps this process from every server. It ends by itself
    /// when the server has closed its socket; the audio thread would not.
    fileprivate func hear(isEnd: Bool, _ body: (Notifications) -> Void) {
        let isAudioThread = jack_client_thread_id(handle) == pthread_self()
        WholeCallback.run(isLast: isEnd && !isAudioThread) { body(self) }
    }

    private func listenToEnd(of handle: OpaquePointer, _ context: UnsafeMutableRawPointer) {
        jack_on_info_shutdown(
            handle,
            { _, reason, context in
                answer(context, isEnd: true) {
                    let reason = reason.map { String(cString: $0) } ?? ""
                    $0.mailbox.post(.serverLost(reason: reason))
                }
            }, context)
        // PipeWire 0.3 calls no other; JACK calls the first one alone.
        jack_on_shutdown(
            handle,
            { context in
                answer(context, isEnd: true) { $0.mailbox.post(.serverLost(reason: "")) }
            }, context)
    }

    private func listenToFormat(of handle: OpaquePointer, _ context: UnsafeMutableRawPointer) {
        jack_set_buffer_size_callback(
            handle,
            { frames, context in
                answer(context) { $0.mailbox.post(.blockFrames(Int(frames))) }
                return 0
            }, context)
        jack_set_sample_rate_callback(
            handle,
            { rate, context in
                answer(context) { $0.mailbox.post(.sampleRate(Double(rate))) }
                return 0
            }, context)
        jack_set_freewheel_callback(
            handle, { isOn, context in answer(context) { $0.freewheel(isOn != 0) } }, context)
    }

    private func listenToGraph(of handle: OpaquePointer, _ context: UnsafeMutableRawPointer) {
        jack_set_xrun_callback(
            handle,
            { context in
                answer(context) { $0.mailbox.post(.xrun) }
                return 0
            }, context)
        jack_set_port_registration_callback(
            handle,
            { port, isThere, context in
                if isThere != 0 { answer(context) { $0.mailbox.post(.portAppeared(port)) } }
            }, context)
        jack_set_port_connect_callback(
            handle,
            { _, _, _, context in answer(context) { $0.mailbox.post(.connectionsChanged) } },
            context)
        jack_set_latency_callback(
            handle, { mode, context in answer(context) { $0.latencies.answer(mode) } }, context)
    }
}

/// Has the object behind a callback's context do something.
private func answer(
    _ context: UnsafeMutableRawPointer?, isEnd: Bool = false, _ body: (Notifications) -> Void
) {
    guard let context else { return }
    // SAFETY: the context is the object that registered the callback; it lives until the client is closed.
    let notifications = Unmanaged<Notifications>.fromOpaque(context).takeUnretainedValue()
    notifications.hear(isEnd: isEnd, body)
}
