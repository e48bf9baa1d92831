import Platform
import Testing
import TestSignals

extension JackTests {
    /// `stompline new` on a running server, whose card has two inputs and two outputs.
    @Suite struct NewProgramTests {
        private let folder = ScratchFolder()

        @Test(
            "new connects the first free ports of hardware, and leaves the rest open",
            .onJack("PipeWire's sink for the tests has other port names"))
        func ports() throws {
            let file = folder.file("dj.json")
            let program = try Program([
                "new", file, "--template", "dj", "--defaults", "--server", TestServer.shared.name,
            ])
            #expect(program.waitForStatus() == 0)
            let text = String(
                decoding: FileBytes.read(file, limit: 1 << 20) ?? [], as: UTF8.self)
            for rule in [
                "\"deck-a\": { \"channels\": 2, \"connect\": [\"system:capture_1\", \"system:capture_2\"] }",
                "\"deck-b\": { \"channels\": 2, \"connect\": [] }",
                "\"connect\": [\"system:playback_1\", \"system:playback_2\"]",
            ] {
                #expect(text.contains(rule), "\(rule)")
            }
        }
    }
}
