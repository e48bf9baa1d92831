internal import CJack
internal import Glibc

/// A name that JACK takes: without colons, which end a client's name in port names, and short enough.
package func legalClientName(_ name: String) -> String {
    let words = name.split { $0 == ":" || $0.isNewline }
    let legal = shortened(words.joined(separator: " "))
    return legal.isEmpty ? "stompline" : legal
}

/// A client's name that is no server's: the name itself, or with the first number that makes it so.
///
/// libjack binds a client's socket under the client's name; under a server's name it would take that server's socket
/// away, and no other client could reach the server any more.
///
/// - Parameters:
///   - name: A legal name.
///   - servers: The names of the servers.
/// - Returns: A legal name.
package func clientName(_ name: String, unlike servers: Set<String>) -> String {
    guard servers.contains(name) else { return name }
    let numbered = (1...servers.count + 1).lazy.map { shortened(name, room: 4) + "-\($0)" }
    return numbered.first { !servers.contains($0) } ?? name
}

/// The name of the server that is meant: the given one, or JACK's default one.
package func serverName(_ name: String?) -> String {
    name ?? getenv("JACK_DEFAULT_SERVER").map { String(cString: $0) } ?? "default"
}

private func shortened(_ name: String, room: Int = 0) -> String {
    var name = name
    // The server appends a number of three bytes where the name is taken.
    while name.utf8.count > Int(jack_client_name_size()) - 4 - room { name.removeLast() }
    return name
}
