internal import CLinux

/// Calls for sockets that accept connections.
package enum ListeningSocket {
    /// Accepts a connection that no child process inherits.
    ///
    /// - Returns: Its socket; -1, with the reason in `errno`, on failure.
    package static func accept(_ listener: Int32) -> Int32 { linux_accept(listener) }
}
