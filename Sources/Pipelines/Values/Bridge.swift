/// A program that exchanges audio between the JACK servers of two machines.
public struct Bridge: Sendable, Hashable, Codable {
    /// The program and its role.
    public var program: Program
    /// The other machine for a sender; the own address to listen at for a receiver; `nil` for all own
    /// addresses, and for `netmanager`.
    public var host: String?
    /// The port, from 1 through 65535: UDP for all programs.
    public var port: Int
    /// The number of channels, from 1 through 64; `netmanager` leaves it to the other machine.
    public var channels: Int
    /// The name of the JACK client; `nil` for that of the program.
    public var name: String?
    /// The buffer of a receiver, in ms from 0 through 100; `nil` for the usual one.
    public var bufferMilliseconds: Double?

    /// The programs, by the names in files.
    public enum Program: String, Sendable, CaseIterable, Codable {
        /// Sends to a `zita-n2j` on another machine.
        case zitaSender = "zita-j2n"
        /// Receives from a `zita-j2n` on another machine.
        case zitaReceiver = "zita-n2j"
        /// Accepts JACK servers with the driver `net` (netjack2).
        case netManager = "netmanager"
    }

    /// The name that the JACK client asks for.
    var clientName: String { name ?? program.rawValue }

    /// Returns the command line, which begins with the name of the program.
    ///
    /// - Parameter server: The name of the JACK server; `nil` for the default server.
    /// - Returns: The words.
    public func command(server: String?) -> [String] {
        switch program {
        case .zitaSender:
            zitaWords(server) + ["--chan", "\(channels)", host ?? "", "\(port)"]
        case .zitaReceiver:
            zitaWords(server) + [
                "--chan", (1...channels).map(String.init).joined(separator: ","),
            ]
                + (bufferMilliseconds.map { ["--buff", "\(Int($0.rounded()))"] } ?? [])
                + [host ?? "0.0.0.0", "\(port)"]
        case .netManager:
            ["jack_load", "-w"] + (server.map { ["-s", $0] } ?? [])
                + ["-i", "-p \(port)", clientName, "netmanager"]
        }
    }

    private func zitaWords(_ server: String?) -> [String] {
        [program.rawValue] + (name.map { ["--jname", $0] } ?? [])
            + (server.map { ["--jserv", $0] } ?? [])
    }
}
