import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The script of the service, and the messages of the program to the service manager.
    @Suite struct ServiceTests {
        private let folder = ScratchFolder()
        private let server = ForeignServer(name: "stompline-service")
        private let manager: ManagerSocket
        private var errors: String { folder.file("errors") }

        init() {
            // On PipeWire, it sets the folder in which all programs look for servers.
            _ = TestServer.shared
            manager = ManagerSocket(path: folder.file("notify"))
            mkdir(folder.file("stompline"), 0o700)
        }

        @Test("it waits for a server, and the manager learns when it plays, waits again, and ends")
        func messages() throws {
            // The other name comes first.
            folder.write("{}", to: "stompline/night.json")
            folder.write(
                """
                {"version": 1, "name": "Service", "nodes": [{"id": "level", "type": "gain"}]}
                """, to: "stompline/night.stompline.json")
            let program = try start("night")
            #expect(waits { LiveProgram.text(of: errors).contains("+ sleep") })
            #expect(manager.next() == nil)

            var process = server.start()
            #expect(receives("READY=1\nSTATUS=playing as Service"))
            #expect(receives("WATCHDOG=1"))
            #expect(receives("WATCHDOG=1"))

            server.end(process)
            #expect(receives("STATUS=waiting for a JACK server"))
            #expect(receives("WATCHDOG=1"))

            process = server.start()
            #expect(receives("STATUS=playing as Service"))
            #expect(receives("WATCHDOG=1"))

            kill(program.process, SIGTERM)
            #expect(receives("STOPPING=1"))
            #expect(program.waitForStatus() == 0)
            server.end(process)
        }

        @Test("it ends with status 66 if there is no file, and the unit does not start it again")
        func noFile() throws {
            let program = try start("other")
            #expect(program.waitForStatus() == 66)
            let text = LiveProgram.text(of: errors)
            #expect(text.contains("there is no \(folder.path)/stompline/other.json"))
            #expect(manager.next() == nil)
            let unit = LiveProgram.text(of: Self.files + "/stompline@.service")
            #expect(unit.contains("\nRestartPreventExitStatus=64 65 66\n"))
        }

        /// The folder of the script and the unit.
        private static let files =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            + "/scripts/package/files"

        /// Starts the service for a name, as the unit does.
        ///
        /// The shell writes the commands of the script to standard error, which goes to a file.
        private func start(_ name: String) throws -> Program {
            let script = """
                export STOMPLINE_PROGRAM="$0"
                exec sh -x \(Self.files)/stompline-service \(name) 2>\(errors)
                """
            return try Program(
                [],
                by: [
                    "env", "HOME=\(folder.path)", "XDG_CONFIG_HOME=\(folder.path)",
                    "XDG_STATE_HOME=\(folder.file("state"))",
                    "NOTIFY_SOCKET=\(folder.file("notify"))", "WATCHDOG_USEC=20000000",
                    "JACK_DEFAULT_SERVER=\(server.name)", "PIPEWIRE_REMOTE=\(server.name)",
                    // The black box would keep the last minutes of other tests too.
                    "STOMPLINE_OPTIONS=--json --box 0", "sh", "-c", script,
                ])
        }

        /// Waits for a message that begins with a text, for at most 15 s, and drops those before it.
        private func receives(_ text: String) -> Bool {
            waits {
                while let message = manager.next() {
                    if message.hasPrefix(text) { return true }
                }
                return false
            }
        }

        /// Waits for a condition, for at most 15 s.
        private func waits(_ condition: () -> Bool) -> Bool {
            (0..<3).contains { _ in waitUntil { condition() ? true : nil } == true }
        }
    }
}
