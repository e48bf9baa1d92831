internal import Glibc
internal import NIOCore

/// The addresses and names by which other machines reach this one.
enum MachineAddresses {
    /// The addresses of all network interfaces, the one of the default route first; without
    /// loopback and link-local addresses.
    static func all() -> [IPAddress] {
        var found: [IPAddress] = []
        for device in (try? System.enumerateDevices()) ?? [] {
            guard let address = IPAddress(device.address), !address.isLoopback,
                !address.isLinkLocal, !found.contains(address)
            else { continue }
            found.append(address)
        }
        // IPv4 is shorter to type.
        let sorted = found.filter { !$0.isWide } + found.filter(\.isWide)
        guard let best = ofDefaultRoute, sorted.contains(best) else { return sorted }
        return [best] + sorted.filter { $0 != best }
    }

    /// The address from which this machine sends to other networks; `nil` without a route to them.
    private static var ofDefaultRoute: IPAddress? {
        let descriptor = socket(
            AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // An address for documentation; to connect sends nothing.
        let isConnected = try? SocketAddress(ipAddress: "192.0.2.1", port: 9).withSockAddr {
            connect(descriptor, $0, socklen_t($1)) == 0
        }
        return isConnected == true ? IPAddress(ofSocket: descriptor) : nil
    }

    /// The name of this machine, and its name in the local network.
    static var names: [String] {
        var text = [CChar](repeating: 0, count: 256)
        guard gethostname(&text, text.count - 1) == 0 else { return [] }
        let name = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
        ).lowercased()
        let short = name.prefix { $0 != "." }
        guard !short.isEmpty else { return [] }
        return Set([name, String(short), "\(short).local"]).sorted()
    }
}
