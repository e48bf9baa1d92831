import Glibc
import Pipelines
import SessionCore
import TestPages
import Testing

/// The binary meters.
@Suite struct MeterTests {
    private func int16(_ bytes: [UInt8], _ index: Int) -> Int16 {
        Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
    }

    @Test("a page that watches meters gets frames with the levels of all ports")
    func levels() throws {
        let served = try ServedPage()
        let page = try served.page()
        #expect(page.ask("\"request\": \"watch\", \"meters\": 30")?["answer"]?.string == "done")
        // The inputs are at half of full scale.
        var frame: [UInt8] = []
        for _ in 0..<100 {
            frame = try #require(page.nextBinary())
            if int16(frame, 12) == -602, int16(frame, 12 + 3 * 4) > -3_000 { break }
        }
        #expect(frame[0] == 1 && frame[1] == 0)
        #expect(frame[2] == 5 && frame[3] == 0)
        #expect(frame.count == 12 + 5 * 4)
        #expect(frame[4...7].allSatisfy { $0 == 0 })
        for channel in 0..<3 {
            #expect(int16(frame, 12 + channel * 4) == -602)
            #expect(int16(frame, 14 + channel * 4) == -602)
        }
        #expect(int16(frame, 12 + 3 * 4) > -3_000)
    }

    @Test("a page gets meters only on request, until it ends them")
    func ends() throws {
        let served = try ServedPage()
        let page = try served.page()
        _ = page.ask("\"request\": \"watch\", \"meters\": 30")
        #expect(page.nextBinary() != nil)
        #expect(page.ask("\"request\": \"watch\", \"meters\": 0")?["answer"]?.string == "done")
        // The answer to the second ping comes after all frames that were on their way.
        _ = page.ask("\"request\": \"ping\"")
        let id = page.send("\"request\": \"get\", \"address\": \"warm.gain\"")
        while let frame = page.nextFrame() {
            #expect(frame.opcode != 2)
            if String(decoding: frame.payload, as: UTF8.self).contains("\"id\": \(id)") { break }
        }
    }

    @Test("a page gets the levels of nodes only on request, in frames of their own")
    func nodes() throws {
        let served = try ServedPage()
        let page = try served.page()
        let channels = try #require(page.parts["node_meters"]?.elements)
        #expect(channels.contains { $0["node"]?.string == "warm" && $0["channel"]?.number == 0 })
        _ = page.ask("\"request\": \"watch\", \"meters\": 30")
        for _ in 0..<20 { #expect(try #require(page.nextBinary())[0] == 1) }
        _ = page.ask("\"request\": \"watch\", \"meters\": 30, \"nodes\": true")
        var found: [UInt8]?
        for _ in 0..<200 where found == nil {
            let frame = try #require(page.nextBinary())
            // The input of the first node is at half of full scale.
            if frame[0] == 2, int16(frame, 4) == -602 { found = frame }
        }
        let frame = try #require(found)
        #expect(Int(frame[2]) + Int(frame[3]) << 8 == channels.count)
        #expect(frame.count == 4 + 4 * channels.count)
        _ = page.ask("\"request\": \"watch\", \"meters\": 30")
        // The answer to the ping comes after all frames that were on their way.
        _ = page.ask("\"request\": \"ping\"")
        for _ in 0..<20 { #expect(try #require(page.nextBinary())[0] == 1) }
    }

    @Test("a page gets the spectrum of the node that it names, also after a change of songs")
    func spectrum() throws {
        let served = try ServedPage()
        let page = try served.page()
        func next() throws -> [UInt8] {
            for _ in 0..<200 {
                let frame = try #require(page.nextBinary())
                if frame[0] == 3 { return frame }
            }
            return try #require(nil)
        }
        _ = page.ask("\"request\": \"watch\", \"meters\": 30, \"spectrum\": \"warm\"")
        let frame = try next()
        #expect(frame[2] == 96 && frame.count == 4 + 2 * 96)
        // The input is constant, which is no sound above 20 Hz.
        #expect((0..<96).allSatisfy { int16(frame, 4 + 2 * $0) < -6_000 })
        #expect(page.set("song", "2") == "playing")
        _ = try next()
        _ = try next()
        _ = page.ask("\"request\": \"watch\", \"meters\": 30, \"spectrum\": \"nothing\"")
        _ = page.ask("\"request\": \"ping\"")
        for _ in 0..<20 { #expect(try #require(page.nextBinary())[0] == 1) }
    }

    @Test("the pitch of the tuner is in the frames")
    func pitch() throws {
        let served = try ServedPage()
        let page = try served.page()
        _ = page.ask("\"request\": \"watch\", \"meters\": 30")
        served.session.publish(.pitch(hertz: 440))
        var pitches: Set<Float> = []
        for _ in 0..<50 where !pitches.contains(440) {
            let frame = try #require(page.nextBinary())
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(frame[4 + $1]) << ($1 * 8) }
            pitches.insert(Float(bitPattern: bits))
        }
        #expect(pitches.contains(440))
    }

    @Test("levels that are not numbers are silence")
    func strangeLevels() throws {
        let served = try ServedPage()
        let page = try served.page()
        _ = page.ask("\"request\": \"watch\", \"meters\": 30")
        for level in [Double.nan, -.infinity, .infinity, 1e300, -1e300] {
            served.session.publish(.level(port: "mic", peak: level, rms: level))
            served.session.publish(.load(mean: level, worst: level, xruns: 0))
            served.session.publish(.pitch(hertz: level))
            #expect(page.nextBinary() != nil)
        }
    }
}
