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
