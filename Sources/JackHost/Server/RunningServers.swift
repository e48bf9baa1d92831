internal import Glibc

/// The names of the JACK servers of this user that accept clients.
package enum RunningServers {
    /// Returns the names in the system's list of sockets.
    static func names() -> Set<String> {
        names(in: textOfFile("/proc/net/unix") ?? "", user: getuid())
    }
}

extension RunningServers {
    /// Returns the names in a list in the form of `/proc/net/unix`: a socket of libjack that
    /// listens for long belongs to a server.
    ///
    /// - Parameters:
    ///   - text: Lines of address, references, protocol, flags, type, state, inode and path.
    ///   - user: The user; the names of libjack's sockets contain it.
    /// - Returns: The servers' names.
    package static func names(in text: String, user: UInt32) -> Set<String> {
        Set(
            text.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ", maxSplits: 7)
                guard fields.count == 8, fields[3] == listening else { return nil }
                return name(fields[7].split(separator: "/").last ?? "", ending: "_\(user)_0")
            })
    }

    /// The flags of a socket that listens (`__SO_ACCEPTCON`).
    private static let listening = "00010000"

    private static func name(_ file: Substring, ending: String) -> String? {
        let beginning = "jack_"
        guard file.hasPrefix(beginning), file.hasSuffix(ending) else { return nil }
        let name = file.dropFirst(beginning.count).dropLast(ending.count)
        return name.isEmpty ? nil : String(name)
    }
}
