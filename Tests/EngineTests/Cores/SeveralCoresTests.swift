import CRealtime
import Engine
import Glibc
import Pipelines
import Platform
import Processing
import Synchronization
import Testing
import TestSignals

@Suite("Rendering on several cores")
struct SeveralCoresTests {
    private static let left = whiteNoise(frames: 6000, seed: 11)
    private static let right = whiteNoise(frames: 6000, seed: 12)
    private static let other = whiteNoise(frames: 6000, seed: 13)
    /// One core, then 1, 2, 4, 8 and 16 workers.
    static let coreCounts = [1, 2, 3, 5, 9, 17]

    /// Returns a random graph of nodes with latency, decaying nodes, and sums.
    private func randomPipeline(seed: Int, nodes: Int = 60) -> Pipeline {
        var numbers = Seeded(seed)
        var graph = Graph(inputs: ["a": 1, "b": 2])
        var names = ["a", "b"]
        for index in 0..<nodes {
            let isSum = Bool.random(using: &numbers)
            let type = isSum ? "sum" : "late"
            let from = (0..<(isSum ? Int.random(in: 1...3, using: &numbers) : 1)).compactMap { _ in
                names.suffix(12).randomElement(using: &numbers)
            }
            graph.add(
                "n\(index)", type, from: from, values: type == "late" ? [0.7] : [],
                mix: type == "late" && index.isMultiple(of: 5) ? 0.4 : 1,
                settings: type == "late"
                    ? ["frames": .number(Double(Int.random(in: 0...50, using: &numbers)))] : [:])
            names.append("n\(index)")
        }
        graph.add("left", "sum", from: names.suffix(6))
        graph.add("right", "sum", from: names.suffix(9).prefix(6).map { $0 })
        graph.output(from: ["left", "right"])
        return graph.pipeline
    }

    private func render(
        _ pipeline: Pipeline, cores: Int, _ change: (Playing) throws -> Void = { _ in }
    ) throws -> [[Float]] {
        let playing = try Playing(pipeline, cores: cores)
        return try render(playing, change)
    }

    private func render(
        _ playing: Playing, _ change: (Playing) throws -> Void = { _ in }
    ) throws -> [[Float]] {
        let inputs = [Self.left, Self.right, Self.other]
        let before = playing.render(inputs, blocks: [64, 17, 500])
        try change(playing)
        let after = playing.render(inputs, blocks: [64, 33])
        return zip(before, after).map { $0 + $1 }
    }

    @Test("the output is equal to the bit with any number of cores", arguments: 1...12)
    func isEqual(seed: Int) throws {
        let pipeline = randomPipeline(seed: seed)
        let expected = try render(pipeline, cores: 1)
        #expect(expected.joined().contains { $0 != 0 })
        for cores in Self.coreCounts.dropFirst() {
            var load: Float = 0
            // On a busy machine, the callback may run all tasks before a worker begins.
            for _ in 0..<200 where load == 0 {
                let playing = try Playing(pipeline, cores: cores)
                #expect(try render(playing) == expected, "with \(cores) cores")
                load = playing.popWorkerLoad()
            }
            #expect(load > 0, "no worker of \(cores - 1) ran a task")
        }
    }

    @Test("a splice sounds the same with any number of cores", arguments: 1...6)
    func splices(seed: Int) throws {
        let (first, second) = (
            randomPipeline(seed: seed), randomPipeline(seed: seed + 100, nodes: 40)
        )
        func spliced(cores: Int) throws -> [[Float]] {
            try render(first, cores: cores) { try $0.splice(second) }
        }
        let expected = try spliced(cores: 1)
        for cores in Self.coreCounts.dropFirst() {
            #expect(try spliced(cores: cores) == expected, "with \(cores) cores")
        }
    }

    @Test("an earlier song rings out in parallel, with any number of cores", arguments: 1...4)
    func ringsOut(seed: Int) throws {
        let (first, second) = (randomPipeline(seed: seed), randomPipeline(seed: seed + 50))
        func ended(cores: Int) throws -> [[Float]] {
            try render(first, cores: cores) { playing in
                playing.ringOut(
                    into: try Playing.schedule(second, cores: cores), tailSeconds: 0.1)
            }
        }
        let expected = try ended(cores: 1)
        for cores in Self.coreCounts.dropFirst() {
            #expect(try ended(cores: cores) == expected, "with \(cores) cores")
        }
    }

