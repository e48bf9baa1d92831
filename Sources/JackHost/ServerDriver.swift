/// What a JACK server of our own plays through.
package enum ServerDriver: Sendable, Equatable {
    case alsa(SoundCard)
    /// No sound card: a clock that calls the clients, for machines without one.
    case dummy

    /// The arguments for `jackd`, its own name left out.
    ///
    /// Without `-T`, which is to end the server with its last client: where that client is killed, jackd 1.9.21 aborts
    /// instead, and keeps its place among the eight servers that a machine may have.
    ///
    /// - Parameters:
    ///   - server: The server's name; nil is the default one.
    ///   - isRealtime: Whether the user may have real-time threads. Where not, the server has to say so to its clients:
    ///     some fail where a real-time server's thread is refused.
    /// - Returns: One argument each.
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
