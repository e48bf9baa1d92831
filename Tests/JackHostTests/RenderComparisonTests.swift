import CJack
import Glibc
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// The live program in JACK and the program's `render`, on the same pipeline file.
    @Suite struct RenderComparisonTests {
        private static let pipeline = """
            {"version": 1, "name": "Compared", "inputs": {"in": {}}, "outputs": {"out": {}}, "nodes": [
              {"id": "amp", "type": "lv2", "uri": "http://lv2plug.in/plugins/eg-amp", "parameters": {"gain": -4.5}},
              {"id": "body", "type": "filter",
                "parameters": {"shape": "peak", "frequency": 700, "gain": 6, "q": 1.5}},
              {"id": "echo", "type": "delay", "mix": 0.4,
                "parameters": {"time": 0.08, "feedback": 0.4}}]}
            """

        @Test("the live output is bit-identical to that of `render`", arguments: [64, 256])
        func equal(blockFrames: Int) throws {
            let patchbay = try Patchbay()
            TestServer.shared.setBufferSize(blockFrames, by: patchbay.client.handle)
            defer { TestServer.shared.setBufferSize(64, by: patchbay.client.handle) }
            let folder = PipelineFolder(Self.pipeline)
            let sequence = [0.5] + whiteNoise(frames: 24_000).map { $0 / 4 }
            let rendered = try render(sequence, folder, blockFrames)
            let played = try play(sequence, folder, patchbay)
            let start = try #require(played.firstIndex { $0 != 0 })
            #expect(rendered.contains { $0 != sequence[0] })
            #expect(Array(played[start...].prefix(24_001)) == Array(rendered[..<24_001]))
        }

        private func render(
            _ sequence: [Float], _ folder: PipelineFolder, _ blockFrames: Int
        ) throws -> [Float] {
            let (input, output) = (folder.file + ".in.wav", folder.file + ".out.wav")
            defer { for file in [input, output] { unlink(file) } }
            let writer = try SoundFileWriter(
                path: input, channels: 1, sampleRate: 48_000, expectedFrames: sequence.count)
            try writer.write(sequence.count, from: sequence)
            try writer.close()
            let program = try Program([
                "render", folder.file, "--input", input, "--output", output, "--block",
                "\(blockFrames)", "--keep-latency",
            ])
            #expect(program.waitForStatus() == 0)
            return try SoundFileReader(path: output).readChannels()[0]
        }

        /// Returns the program's output while a separate client in the test plays into the program.
        private func play(
            _ sequence: [Float], _ folder: PipelineFolder, _ patchbay: Patchbay
        ) throws -> [Float] {
            let program = try Program([
                "run", folder.file, "--json", "--server", TestServer.shared.name,
            ])
            #expect(program.waitFor(event: "started") != nil)
            let player = try #require(TestClient(named: "player"))
            let recorder = try #require(TestClient(named: "recorder"))
            player.prepareToPlay(sequence)
            recorder.prepareToRecord(frames: 480_000)
            patchbay.connect("player:out", "Compared:in")
            patchbay.connect("Compared:out", "recorder:in")
            // The fade-in is over.
            waitForFrames(recorder.recorded.count + 9_600, recorder)
            player.play()
            waitForFrames(recorder.recorded.count + 36_000, recorder)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            return recorder.recorded
        }

        private func waitForFrames(_ count: Int, _ recorder: TestClient) {
            #expect(waitUntil { recorder.recorded.count >= count ? true : nil } == true)
        }
    }
}
