import CLinux
import Glibc

/// A program that was run as a sandboxed child, with its output: one name and result per line.
struct SandboxedRun {
    struct NotStarted: Error, Equatable {
        let reason: Int32
    }

    let results: [String: String]
    /// The exit status as returned by `waitpid`.
    let status: Int32

    init(_ arguments: [String], reading file: String, mayUseNetwork: Bool) throws {
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        let list: [UnsafePointer<CChar>?] = words.map { UnsafePointer($0) } + [nil]
        var output: Int32 = -1
        let (child, reason) = file.withCString { file in
            var permissions = linux_child_permissions(file: file, mayUseNetwork: mayUseNetwork)
            let child = linux_start_child(list, &permissions, &output, nil)
            return (child, errno)
        }
        guard child > 0 else { throw NotStarted(reason: reason) }
        defer { close(output) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = read(output, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        status = linux_await_child(child)
        var results: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            if parts.count == 2 { results[parts[0]] = parts[1] }
        }
        self.results = results
    }
}

/// A socket on this machine that accepts connections.
final class ListeningSocket {
    let number: Int
    private let file: Int32

    init() {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = file
        number = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length)
                listen(file, 4)
                getsockname(file, $0, &length)
            }
            return Int(UInt16(bigEndian: address.pointee.sin_port))
        }
    }

    deinit { close(file) }
}
