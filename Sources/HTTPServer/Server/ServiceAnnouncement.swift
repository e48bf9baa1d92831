internal import Glibc
internal import Platform
internal import Synchronization

/// Announces the page in the local network through Avahi, as long as the object exists.
///
/// Child processes with the program `avahi-publish-service` do it. Without the program or Avahi's
/// daemon, nothing is announced.
package final class ServiceAnnouncement: Sendable {
    private let children = Mutex<[ChildProcess]>([])

    /// Announces a port; returns at once.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - port: The port.
    ///   - isSecure: Whether the page speaks TLS.
    ///   - program: The program that announces it.
    package init(
        _ name: String, port: UInt16, isSecure: Bool = false,
        program: String = "avahi-publish-service"
    ) {
        let types = ["_stompline._tcp", isSecure ? "_https._tcp" : "_http._tcp"]
        let facts = ["path=/"] + (isSecure ? ["tls=1"] : [])
        _ = BlockingTask { [self] in
            children.withLock { children in
                children = types.compactMap { type in
                    var launch = ChildProcess.Launch(
                        ["avahi-publish-service", name, type, "\(port)"] + facts,
                        program: program)
                    // Avahi withdraws a service whose program ends.
                    launch.endSignal = SIGTERM
                    return try? ChildProcess(launch)
                }
            }
        }
    }
}