    @Test("an earlier song that rings out uses all cores")
    func sharesTails() throws {
        var (first, second) = (Graph(), Graph())
        for index in 0..<4 { first.add("n\(index)", "dawdle", from: ["in"]) }
        first.output(from: (0..<4).map { "n\($0)" })
        second.add("only", "sum", from: ["in"])
        second.output(from: ["only"])
        let playing = try Playing(first.pipeline, maximumBlockFrames: 8_192, cores: 2)
        let next = try Playing.schedule(second.pipeline, 48_000, 8_192, cores: 2)
        playing.ringOut(into: next, tailSeconds: 2)
        _ = playing.render([whiteNoise(frames: 8_192 * 6, seed: 14)], blocks: [8_192])
        // Only the earlier song has several tasks.
        #expect(playing.popWorkerLoad() > 0)
    }

    @Test("changes of values and bypass act at their frame", arguments: 1...4)
    func changes(seed: Int) throws {
        let pipeline = randomPipeline(seed: seed)
        func changed(cores: Int) throws -> [[Float]] {
            try render(pipeline, cores: cores) { playing in
                for (index, node) in pipeline.nodes.enumerated() where !node.values.isEmpty {
                    playing.set(node: index, target: 0, 0.9, frame: 6100 + UInt64(7 * index))
                    playing.set(
                        node: index, target: Int32(RTTargetBypass.rawValue),
                        index.isMultiple(of: 3) ? 1 : 0, frame: 7000 + UInt64(index))
                }
            }
        }
        let expected = try changed(cores: 1)
        for cores in Self.coreCounts.dropFirst() {
            #expect(try changed(cores: cores) == expected, "with \(cores) cores")
        }
    }

    @Test("the number of cores may change at any time")
    func changesCores() throws {
        let pipeline = randomPipeline(seed: 77)
        let expected = try Playing(pipeline, cores: 1).render([Self.left, Self.right, Self.other])
        let playing = try Playing(pipeline, cores: 5)
        var out = expected.map { _ in [Float]() }
        for start in stride(from: 0, to: 6000, by: 600) {
            playing.engine.useCores(start / 600 % 6)
            let part = playing.render(
                [Self.left, Self.right, Self.other].map { Array($0[start..<start + 600]) })
            for (channel, samples) in part.enumerated() { out[channel] += samples }
        }
        #expect(out == expected)
    }

    @Test("the callback does all the work if the workers have ended")
    func endedWorkers() throws {
        let pipeline = randomPipeline(seed: 5)
        let expected = try render(pipeline, cores: 1)
        #expect(try render(pipeline, cores: 4) { $0.engine.endWorkers() } == expected)
    }

    @Test("no runner is in a node between two cycles")
    func leavesNodes() throws {
        var graph = Graph()
        for index in 0..<6 { graph.add("n\(index)", "dawdle", from: ["in"]) }
        graph.output(from: (0..<6).map { "n\($0)" })
        let playing = try Playing(graph.pipeline, cores: 3)
        _ = playing.render([Array(repeating: 0, count: 64)])
        #expect(playing.engine.stuckNode(atNanoseconds: 0) == nil)
        #expect(playing.engine.stuckNode(atNanoseconds: 5_000_000_000) == nil)
    }

    @Test("a node that does not return is named on a worker too")
    func stuckWorker() throws {
        var graph = Graph()
        for id in ["a", "b"] { graph.add(id, "hold", from: ["in"]) }
        graph.output(from: ["a", "b"])
        let playing = try Playing(graph.pipeline, cores: 2)
        HoldEffect.isOn.store(true, ordering: .relaxed)
        let audio = playing.engine.audio
        let callback = OwnThread(name: "callback") {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: 3 * 64)
            samples.initialize(repeating: 0, count: 3 * 64)
            let inputs = [UnsafePointer(samples)]
            let outputs = [samples + 64, samples + 128]
            audio.render(frameCount: 64, inputs: inputs, outputs: outputs)
            samples.deallocate()
        }
        // The callback stays in one of the nodes, so only a worker can be in the other one.
        var named: Set<String> = []
        var now: UInt64 = 0
        for _ in 0..<20_000 where named.count < 2 {
            usleep(1_000)
            now += 10_000_000
            if let stuck = playing.engine.stuckNode(atNanoseconds: now) { named.insert(stuck.node) }
        }
        HoldEffect.isOn.store(false, ordering: .relaxed)
        callback?.join()
        #expect(callback != nil)
        #expect(named == ["a", "b"])
        #expect(playing.engine.stuckNode(atNanoseconds: now + 1) == nil)
        #expect(playing.engine.stuckNode(atNanoseconds: now + 5_000_000_000) == nil)
    }
}

extension Playing {
    /// Returns the sum of the reported loads of all workers, and drops all pending reports.
    fileprivate func popWorkerLoad() -> Float {
        reports().reduce(0) { sum, report in
            if case .coreLoad(let core, let mean) = report, core > 0 { sum + mean } else { sum }
        }
    }
}
