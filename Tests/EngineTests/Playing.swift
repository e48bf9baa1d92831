import CRealtime
import Engine
import Glibc
import Pipelines
import Platform
import Processing
import Testing

/// An engine with arrays as its inputs and outputs.
final class Playing {
    let engine: Engine
    private(set) var schedule: Schedule
    private let sampleRate: Double
    private let threads: [OwnThread]

    /// The number of cores of all tests that do not choose one: STOMPLINE_TEST_CORES, or 1.
    static let usualCores = getenv("STOMPLINE_TEST_CORES").flatMap { Int(String(cString: $0)) } ?? 1

    init(
        _ pipeline: Pipeline, sampleRate: Double = 48_000, maximumBlockFrames: Int = 64,
        fadingIn: Bool = false, cores: Int = usualCores
    ) throws {
        self.sampleRate = sampleRate
        schedule = try Self.schedule(pipeline, sampleRate, maximumBlockFrames, cores: cores)
        let engine = Engine(playing: schedule, fadingIn: fadingIn)
        self.engine = engine
        threads = engine.workers.compactMap { worker in
            OwnThread(name: "core") { worker.run() }
        }
    }

    deinit {
        engine.endWorkers()
        for thread in threads { thread.join() }
    }

    static func schedule(
        _ pipeline: Pipeline, _ sampleRate: Double = 48_000, _ maximumBlockFrames: Int = 64,
        cores: Int = usualCores
    ) throws -> Schedule {
        try Schedule(
            preparing: pipeline, catalogue: TestEffects.catalogue,
            format: AudioFormat(
                sampleRate: sampleRate, maximumBlockFrames: maximumBlockFrames, coreCount: cores))
    }

    /// Starts another schedule while the current one rings out.
    func ringOut(into next: Schedule, tailSeconds: Double = 0) {
        let manner = Command.Exchange.ringOut(tailFrames: Int64(tailSeconds * sampleRate))
        if !engine.exchange(next, manner) { Issue.record("the engine took no schedule") }
        schedule = next
    }

    /// Replaces the active pipeline by a splice.
    func splice(_ pipeline: Pipeline, ports: EnginePorts? = nil, hasSettled: Bool = false) throws {
        let next = try Schedule(
            preparing: pipeline, catalogue: TestEffects.catalogue,
            ports: ports ?? schedule.ports, after: schedule, hasSettled: hasSettled)
        if !engine.exchange(next, .splice) { Issue.record("the engine took no schedule") }
        schedule = next
    }

    /// Renders the inputs, one array per channel, in blocks of the given lengths, which repeat.
    func render(_ inputs: [[Float]], blocks: [Int] = [64]) -> [[Float]] {
        let total = inputs.first?.count ?? 0
        var outputs = [[Float]](
            repeating: Array(repeating: .nan, count: total), count: schedule.ports.outputSlots)
        var (done, turn) = (0, 0)
        while done < total {
            let frames = min(blocks[turn % blocks.count], total - done)
            renderBlock(inputs, &outputs, from: done, frames)
            done += frames
            turn += 1
        }
        return outputs
    }

    /// Renders silence in one call with the given engine ports and discards the output.
    func renderSilence(frames: Int, _ engineCall: UnsafePointer<RTEngineCall>) {
        let ins = (0..<schedule.ports.inputSlots).map { _ in
            let place = UnsafeMutablePointer<Float>.allocate(capacity: frames)
            place.initialize(repeating: 0, count: frames)
            return UnsafePointer(place)
        }
        let outs = (0..<schedule.ports.outputSlots).map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: frames)
        }
        engine.audio.render(frameCount: frames, inputs: ins, outputs: outs, engineCall: engineCall)
        for place in ins { place.deallocate() }
        for place in outs { place.deallocate() }
    }

    private func renderBlock(
        _ inputs: [[Float]], _ outputs: inout [[Float]], from start: Int, _ frames: Int
    ) {
        let ins = inputs.map { channel in
            let place = UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames))
            for frame in 0..<frames { place[frame] = channel[start + frame] }
            return UnsafePointer(place)
        }
        let outs = outputs.map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames))
        }
        engine.audio.render(frameCount: frames, inputs: ins, outputs: outs)
        for (channel, place) in outs.enumerated() {
            for frame in 0..<frames { outputs[channel][start + frame] = place[frame] }
        }
        for place in ins { place.deallocate() }
        for place in outs { place.deallocate() }
    }

    /// Returns all pending reports.
    func reports() -> [Report] {
        var all: [Report] = []
        while let report = engine.nextReport() { all.append(report) }
        return all
    }

    /// Sets a parameter (or, by an `RTTarget`, mix or bypass) of a node.
    func set(node: Int, target: Int32, _ value: Float, frame: UInt64 = 0) {
        _ = engine.send(.set(node: Int32(node), target: target, value: value, frame: frame))
    }
}
