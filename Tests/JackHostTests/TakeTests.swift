import Glibc
import SoundFiles
import TestSignals
import Testing

extension JackTests {
    /// What the whole program leaves of what it recorded.
    @Suite struct TakeTests {
        private let folder = ScratchFolder()
        private let server = "stompline-take-" + (Test.current?.name.filter(\.isLetter) ?? "test")

        private func start() throws -> Program {
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
            return try Program(["run", file, "--json", "--server", server])
        }

        private func take(_ name: String) throws -> SoundFileReader {
            try SoundFileReader(path: folder.file("takes/\(name)"))
        }

        @Test("a take is whole when the program ends, and its length is told")
        func whole() throws {
            let program = try start()
            #expect(program.waitFor(event: "take_started", times: 3) != nil)
            #expect(program.waitFor(event: "status", times: 1) != nil)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            let told = try #require(program.waitFor(event: "take_finished", times: 3)).later
            #expect(told.allSatisfy { !$0.contains("take_finished") })
            for name in ["a.wav", "b.flac", "c.ogg"] {
                let reader = try take(name)
                #expect(reader.channels == 2)
                #expect(reader.frameCount > 0)
                #expect(try reader.readChannels()[0].count == reader.frameCount)
            }
        }

        @Test("a take of a program that is killed lacks at most a second")
        func killed() throws {
            let program = try start()
            // Two seconds lie between the first and the third.
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
