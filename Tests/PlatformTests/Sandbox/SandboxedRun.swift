import Glibc
import Platform

/// A program that was run as a sandboxed child, with its output: one name and result per line.
struct SandboxedRun {
    let results: [String: String]
    let end: ChildEnd

    init(_ arguments: [String], reading file: String, mayUseNetwork: Bool) throws {
        var launch = ChildProcess.Launch(arguments)
        launch.output = .pipe
        launch.sandbox = .init(file: file, mayUseNetwork: mayUseNetwork)
        let child = try ChildProcess(launch)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = read(child.output, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        end = child.wait()
        var results: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            if parts.count == 2 { results[parts[0]] = parts[1] }
        }
        self.results = results
    }
}

/// A port on this machine that accepts connections.
final class LocalPort {
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
