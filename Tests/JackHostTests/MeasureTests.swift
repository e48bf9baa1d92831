import Glibc
import JackHost
import Testing
import TestSignals

@Suite("The matched filter of measure")
struct PingDetectorTests {
    /// Noise with a peak of 1, the same in every run.
    private func noise(frames: Int) -> [Float] {
        var state: UInt64 = 7
        return (0..<frames).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state &>> 32)) / 2_147_483_648
        }
    }

    @Test(
        "finds a ping to the frame, even inverted and as loud as the noise around it",
        arguments: [0, 1, 777, 48_000])
    func finds(frame: Int) throws {
        let detector = PingDetector(peak: 0.1)
        var recording = noise(frames: 48_000 + PingDetector.pingFrames).map { $0 * 0.06 }
        for (index, sample) in detector.ping.enumerated() {
            recording[frame + index] -= 0.3 * sample
        }
        let found = try #require(detector.find(in: recording))
        #expect(found.frame == frame)
    }

    @Test("finds nothing in silence, in noise and in a recording that is too short")
    func nothing() {
        let detector = PingDetector(peak: 0.1)
        #expect(detector.find(in: Array(repeating: 0, count: 10_000)) == nil)
        #expect(detector.find(in: noise(frames: 20_000)) == nil)
        #expect(detector.find(in: Array(detector.ping.dropLast())) == nil)
    }
}

@Suite("The time of one direction")
struct OneWayTests {
    @Test(
        "is half of the round trip, and half a frame counts as one",
        arguments: zip([0, 1, 2, 544, 545, 1389], [0, 1, 1, 272, 273, 695]))
    func half(roundTrip: Int, oneWay: Int) {
        let trip = LoopMeasurement.RoundTrip(
            frames: roundTrip...roundTrip + 3, typicalFrames: roundTrip, reportedOutputFrames: 64,
            reportedInputFrames: 32, sampleRate: 48_000)
        #expect(trip.oneWayFrames == oneWay)
    }
}

extension JackTests {
    @Suite struct MeasureTests {
        private let folder = ScratchFolder()
        /// The frames of the delay in the loop.
        private static let delayFrames = 480
        /// JACK delays one connection of a closed loop by a period.
        private static let periodFrames = 64

        /// The file whose input is measured; the text before and after the place of the latency.
        private static let file = (
            """
            {
              "version": 1,
              "inputs":  { "mic": {},
                "far": { "connect": [ "Loop:out" ]
            """,
            """
             } },
              "outputs": { "send": {"from": "mic", "connect": ["Loop:in"]} }
            }

            """
        )

        private func runLoop() throws -> Program {
            let loop = folder.write(
                """
                { "version": 1, "name": "Loop", "inputs": { "in": {} },
                  "outputs": { "out": { "limiter": false } },
                  "nodes": [ { "id": "wet", "type": "delay",
                               "parameters": { "time": 0.01, "feedback": 0 } } ] }
                """, to: "loop.json")
            let program = try Program(["run", loop, "--json", "--server", TestServer.shared.name])
            try #require(program.waitFor(event: "started") != nil)
            return program
        }

        private func measure(_ arguments: String...) throws -> Program {
            let file = folder.write(Self.file.0 + Self.file.1, to: "duo.json")
            return try Program(
                ["measure", file, "--server", TestServer.shared.name, "--input", "far"] + arguments)
        }

        @Test("the round trip through another program is measured to the frame")
        func roundTrip() throws {
            let loop = try runLoop()
            let program = try measure("--json")
            let frames = Self.delayFrames + Self.periodFrames
            #expect(program.waitFor(text: "\"round_trip_frames\": \(frames)") == true)
            #expect(program.waitForStatus() == 0)
            kill(loop.process, SIGTERM)
            #expect(loop.waitForStatus() == 0)
        }

        @Test("the latency is written into the file, and no other byte changes")
        func write() throws {
            let loop = try runLoop()
            let program = try measure("--write")
            // 544 frames at 48 kHz.
            #expect(program.waitFor(text: "11.333 ms") == true)
            #expect(program.waitForStatus() == 0)
            let text = try String(contentsOfFile: folder.file("duo.json"))
            #expect(text == Self.file.0 + ", \"latency\": 11.333" + Self.file.1)
            kill(loop.process, SIGTERM)
            #expect(loop.waitForStatus() == 0)
        }

        @Test("with --one-way, half of the round trip is printed and written")
        func oneWay() throws {
            let loop = try runLoop()
            let program = try measure("--one-way", "--write", "--json")
            #expect(program.waitFor(text: "\"one_way_frames\": 272") == true)
            #expect(program.waitFor(text: "\"input_latency_frames\": 544") == true)
            #expect(program.waitForStatus() == 0)
            let text = try String(contentsOfFile: folder.file("duo.json"))
            #expect(text == Self.file.0 + ", \"latency\": 5.667" + Self.file.1)
            let shown = try measure("--one-way")
            #expect(shown.waitFor(text: "latency of the input far: 272 frames (5.667 ms)") == true)
            #expect(shown.waitForStatus() == 0)
            kill(loop.process, SIGTERM)
            #expect(loop.waitForStatus() == 0)
        }

        @Test("a loop that is open has no result, and a missing end is named")
        func failures() throws {
            #expect(try measure().waitForStatus() == 69)
            #expect(try measure("--output", "nobody").waitForStatus() == 64)
        }
    }
}

extension String {
    /// Reads a file.
    fileprivate init(contentsOfFile path: String) throws {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        self.init(decoding: bytes[..<count], as: UTF8.self)
    }
}
