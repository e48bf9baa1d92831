internal import CJack
internal import Glibc
internal import Platform

/// JACK's callbacks except the process callback: each posts a message and returns.
///
/// Only JACK's question for latencies is answered at once.
///
/// It must outlive the client.
final class Notifications: Sendable {
    let mailbox: Mailbox<SessionMessage>
    let latencies: LatencyResponder
    private let processCallback: ProcessCallback
    // SAFETY: only the client's threads use it, and they end with the client.
    private nonisolated(unsafe) let handle: OpaquePointer
    /// Called before the server begins or ends freewheeling.
    private let followFreewheel: @Sendable (Bool) -> Void

    init(
        of client: JackClient, mailbox: Mailbox<SessionMessage>, latencies: LatencyResponder,
        processCallback: ProcessCallback, followFreewheel: @escaping @Sendable (Bool) -> Void
    ) {
        handle = client.handle
        self.mailbox = mailbox
        self.processCallback = processCallback
        self.latencies = latencies
        self.followFreewheel = followFreewheel
    }

    /// Follows the server, which begins or ends freewheeling.
    private func freewheel(_ isOn: Bool) {
        processCallback.setFreewheeling(isOn)
        followFreewheel(isOn)
        mailbox.post(.freewheel(isOn))
    }

    /// Sets the client's callbacks: `jack_set_…_callback`.
    ///
    /// Called before the client is activated.
    func listen() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        listenToFormat(of: handle, context)
        listenToGraph(of: handle, context)
        listenToEnd(of: handle, context)
    }

    /// Runs a body on the current thread, which belongs to the client.
    ///
    /// A server that shuts down in an orderly way releases its drivers after it has announced its
    /// end. The thread that receives the announcement holds a process-wide lock: if it is cancelled
    /// at that moment, this process cannot reach any server any more. The thread ends on its own
    /// when the server has closed its socket; the audio thread would not.
    fileprivate func receive(isEnd: Bool, _ body: (Notifications) -> Void) {
        let isAudioThread = jack_client_thread_id(handle) == pthread_self()
        UncancelledCallback.run(isLast: isEnd && !isAudioThread) { body(self) }
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
        // PipeWire 0.3 calls only this one; JACK calls only the first one.
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

    /// The delay of the last xrun, in ms; `nil` if the server does not report it.
    private var xrunMilliseconds: Double? {
        let microseconds = Double(jack_get_xrun_delayed_usecs(handle))
        return microseconds.isFinite && microseconds > 0 ? microseconds / 1000 : nil
    }

    private func listenToGraph(of handle: OpaquePointer, _ context: UnsafeMutableRawPointer) {
        jack_set_xrun_callback(
            handle,
            { context in
                answer(context) { $0.mailbox.post(.xrun(milliseconds: $0.xrunMilliseconds)) }
                return 0
            }, context)
        jack_set_port_registration_callback(
            handle,
            { port, isRegistered, context in
                let isThere = isRegistered != 0
                answer(context) { $0.mailbox.post(isThere ? .portAppeared(port) : .portsListed) }
            }, context)
        jack_set_port_rename_callback(
            handle, { _, _, _, context in answer(context) { $0.mailbox.post(.portsListed) } },
            context)
        jack_set_property_change_callback(
            handle, { _, _, _, context in answer(context) { $0.mailbox.post(.metadataChanged) } },
            context)
        jack_set_port_connect_callback(
            handle,
            { _, _, _, context in answer(context) { $0.mailbox.post(.connectionsChanged) } },
            context)
        jack_set_latency_callback(
            handle, { mode, context in answer(context) { $0.answerLatency(mode) } }, context)
    }

    /// Sets the latencies of one direction, for JACK at once.
    ///
    /// PipeWire (0.3.65) holds a lock during its callbacks. A call that sets a latency may run
    /// another callback, such as that of the block size, which waits for the same lock forever. So
    /// the session's thread makes the call.
    private func answerLatency(_ mode: jack_latency_callback_mode_t) {
        guard JackLibrary.loaded.isPipeWire else { return latencies.answer(mode) }
        mailbox.post(.latencyAsked(isCapture: mode == JackCaptureLatency))
    }
}

/// Runs a body with the object behind the context of a callback.
private func answer(
    _ context: UnsafeMutableRawPointer?, isEnd: Bool = false, _ body: (Notifications) -> Void
) {
    guard let context else { return }
    // SAFETY: the context is the object that set the callback; it lives until the client is closed.
    let notifications = Unmanaged<Notifications>.fromOpaque(context).takeUnretainedValue()
    notifications.receive(isEnd: isEnd, body)
}
