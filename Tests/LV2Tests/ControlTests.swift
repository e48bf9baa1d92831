import CRealtime
import LV2
import PluginComparison
import Processing
import Realtime
import Testing

@Suite("Controls")
struct ControlTests {
    let world = HostileBundle.world
    let uri = "urn:stompline-test:controls"

    private func parameter(_ name: String) throws -> ParameterDescription {
        try #require(
            world.description(ofPlugin: uri).parameters.first { $0.name == name })
    }

    @Test(
        "a range with gaps or contradictions is completed and includes the default",
        arguments: [
            ("level", 0...10, 1), ("bare", 0...1, 0), ("inverted", -5...5, 2),
            ("outside", 0...4, 4), ("nan", 0...2, 0), ("steps", 0...10, 3),
        ] as [(String, ClosedRange<Float>, Float)])
    func range(_ name: String, _ range: ClosedRange<Float>, _ defaultValue: Float) throws {
        let parameter = try parameter(name)
        #expect(parameter.range == range)
        #expect(parameter.defaultValue == defaultValue)
    }

    @Test("kinds and units are read")
    func kinds() throws {
        #expect(try parameter("level").kind == .continuous(.linear))
        #expect(try parameter("level").unit == .decibels)
        #expect(try parameter("pitch").kind == .continuous(.logarithmic))
        #expect(try parameter("steps").kind == .integer)
    }

    @Test("the values of a choice are in order, and each has a unique name")
    func choice() throws {
        #expect(
            try parameter("mode").kind
                == .choice([.init("Low", 0), .init("Same", 2), .init("Same (4.0)", 4)]))
    }

    @Test("a control that is only for the host is neither a parameter nor a report")
    func hidden() throws {
        let description = try world.description(ofPlugin: uri)
        #expect(
            description.parameters.map(\.name)
                == ["level", "pitch", "steps", "bare", "inverted", "outside", "nan", "mode"])
        #expect(description.reports.map(\.name) == ["freeRead", "eventBytes"])
        #expect(description.receivesEvents)
        #expect(
            description.channels
                == .ports(inputs: [], outputs: [.init(symbol: "out", label: "Out")]))
    }

    @Test(
        "real-time mode, latency and the requested event buffer size are exchanged with the plugin"
    )
    func hostPorts() throws {
        let processor = try world.makeProcessor(uri)
        _ = processor.render([], frames: 128)
        let reports = try #require(processor.reports)
        #expect(reports[0] == 0)
        #expect(reports[1] == Float(100_000 - 8))
        #expect(processor.latencyFrames == 3)
    }

    @Test(
        "a control glides to its new value in 20 ms, or in four blocks if they are longer",
        arguments: [16, 64, 96, 480])
    func glide(blockFrames: Int) throws {
        let processor = try world.makeProcessor(uri, blockFrames: blockFrames)
        processor.kernel.set(0, to: 10)
        let output = processor.render([], frames: 1920, blockFrames: blockFrames)
        for start in stride(from: 0, to: 1920, by: blockFrames) {
            let share = min(1, Float(start + blockFrames) / Float(max(960, 4 * blockFrames)))
            #expect(abs(output[start] - (101 + 9 * share)) < 1e-4, "frame \(start)")
        }
        #expect(output[1920 - blockFrames] == 110)
    }

    @Test("a logarithmic control glides by equal ratios")
    func logarithmicGlide() throws {
        let processor = try world.makeProcessor(uri, blockFrames: 240)
        processor.kernel.set(1, to: 10_000)
        let output = processor.render([], frames: 960, blockFrames: 240)
        #expect(abs(output[240] - 1001) < 0.01)
        #expect(output[720] == 10_001)
    }

    @Test("a control that counts steps is set immediately")
    func steps() throws {
        let processor = try world.makeProcessor(uri)
        processor.kernel.set(2, to: 7)
        processor.kernel.set(99, to: 7)
        #expect(processor.render([], frames: 64)[0] == 4101)
    }

    @Test("a reset plugin is equal to a new one at the current values")
    func reset() throws {
        let processor = try world.makeProcessor(uri)
        _ = processor.render([], frames: 640)
        processor.kernel.set(0, to: 5)
        processor.kernel.reset()
        let output = processor.render([], frames: 64)
        #expect(output[0] == 105)
        #expect(output[63] == 64)
    }
}
