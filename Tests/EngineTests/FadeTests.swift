import Engine
import Glibc
import Pipelines
import Processing
import Testing

@Suite("Fades")
struct FadeTests {
    /// The distance of two values of a fade, in frames.
    private static let gridFrames = 64
    private static let second = 48_000.0

    private let ones = [Float](repeating: 1, count: 1000)

    /// Plays ones through a factor of 2, so that the output is the factor.
    private func playing(maximumBlockFrames: Int = 64) throws -> Playing {
        var graph = Graph()
        graph.add("x", "late", from: ["in"], values: [2])
        graph.output(from: ["x"])
        return try Playing(graph.pipeline, maximumBlockFrames: maximumBlockFrames)
    }

    private func fade(
        frames: Double, _ curve: FadeCurve = .linear,
        of parameter: ParameterDescription = ParameterDescription("x", range: -8...8, default: 1)
    ) -> Fade {
        Fade(FadeManner(seconds: frames / Self.second, curve: curve), of: parameter)
    }

    private func send(
        _ fade: Fade, to value: Float, frame: UInt64 = 0, _ playing: Playing
    ) {
        #expect(
            playing.engine.send(
                .fade(node: 0, target: 0, value: value, fade, frame: frame)))
    }

    /// Returns the share of the way after a share of the time.
    private static func share(_ p: Double, _ curve: FadeCurve) -> Double {
        switch curve {
        case .linear: p
        case .smooth: p * p * (3 - 2 * p)
        case .easeIn: p * p
        case .easeOut: p * (2 - p)
        }
    }

    @Test(
        "a fade has the values of its curve every 64 frames, and ends exactly at its target",
        arguments: FadeCurve.allCases, [[1], [64], [17, 64, 5], [512]])
    func curves(curve: FadeCurve, blocks: [Int]) throws {
        let playing = try playing(maximumBlockFrames: 512)
        send(fade(frames: 480, curve), to: 4, frame: 100, playing)
        let heard = playing.render([ones], blocks: blocks)[0]
        for (frame, value) in heard.enumerated() {
            let point = frame / Self.gridFrames * Self.gridFrames
            let expected: Float =
                if frame >= 580 {
                    4
                } else if point <= 100 {
                    2
                } else {
                    Float(2 + 2 * Self.share(Double(point - 100) / 480, curve))
                }
            #expect(value == expected, "frame \(frame)")
        }
    }

    @Test("a logarithmic value moves by equal ratios")
    func logarithmic() throws {
        let playing = try playing()
        let hertz = ParameterDescription(
            "x", kind: .continuous(.logarithmic), range: 0.1...8, default: 1)
        send(fade(frames: 640, of: hertz), to: 8, playing)
        let heard = playing.render([ones])[0]
        #expect(abs(heard[320] - 4) < 1e-5)
        #expect(abs(heard[160] - 2 * Float(2).squareRoot()) < 0.3)
        #expect(heard[640...].allSatisfy { $0 == 8 })
    }

    @Test("a fade that another overtakes continues from its current value")
    func overtaken() throws {
        let playing = try playing()
        send(fade(frames: 480), to: 4, playing)
        send(fade(frames: 480), to: 1, frame: 240, playing)
        let heard = playing.render([ones])[0]
        let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
        #expect(steps.allSatisfy { $0 <= 2 * 64 / 480 + 1e-5 })
        #expect(heard[192] == Float(2 + 2 * (192.0 / 480)))
        #expect(abs(heard[256] - Float(3 - 2 * (16.0 / 480))) < 1e-6)
        #expect(heard[719] != 1)
        #expect(heard[720...].allSatisfy { $0 == 1 })
    }

    @Test("a value that is set ends the fade")
    func set() throws {
        let playing = try playing()
        send(fade(frames: 480), to: 4, playing)
        playing.set(node: 0, target: 0, 5, frame: 300)
        let heard = playing.render([ones])[0]
        #expect(heard[299] < 4)
        #expect(heard[300...].allSatisfy { $0 == 5 })
    }

    @Test("a toggle changes at the end of its fade")
    func toggle() throws {
        let playing = try playing()
        send(fade(frames: 480, of: .toggle("x")), to: 4, playing)
        let heard = playing.render([ones])[0]
        #expect(heard == ones.indices.map { $0 < 480 ? 2 : 4 })
    }

    @Test("a fade starts from a value that was set in the same cycle")
    func afterSet() throws {
        let playing = try playing()
        playing.set(node: 0, target: 0, 6)
        send(fade(frames: 480), to: 4, playing)
        let heard = playing.render([ones])[0]
        #expect(heard[0] == 6)
        #expect(heard[64] == Float(6 - 2 * (64.0 / 480)))
        #expect(heard[999] == 4)
    }

    @Test("a running fade is reported several times, and its end once with the target")
    func reports() throws {
        let playing = try playing()
        send(fade(frames: 24_000), to: 4, playing)
        _ = playing.render([[Float](repeating: 1, count: 30_000)])
        var values: [Float] = []
        var ends = 0
        for report in playing.reports() {
            guard
                case .fading(node: 0, target: 0, value: let value, goal: 4, isOver: let isOver) =
                    report
            else {
                continue
            }
            values.append(value)
            if isOver { ends += 1 }
        }
        #expect(values == values.sorted())
        #expect((4...8).contains(values.count))
        #expect(ends == 1)
        #expect(values.last == 4)
    }

    @Test("a scene of a thousand addresses fades them all")
    func thousand() throws {
        var graph = Graph()
        let ids = (0..<1000).map { "x\($0)" }
        for id in ids { graph.add(id, "late", from: ["in"], values: [2]) }
        graph.add("all", "sum", from: ids)
        graph.output(from: ["all"])
        var scene = Pipeline.Scene(
            name: "loud",
            changes: ids.indices.map {
                .init(address: .init(node: $0, target: .parameter(0)), value: 4)
            })
        scene.fades.seconds = 480 / Self.second
        graph.pipeline.scenes = [scene]
        let playing = try Playing(graph.pipeline)
        #expect(playing.engine.send(.scene(0)))
        let heard = playing.render([ones])[0]
        #expect(heard[0] == 2000)
        #expect(heard == heard.sorted())
        #expect(heard[479] < 4000)
        #expect(heard[480...].allSatisfy { $0 == 4000 })
    }

    @Test("a song that replaces another ends its fades")
    func exchange() throws {
        let playing = try playing()
        send(fade(frames: 48_000), to: 4, playing)
        _ = playing.render([ones])
        var graph = Graph()
        graph.add("x", "late", from: ["in"], values: [1])
        graph.output(from: ["x"])
        playing.ringOut(into: try Playing.schedule(graph.pipeline))
        let heard = playing.render([[Float](repeating: 1, count: 60_000)])[0]
        #expect(heard[5_000...].allSatisfy { $0 == 1 })
    }
}
