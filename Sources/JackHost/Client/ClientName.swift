internal import CJack
internal import Glibc
internal import Processing

/// Returns a name that JACK accepts: short enough, without colons, which separate the client's name
/// from the port's name, and without control characters, which patchbays and terminals would
/// interpret.
package func legalClientName(_ name: String) -> String {
    let words = name.split { $0 == ":" || $0.unicodeScalars.contains(where: \.isControlling) }
    let legal = shortened(words.joined(separator: " "))
    return legal.isEmpty ? "stompline" : legal
}

/// Returns a client name that no server has: the name itself, or the name with the first number
/// that is free.
///
/// libjack binds a client's socket under the client's name. Under a server's name it would replace
/// that server's socket, and no other client could reach the server any more.
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

/// Returns the name of the server: the given one, or JACK's default.
package func serverName(_ name: String?) -> String {
    name ?? getenv("JACK_DEFAULT_SERVER").map { String(cString: $0) } ?? "default"
}

private func shortened(_ name: String, room: Int = 0) -> String {
    var name = name
    // The server appends a number of three bytes if the name is taken.
    while name.utf8.count > Int(jack_client_name_size()) - 4 - room { name.removeLast() }
    return name
}
