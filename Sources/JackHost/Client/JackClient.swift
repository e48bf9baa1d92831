internal import CJack

/// A client of a JACK server: the C API with Swift names.
///
/// It is closed at the latest when the last reference is released.
///
/// Any thread except the audio thread may use it. Calls that send requests to the server go through
/// `requests`.
final class JackClient: @unchecked Sendable {
    // SAFETY: any thread may call libjack's client functions; only the owner calls `close`, last.
    let handle: OpaquePointer
    let requests = RequestLock()
    private var isOpen = true
    /// Whether the client became the timebase master; another one may have replaced it.
    private var isTimebase = false

    /// Opens a client without starting a server: `jack_client_open`.
    ///
    /// JACK appends a number if the name is taken.
    ///
    /// - Parameters:
    ///   - name: The wanted name, in a form that JACK accepts; see `clientName`.
    ///   - server: The server's name; `nil` for the default server.
    /// - Throws: `JackError.noServer`, `.tooFewDescriptors` or `.clientRefused`.
    init(name: String, server: String?) throws(JackError) {
        // Errors are returned as values, so libjack must not print them as well.
        jack_set_error_function { _ in }
        jack_set_info_function { _ in }
        if FreeDescriptors.areTooFew() { throw .tooFewDescriptors }
        var status = JackStatus(0)
        guard
            let handle = jack_client_open_at(
                name, JackNoStartServer, &status, server)
        else {
            let noServer = JackServerFailed.rawValue | JackServerError.rawValue
            if status.rawValue & noServer != 0 { throw .noServer(name: server) }
            throw .clientRefused(status: status.rawValue)
        }
        self.handle = handle
    }

    deinit { close() }

    /// The name assigned by the server: `jack_get_client_name`.
    var name: String { String(cString: jack_get_client_name(handle)) }
    /// The sample rate, in frames per second: `jack_get_sample_rate`.
    var sampleRate: Double { Double(jack_get_sample_rate(handle)) }
    /// The block size, in frames: `jack_get_buffer_size`.
    var blockFrames: Int { promisedFrames ?? Int(jack_get_buffer_size(handle)) }
    /// The block size that PipeWire has promised for the time when the client is active.
    var promisedFrames: Int?

    /// The real-time priority of the client's audio thread: `jack_client_real_time_priority`; `nil`
    /// if it has none.
    var realtimePriority: Int32? {
        if JackLibrary.loaded.reportsRandomPriorities { return Self.priorityOnPipeWire }
        let priority = jack_client_real_time_priority(handle)
        return priority > 0 ? priority : nil
    }

    /// A real-time priority below that of PipeWire's audio thread, which is 88 or the limit of the
    /// process; `nil` if this process may use none.
    ///
    /// PipeWire's library subtracts 6 too, where it knows the limit.
    private static var priorityOnPipeWire: Int32? {
        let most = RealtimeLimit.highestPriority
        return most > 6 ? min(most, 88) - 6 : nil
    }

    /// Starts the process callback: `jack_activate`.
    func activate() throws(JackError) {
        guard requests.send({ jack_activate(handle) }) == 0 else { throw .activationRefused }
    }

    /// Makes the client the timebase master: `jack_set_timebase_callback`.
    ///
    /// - Parameters:
    ///   - callback: Called on the audio thread.
    ///   - context: Passed to the callback.
    ///   - takesOver: Whether the client replaces another timebase master.
    /// - Returns: Whether the client is the timebase master.
    func setTimebase(
        _ callback: JackTimebaseCallback, _ context: UnsafeMutableRawPointer, takesOver: Bool
    ) -> Bool {
        let result = requests.send {
            jack_set_timebase_callback(handle, takesOver ? 0 : 1, callback, context)
        }
        isTimebase = result == 0
        return isTimebase
    }

    /// Ends freewheeling for all clients: `jack_set_freewheel`.
    func leaveFreewheel() { _ = requests.send { jack_set_freewheel(handle, 0) } }

    /// Makes the server ask every client for its latencies: `jack_recompute_total_latencies`.
    func recomputeLatencies() {
        _ = requests.send { jack_recompute_total_latencies(handle) }
    }

    /// Leaves the graph; no callback is running afterwards: `jack_client_close`.
    ///
    /// It waits for other instances that leave the server. Do not call it on the session's thread.
    ///
    /// - Parameters:
    ///   - hasServer: Whether the server still runs. If not, no requests are sent, because it may
    ///     not answer.
    ///   - progress: Notes each step.
    func close(hasServer: Bool = true, progress: LeaveProgress? = nil) {
        guard isOpen else { return }
        isOpen = false
        guard hasServer else {
            _ = jack_client_close(handle)
            return
        }
        let isClosed = InstanceLock.run(
            withinSeconds: Self.lockTimeoutSeconds,
            while: {
                progress?.note()
                return true
            },
            { holder in
                leave {
                    progress?.note()
                    holder.noteProgress()
                }
            })
        if !isClosed { leave { progress?.note() } }
    }

    /// The time that one step of another instance may take, in seconds.
    ///
    /// To leave without the lock can block jackd, so the time is long enough for a busy machine.
    private static let lockTimeoutSeconds = 5.0

    /// Unregisters all ports before it closes the client.
    ///
    /// jackd sends every client a message for each port whose metadata is removed, and waits if a
    /// client does not read. During `jack_client_close` a client reads none: with metadata on more
    /// than about 30 ports, its own or those of other clients that leave, jackd would wait forever
    /// (see decision 45).
    private func leave(_ noteProgress: () -> Void) {
        if isTimebase { _ = requests.send { jack_release_timebase(handle) } }
        _ = requests.send { jack_deactivate(handle) }
        noteProgress()
        let prefix = name + ":"
        for port in names(jack_get_ports(handle, nil, nil, 0)) where port.hasPrefix(prefix) {
            _ = requests.send { jack_port_unregister(handle, jack_port_by_name(handle, port)) }
            noteProgress()
        }
        _ = jack_client_close(handle)
        noteProgress()
    }
}
