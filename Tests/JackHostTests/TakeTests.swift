import Glibc
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// The takes that the whole program leaves behind.
    @Suite struct TakeTests {
        private let folder = ScratchFolder()
        private let server = TestServer.startable(
            "stompline-take-" + (Test.current?.name.filter(\.isLetter) ?? "test"))

        private func start(
            on server: String? = nil, by starter: [String] = [], _ options: [String] = []
        ) throws -> Program {
            let file = folder.write(
                """
                {"version": 1, "nodes": [
                  {"id": "tape", "type": "recorder", "parameters": {"recording": true},
                   "settings": {"file": "takes/a.wav"}},
                  {"id": "fine", "type": "recorder", "parameters": {"recording": true},
                   "settings": {"file": "takes/b.flac"}},
                  {"id": "small", "type": "recorder", "parameters": {"recording": true},
                   "settings": {"file": "takes/c.ogg"}}]}
                """, to: "show.json")
            return try Program(
                ["run", file, "--json", "--server", server ?? self.server] + options, by: starter)
        }

        private func take(_ name: String) throws -> SoundFileReader {
            try SoundFileReader(path: folder.file("takes/\(name)"))
        }

        @Test("a take is complete when the program ends, and its length is reported")
        func whole() throws {
            let program = try start()
            #expect(program.waitFor(event: "take_started", times: 3) != nil)
            #expect(program.waitFor(event: "status", times: 1) != nil)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            let reported = try #require(program.waitFor(event: "take_finished", times: 3)).later
            #expect(reported.allSatisfy { !$0.contains("take_finished") })
            for name in ["a.wav", "b.flac", "c.ogg"] {
                let reader = try take(name)
                #expect(reader.channels == 2)
                #expect(reader.frameCount > 0)
                #expect(try reader.readChannels()[0].count == reader.frameCount)
            }
        }

        @Test("a take that a panic ends is reported at once, with its recorder")
        func panic() throws {
            let port = "\(20_000 + getpid() % 10_000)"
            let program = try start(["--osc", port, "--box", "0"])
            #expect(program.waitFor(event: "take_started", times: 3) != nil)
            #expect(try Program(["ctl", "panic", "--port", port]).waitForStatus() == 0)
            let last = try #require(program.waitFor(event: "take_finished", times: 3))
            let finished = program.output.split(separator: "\n").filter {
                $0.hasPrefix("{\"event\": \"take_finished\"")
            }
            for node in ["tape", "fine", "small"] {
                #expect(finished.contains { $0.contains("\"node\": \"\(node)\"") }, "\(last)")
            }
            #expect(program.status == nil)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test("after a signal, the program waits for a slow disk to write the rest")
        func slowDisk() throws {
            let disk = try StillDisk(in: folder)
            let program = try start(by: disk.starter)
            #expect(program.waitFor(event: "take_started", times: 3) != nil)
            disk.standStill()
            #expect(program.waitFor(event: "status", times: 2) != nil)
            kill(program.process, SIGTERM)
            // Everything else that can delay the end has a limit of one second.
            usleep(1_500_000)
            #expect(program.status == nil)
            disk.goOn()
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(event: "take_finished", times: 3) != nil)
            let reader = try take("a.wav")
            #expect(Double(reader.frameCount) > 0.95 * reader.sampleRate)
        }

        @Test("a take is complete if the server hangs at the end")
        func serverHangs() throws {
            let server = ForeignServer(name: "stompline-take-hangs")
            let process = server.start()
            defer { server.kill(process) }
            #expect(server.waits { !$0.isEmpty })
            let program = try start(on: server.name)
            #expect(program.waitFor(event: "take_started", times: 3) != nil)
            #expect(program.waitFor(event: "status", times: 1) != nil)
            kill(process, SIGSTOP)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 69)
            #expect(program.waitFor(event: "take_finished", times: 3) != nil)
            for name in ["a.wav", "b.flac", "c.ogg"] {
                let reader = try take(name)
                #expect(reader.frameCount > 0)
                #expect(try reader.readChannels()[0].count == reader.frameCount, "\(name)")
            }
        }

        @Test("a take of a killed program lacks at most a second")
        func killed() throws {
            let program = try start()
            // There are two seconds between the first and the third status.
            for number in 1...3 {
                #expect(program.waitFor(event: "status", times: number) != nil)
            }
            kill(program.process, SIGKILL)
            #expect(program.waitForStatus() == 128 + SIGKILL)
            for name in ["a.wav", "b.flac", "c.ogg"] {
                let reader = try take(name)
                #expect(Double(reader.frameCount) > 0.95 * reader.sampleRate, "\(name)")
                #expect(try reader.readChannels()[0].count == reader.frameCount)
            }
        }
    }
}

/// A disk that stops writing takes on request, for a program that is started through it.
private struct StillDisk {
    /// The command that starts the program.
    let starter: [String]
    private let mark: String

    init(in folder: ScratchFolder) throws {
        mark = folder.file("still")
        starter = try Interposer(
            """
            #define _GNU_SOURCE
            #include <stdio.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static int is_take(int file) {
                char link[64], path[4096] = "";
                snprintf(link, sizeof link, "/proc/self/fd/%d", file);
                return readlink(link, path, sizeof path - 1) > 0 && strstr(path, "/takes/");
            }
            ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
                while (is_take(file) && access("\(mark)", F_OK) == 0) usleep(1000);
                return syscall(SYS_pwrite64, file, bytes, count, place);
            }
            """, in: folder
        ).starter
    }

    func standStill() { close(creat(mark, 0o600)) }

    func goOn() { unlink(mark) }
}
