/// The driver of a JACK server that this program starts.
package enum ServerDriver: Sendable, Equatable {
    case alsa(SoundCard)
    /// No sound card: a clock that calls the clients, for machines without one.
    case dummy

    /// Returns the arguments for `jackd`, without its own name.
    ///
    /// They lack `-T`, which should end the server with its last client: if that client is killed,
    /// jackd 1.9.21 aborts instead, and still counts among the eight servers that a machine may
    /// have.
    ///
    /// - Parameters:
    ///   - server: The server's name; `nil` for the default server.
    ///   - isRealtime: Whether the user may have real-time threads. If not, the server must report
    ///     that to its clients: some fail if they cannot get a thread of a real-time server.
    /// - Returns: One text per argument.
    package func arguments(server: String?, isRealtime: Bool = true) -> [String] {
        let name = server.map { ["-n", $0] } ?? []
        return name + (isRealtime ? [] : ["-r"]) + driverArguments
    }

    private var driverArguments: [String] {
        switch self {
        case .dummy: ["-d", "dummy", "-r", "48000", "-p", "128"]
        case .alsa(let card):
            ["-d", "alsa", "-d", "hw:\(card.card),\(card.device)"]
                + (card.hasCapture ? card.hasPlayback ? [] : ["-C"] : ["-P"])
                + ["-r", "48000", "-p", "128", "-n", "3"]
        }
    }
}
