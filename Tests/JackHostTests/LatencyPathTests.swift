import Engine
import JackHost
import Pipelines
import Processing
import Testing
import TestSignals

struct LatencyPathTests {
    /// Paths from two inputs to two outputs: input `a` reaches both outputs through a node with 100
    /// frames of latency, and input `b` reaches only `both`.
    ///
    ///     a ── late 100 ──┬── dry
    ///                     └─┐
    ///     b ────────────── both
    private let paths: LatencyPaths
    /// The same paths in a file that states latencies: 10 ms for input `b`, 2 ms for `dry`.
    private let stated: LatencyPaths

    init() throws {
        var pipeline = Pipeline.chain(lateFrames: [100])
        pipeline.inputs.append(.init(name: "b", channels: 1, kind: .audio, connect: []))
        pipeline.nodes.append(
            .late(
                "both", frames: 20,
                taps: [.init(.node(0), channel: 0), .init(.input(1), channel: 0)]))
        pipeline.outputs.append(
            .init(
                name: "both", channels: 2, kind: .audio,
                taps: [.init(.node(1), channel: 0), .init(.node(1), channel: 1)],
                hasLimiter: false, connect: []))
        let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)
        let schedule = try Schedule(
            preparing: pipeline, catalogue: LatencyEffect.catalogue, format: format)
        paths = LatencyPaths(pipeline, schedule.plan)
        pipeline.inputs[1].latencyMilliseconds = 10
        pipeline.outputs[0].latencyMilliseconds = 2
        stated = LatencyPaths(
            pipeline,
            Plan(pipeline, latencies: schedule.plan.nodes.map(\.latencyFrames), format: format))
    }

    @Test("a stated latency replaces that of the connections, and the other inputs wait for it")
    func statedLatencies() {
        let zero = LatencyRange(minimum: 0, maximum: 0)
        let inputs: [LatencyRange?] = [zero, .init(minimum: 5, maximum: 500)]
        #expect(stated.capture(ofOutput: 1, inputs: inputs) == .init(minimum: 500, maximum: 500))
        #expect(stated.capture(ofOutput: 0, inputs: inputs) == .init(minimum: 100, maximum: 100))
        let outputs: [LatencyRange?] = [.init(minimum: 1, maximum: 7), nil]
        #expect(stated.playback(ofInput: 0, outputs: outputs) == .init(minimum: 196, maximum: 196))
    }

    @Test("an output has the latency of the inputs that reach it, and of no others")
    func capture() {
        let inputs: [LatencyRange?] = [
            .init(minimum: 10, maximum: 20), .init(minimum: 5, maximum: 500),
        ]
        #expect(paths.capture(ofOutput: 0, inputs: inputs) == .init(minimum: 110, maximum: 120))
        #expect(paths.capture(ofOutput: 1, inputs: inputs) == .init(minimum: 125, maximum: 620))
    }

    @Test("an input has the latency of every output that it reaches")
    func playback() {
        let outputs: [LatencyRange?] = [
            .init(minimum: 1, maximum: 2), .init(minimum: 3, maximum: 4),
        ]
        #expect(paths.playback(ofInput: 0, outputs: outputs) == .init(minimum: 101, maximum: 124))
        #expect(paths.playback(ofInput: 1, outputs: outputs) == .init(minimum: 123, maximum: 124))
    }

    @Test("unconnected ports do not count")
    func unconnected() {
        let range = LatencyRange(minimum: 7, maximum: 7)
        #expect(
            paths.capture(ofOutput: 1, inputs: [range, nil]) == .init(minimum: 127, maximum: 127))
        #expect(
            paths.capture(ofOutput: 0, inputs: [nil, range]) == .init(minimum: 100, maximum: 100))
        #expect(
            paths.playback(ofInput: 1, outputs: [range, nil]) == .init(minimum: 120, maximum: 120))
    }
}

/// Whether JACK must calculate its latencies again after an exchange.
struct EqualLatencyPathTests {
    private let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)

    private func schedule(
        lateFrames: Int, node: String = "late0", after old: Schedule? = nil,
        format: AudioFormat? = nil
    ) throws -> Schedule {
        var pipeline = Pipeline.chain(lateFrames: [lateFrames])
        pipeline.nodes[0].id = node
        let ports = try #require(EnginePorts(pipeline))
        guard let old else {
            return try Schedule(
                preparing: pipeline, catalogue: LatencyEffect.catalogue,
                format: format ?? self.format, ports: ports)
        }
        return try Schedule(
            preparing: pipeline, catalogue: LatencyEffect.catalogue, ports: ports, after: old,
            hasSettled: true)
    }

    private func paths(_ schedule: Schedule) -> LatencyPaths {
        LatencyPaths(schedule.pipeline, schedule.plan)
    }

    @Test("paths are equal if other nodes have the same latency, also while the former ones fade")
    func sameLatency() throws {
        let old = try schedule(lateFrames: 100)
        let new = try schedule(lateFrames: 100, node: "other", after: old)
        #expect(new.isTransition)
        #expect(paths(old) == paths(new))
        #expect(try paths(schedule(lateFrames: 100)) == paths(old))
    }

    @Test("paths differ if a latency or the format differs")
    func otherLatency() throws {
        let old = try schedule(lateFrames: 100)
        let new = try schedule(lateFrames: 101, node: "other", after: old)
        #expect(paths(old) != paths(new))
        // The server's own latencies depend on the period.
        let longer = try schedule(
            lateFrames: 100, format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 128))
        #expect(paths(old) != paths(longer))
    }
}

/// Paths that are not aligned.
///
///     a ──┬─ late 100 ──┐ (not aligned)
///         └─────────── both ── out
///     b ────────────────┘
struct UnalignedLatencyPathTests {
    private func paths(off: Set<Int> = []) throws -> LatencyPaths {
        var pipeline = Pipeline.chain(lateFrames: [100])
        pipeline.inputs.append(.init(name: "b", channels: 1, kind: .audio, connect: []))
        var both = Pipeline.Node.late(
            "both", frames: 20,
            taps: [
                .init(.node(0), channel: 0), .init(.input(0), channel: 0),
                .init(.input(1), channel: 0),
            ])
        both.unalignedInputs = [0]
        both.offInputs = off
        pipeline.nodes.append(both)
        pipeline.outputs[0].channels = 3
        pipeline.outputs[0].taps = (0..<3).map { .init(.node(1), channel: $0) }
        let schedule = try Schedule(
            preparing: pipeline, catalogue: LatencyEffect.catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64))
        return LatencyPaths(pipeline, schedule.plan)
    }

    private let zero = LatencyRange(minimum: 0, maximum: 0)

    @Test("an output has the range of all paths from each input")
    func ranges() throws {
        let paths = try paths()
        #expect(
            paths.capture(ofOutput: 0, inputs: [zero, nil]) == .init(minimum: 20, maximum: 120))
        #expect(
            paths.capture(ofOutput: 0, inputs: [nil, zero]) == .init(minimum: 20, maximum: 20))
        #expect(paths.playback(ofInput: 0, outputs: [zero]) == .init(minimum: 20, maximum: 120))
        #expect(paths.playback(ofInput: 1, outputs: [zero]) == .init(minimum: 20, maximum: 20))
    }

    @Test("paths that are always off do not count")
    func off() throws {
        let paths = try paths(off: [0])
        #expect(
            paths.capture(ofOutput: 0, inputs: [zero, nil]) == .init(minimum: 20, maximum: 20))
    }
}
