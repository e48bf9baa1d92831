import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The whole program with a limit of locked memory.
    @Suite struct MemoryLockTests {
        private let folder = ScratchFolder()

        /// Runs the program without the privilege to exceed its limit.
        private func starter(limitBytes: Int) -> [String] {
            // Only root has the privilege.
            (geteuid() == 0 ? ["setpriv", "--bounding-set", "-ipc_lock"] : [])
                + ["prlimit", "--memlock=\(limitBytes)"]
        }

        @Test(
            "a limit that is too small is used except for the part of JACK, and reported once",
            arguments: [1 << 20, 4 << 20])
        func part(limitBytes: Int) throws {
            let gain = "{\"id\": \"a\", \"type\": \"gain\"}"
            let file = folder.write("{\"version\": 1, \"nodes\": [\(gain)]}", to: "show.json")
            let program = try Program(
                [
                    "run", file, "--json", "--server",
                    TestServer.startable("stompline-memory-lock"),
                ],
                by: starter(limitBytes: limitBytes))
            let report = try #require(program.waitFor(event: "memory_not_locked"))
            #expect(report.contains("\"limit_bytes\": \(limitBytes)"))
            #expect(program.waitFor(event: "started") != nil)
            let locked = lockedKilobytes(of: program.process) * 1024
            // The last range is locked up to a whole page, and JACK may have locked some since.
            let usableBytes = limitBytes / 4 * 3
            #expect(abs(locked - usableBytes) < 65_536, "\(locked) bytes")
            // A new schedule locks memory again.
            folder.write(
                "{\"version\": 1, \"nodes\": [\(gain), {\"id\": \"b\", \"type\": \"delay\"}]}",
                to: "show.json")
            #expect(program.waitFor(event: "reloaded") != nil)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            #expect(program.count(event: "memory_not_locked") == 1)
        }

        /// Returns the size of the locked memory of a process, in KiB.
        private func lockedKilobytes(of process: pid_t) -> Int {
            guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, 256, file) != nil {
                let text = line.withUnsafeBufferPointer { bytes in
                    String(
                        decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
                        as: UTF8.self)
                }
                guard text.hasPrefix("VmLck:") else { continue }
                return Int(text.split { " \t".contains($0) }[1]) ?? 0
            }
            return 0
        }
    }
}
