internal import CJack

/// A client of a JACK server: the C API by Swift names, closed at the latest when the last reference goes.
///
/// It may be used by any thread but the audio thread; what asks the server does so by `requests`.
final class JackClient: @unchecked Sendable {
    // SAFETY: libjack's client functions may be called by any thread; `close` is called by the owner alone, last.
    let handle: OpaquePointer
    let requests = RequestTurns()
    private var isOpen = true

    /// Opens a client without starting a server: `jack_client_open`.
    ///
    /// Where the name is taken, JACK appends a number.
    ///
    /// - Parameters:
    ///   - name: The wished name, of a form that JACK takes; see `clientName`.
    ///   - server: The server's name; nil is the default one.
    /// - Throws: `JackFault.noServer` or `.clientRefused`.
    init(name: String, server: String?) throws(JackFault) {
        // Faults come back as values; libjack would print its own words about each as well.
        jack_set_error_function { _ in }
        jack_set_info_function { _ in }
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

    /// The name that the server gave: `jack_get_client_name`.
    var name: String { String(cString: jack_get_client_name(handle)) }
    /// In frames a second: `jack_get_sample_rate`.
    var sampleRate: Double { Double(jack_get_sample_rate(handle)) }
    /// In frames: `jack_get_buffer_size`.
    var blockFrames: Int { Int(jack_get_buffer_size(handle)) }

    /// The real-time priority of the client's audio thread: `jack_client_real_time_priority`; nil where it has none.
    var realtimePriority: Int32? {
        let priority = jack_client_real_time_priority(handle)
        return priority > 0 ? priority : nil
    }

    /// Starts the process callback: `jack_activate`.
    func activate() throws(JackFault) {
        guard requests.make({ jack_activate(handle) }) == 0 else { throw .activationRefused }
    }

    /// Leaves freewheel mode for all clients: `jack_set_freewheel`.
    func leaveFreewheel() { _ = requests.make { jack_set_freewheel(handle, 0) } }

    /// Has the server ask every client for its latencies: `jack_recompute_total_latencies`.
    func recomputeLatencies() {
        _ = requests.make { jack_recompute_total_latencies(handle) }
    }

    /// Leaves the graph; no callback is running afterwards: `jack_client_close`.
    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = jack_client_close(handle)
    }
}
