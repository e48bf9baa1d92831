import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The token that `run` creates or warns about if other machines can reach it.
    @Suite struct OSCTokenTests {
        private let pipeline = PipelineFolder(
            """
            {"version": 1, "name": "Token", "nodes": [{"id": "level", "type": "gain"}]}
            """)
        private let folder = ScratchFolder()

        @Test("a missing token file is created, readable only by its owner, and kept")
        func file() throws {
            let path = folder.file("token")
            let errors = try play(["--osc", "0.0.0.0:0", "--osc-token-file", path])
            #expect(errors.contains("created a token in \(path)"))
            #expect(errors.contains("OSC at UDP 0.0.0.0:"))
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            let token = text(of: path)
            #expect(token.utf8.count == 20)
            #expect(!errors.contains(token.dropLast()))
            let again = try play(["--osc", "0.0.0.0:0", "--osc-token-file", path])
            #expect(!again.contains("created a token"))
            #expect(text(of: path) == token)
        }

        @Test("a missing token is created and shown once, but not for local use")
        func made() throws {
            let errors = try play(["--osc", "0.0.0.0:0"])
            let lines = errors.split(separator: "\n").filter { $0.contains("OSC token") }
            #expect(lines.count == 1)
            #expect(lines.first?.suffix(19).filter { $0 == "-" }.count == 3)
            let local = try play(["--osc", "0"])
            #expect(local.contains("OSC at UDP 127.0.0.1:"))
            #expect(!local.contains("token"))
        }

        @Test("the program warns about a short token")
        func easilyGuessed() throws {
            let errors = try play(["--osc", "0.0.0.0:0", "--osc-token", "1234"])
            #expect(errors.contains("the OSC token is easy to guess"))
        }

        @Test(
            "a sender without access is reported on standard error and as JSON",
            .enabled(if: ownAddress != nil))
        func stranger() throws {
            _ = TestServer.shared
            let errors = folder.file("errors")
            let program = try Program(
                [
                    "run", pipeline.file, "--json", "--no-connect", "--server",
                    TestServer.shared.name, "--osc", "0.0.0.0:0", "--osc-token",
                    "a-very-long-token",
                ], by: ["sh", "-c", "exec \"$@\" 2>'\(errors)'", "sh"])
            #expect(program.waitFor(event: "started") != nil)
            let announced = text(of: errors).split(separator: "\n").first {
                $0.contains("OSC at UDP 0.0.0.0:")
            }
            let port = try #require(announced?.split(separator: ":").last.flatMap { UInt16($0) })
            let sender = try #require(Self.send("/panic\0\0,\0\0\0", toPort: port))
            let event = try #require(program.waitFor(event: "osc_refused"))
            #expect(
                event
                    == #"{"event": "osc_refused", "datagrams": 1, "wrong_tokens": 0, "#
                    + #""uncompared_tokens": 0, "sender": "\#(sender)"}"#)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            #expect(
                text(of: errors).contains(
                    "OSC: 1 datagrams from senders without access, the last from \(sender)"))
        }

        /// An address of this machine that is not the loopback address; `nil` if it has none.
        private static let ownAddress: in_addr? = {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return nil }
            defer { freeifaddrs(first) }
            for interface in sequence(first: first, next: { $0?.pointee.ifa_next }) {
                guard let address = interface?.pointee.ifa_addr,
                    address.pointee.sa_family == AF_INET
                else { continue }
                let found = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
                if found.sin_addr.s_addr.bigEndian >> 24 != 127 { return found.sin_addr }
            }
            return nil
        }()

        /// Sends a datagram to this machine from an address that is not the loopback address.
        ///
        /// - Returns: The sender, as the program shows it; `nil` if it could not be sent.
        private static func send(_ text: String, toPort port: UInt16) -> String? {
            guard let ownAddress else { return nil }
            let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(file) }
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_addr = ownAddress
            var target = own
            target.sin_port = port.bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isSent = withUnsafeMutablePointer(to: &own) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                    guard bind(file, own, length) == 0, getsockname(file, own, &length) == 0
                    else { return false }
                    return withUnsafePointer(to: &target) {
                        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                            let bytes = Array(text.utf8)
                            return sendto(file, bytes, bytes.count, 0, target, length)
                                == bytes.count
                        }
                    }
                }
            }
            guard isSent, let address = inet_ntoa(ownAddress) else { return nil }
            return "\(String(cString: address)):\(UInt16(bigEndian: own.sin_port))"
        }

        /// Runs the program until it plays.
        ///
        /// - Returns: The program's standard error.
        private func play(_ options: [String]) throws -> String {
            _ = TestServer.shared
            let errors = folder.file("errors")
            let starter = ["sh", "-c", "exec \"$@\" 2>'\(errors)'", "sh"]
            let program = try Program(
                [
                    "run", pipeline.file, "--json", "--no-connect", "--server",
                    TestServer.shared.name,
                ]
                    + options, by: starter)
            #expect(program.waitFor(event: "started") != nil)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            return text(of: errors)
        }

        private func text(of path: String) -> String {
            guard let stream = fopen(path, "r") else { return "" }
            defer { fclose(stream) }
            var bytes: [UInt8] = []
            while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
