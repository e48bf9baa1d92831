internal import CLinux
internal import Glibc

/// The service manager that started the program, such as systemd, and receives messages about its
/// state.
///
/// The messages are those of `sd_notify(3)`: lines of `NAME=VALUE` in one datagram each.
package final class ServiceManager: Sendable {
    /// The interval in which the manager expects a sign of life, in seconds; `nil` if it expects
    /// none.
    package let watchdogSeconds: Double?

    private let descriptor: Int32

    /// Connects to the manager's socket; `nil` if it cannot be reached.
    ///
    /// - Parameters:
    ///   - path: The path of the socket; a path that begins with `@` is a name without a file.
    ///   - watchdogSeconds: The interval of the watchdog, in seconds; `nil` without one.
    package init?(path: String, watchdogSeconds: Double? = nil) {
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        guard Self.connect(socket, to: path) else {
            close(socket)
            return nil
        }
        descriptor = socket
        self.watchdogSeconds = watchdogSeconds
    }

    deinit { close(descriptor) }

    /// Returns the manager that started this program, and removes its variables, so that child
    /// programs do not report to it.
    ///
    /// Call it before the program has other threads.
    ///
    /// - Returns: `nil` if no manager started the program, or it wants no messages.
    package static func join() -> ServiceManager? {
        let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
        let values = names.map { getenv($0).map { String(cString: $0) } }
        for name in names { unsetenv(name) }
        guard let path = values[0] else { return nil }
        let isWatched = values[2].map { Int32($0) == getpid() } ?? true
        return ServiceManager(
            path: path,
            watchdogSeconds: isWatched ? values[1].flatMap(seconds(microseconds:)) : nil)
    }

    /// Sends lines of `NAME=VALUE`.
    ///
    /// It does not wait: if the manager does not read, the message is lost.
    ///
    /// - Returns: Whether the message was sent.
    @discardableResult
    package func send(_ lines: String) -> Bool {
        let bytes = Array(lines.utf8)
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        return Glibc.send(descriptor, bytes, bytes.count, flags) == bytes.count
    }

    /// Returns a number of microseconds in seconds; `nil` if it is not a positive number.
    private static func seconds(microseconds text: String) -> Double? {
        UInt64(text).flatMap { $0 > 0 ? Double($0) / 1_000_000 : nil }
    }

    private static func connect(_ socket: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // The zero at the end of a path belongs to the address, unlike after a name without a file.
        guard name.first == UInt8(ascii: "@") || name.first == UInt8(ascii: "/") else {
            return false
        }
        if name[0] == UInt8(ascii: "@") { name[0] = 0 } else { name.append(0) }
        guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        // SAFETY: the address is valid during the call, and `length` is at most its size.
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, length) == 0
            }
        }
    }
}
