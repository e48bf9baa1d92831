internal import Glibc
internal import Platform
internal import Synchronization

/// Announces the page in the local network through Avahi, as long as the object exists.
///
/// Child processes with the program `avahi-publish-service` do it. Without the program or Avahi's
/// daemon, nothing is announced.
package final class ServiceAnnouncement: Sendable {
    /// The kinds of services that the page is.
    private static let types = ["_stompline._tcp", "_http._tcp"]

    private let children = Mutex<[ChildProcess]>([])

    /// Announces a port; returns at once.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - port: The port.
    ///   - program: The program that announces it.
    package init(_ name: String, port: UInt16, program: String = "avahi-publish-service") {
        _ = BlockingTask { [self] in
            children.withLock { children in
                children = Self.types.compactMap { type in
                    var launch = ChildProcess.Launch(
                        ["avahi-publish-service", name, type, "\(port)", "path=/"],
                        program: program)
                    // Avahi withdraws a service whose program ends.
                    launch.endSignal = SIGTERM
                    return try? ChildProcess(launch)
                }
            }
        }
    }
}
