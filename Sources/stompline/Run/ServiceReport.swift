internal import SessionCore
internal import Platform

/// Reports the state of a session to the service manager that started the program.
struct ServiceReport: Sendable {
    private let manager: ServiceManager

    /// Joins the manager; call it before the program has other threads.
    ///
    /// - Returns: `nil` if no manager started the program.
    init?() {
        guard let manager = ServiceManager.join() else { return nil }
        self.manager = manager
    }

    /// Feeds the manager's watchdog; `nil` if it has none.
    var onProgress: (@Sendable () -> Void)? {
        guard manager.watchdogSeconds != nil else { return nil }
        return { [manager] in manager.send("WATCHDOG=1") }
    }

    /// Reports an event if it concerns the manager.
    func receive(_ event: SessionEvent) {
        switch event {
        case .started(let start): manager.send("READY=1\nSTATUS=playing as \(start.clientName)")
        case .serverLost: manager.send("STATUS=waiting for a JACK server")
        case .serverBack(let name, _, _): manager.send("STATUS=playing as \(name)")
        case .switched(let name, _): manager.send("STATUS=playing as \(name)")
        case .ended: manager.send("STOPPING=1")
        default: break
        }
    }
}
