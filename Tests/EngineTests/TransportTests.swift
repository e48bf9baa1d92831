import CRealtime
import Engine
import Testing
import TestSignals

@Suite("An external transport")
struct TransportTests {
    /// A rolling transport with beats as another program may announce them.
    struct Announced: Sendable, CustomTestStringConvertible {
        var beatsPerMinute = 120.0
        var beatsPerBar = 4.0
        var barBeat = 0.0
        var bar: Int64 = 0
        var frame: Int64 = 0
        var testDescription: String {
            "\(beatsPerMinute), \(beatsPerBar), \(barBeat), \(bar), \(frame)"
        }

        var transport: RTTransport {
            RTTransport(
                revision: 0, isRolling: true, isFreewheeling: false, hasBeats: true, beatUnit: 4,
                frame: frame, bar: bar, barBeat: barBeat, beatsPerBar: beatsPerBar,
                beatsPerMinute: beatsPerMinute)
        }
    }

    static let extremes: [Announced] = [
        .init(beatsPerBar: 1e-30), .init(beatsPerBar: .leastNonzeroMagnitude),
        .init(beatsPerBar: .nan),
        .init(beatsPerBar: .infinity), .init(barBeat: .infinity), .init(barBeat: .nan),
        .init(barBeat: 1e300), .init(barBeat: -1e300), .init(beatsPerMinute: .infinity),
        .init(beatsPerMinute: .nan), .init(beatsPerMinute: 1e300),
        .init(beatsPerMinute: 1e300, beatsPerBar: 1e-300),
        .init(beatsPerMinute: -.infinity, beatsPerBar: -.infinity, barBeat: -.infinity),
        .init(beatsPerMinute: 1e-300), .init(beatsPerMinute: .leastNonzeroMagnitude),
        .init(beatsPerBar: 1e-3, barBeat: 1e9), .init(bar: .init(Int32.max), frame: 4_294_967_295),
    ]

    @Test(
        "any announced values leave the next cycles' sound unchanged", .timeLimit(.minutes(1)),
        arguments: extremes)
    func extreme(announced: Announced) throws {
        var graph = Graph()
        graph.add("fx", "late", from: ["in"])
        graph.output(from: ["fx"])
        let playing = try Playing(graph.pipeline)
        var time = announced.transport
        withUnsafePointer(to: &time) { time in
            var engineCall = RTEngineCall(
                messages: nil, inputCount: 0, sinks: nil, sinkCount: 0, isFreewheeling: false,
                transport: time)
            // Longer than a block, so that beats are extrapolated within the call.
            for _ in 0..<3 { playing.renderSilence(frames: 640, &engineCall) }
        }
        let sound = whiteNoise(frames: 1000)
        #expect(playing.render([sound])[0] == sound)
    }
}
