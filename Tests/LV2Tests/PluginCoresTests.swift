import CRealtime
import Engine
import LV2
import Pipelines
import Platform
import Processing
import Testing
import TestSignals

@Suite("Plugins on several cores", .serialized)
struct PluginCoresTests {
    private static let plugins = [
        "http://invadarecords.com/plugins/lv2/tube/mono", "urn:stompline-test:late",
    ]

    /// Each plugin with each kind of isolation.
    private static let isolated = plugins.flatMap { uri in
        ["true", "\"same-cycle\""].map { Branches.Plugin(uri, isolate: $0) }
    }

    @Test("isolated plugins sound the same to the bit on one, two and three cores")
    func isolation() throws {
        let input = whiteNoise(amplitude: 0.25, frames: 64 * 100, seed: 3)
        let together = try Branches(Self.isolated.map { Branches.Plugin($0.uri) }, cores: 1)
        // All branches are aligned with the latest one, which is a block later in its process.
        let expected = together.render(input).map { sound in
            [Float](repeating: 0, count: 64) + sound.dropLast(64)
        }
        #expect(expected.count == 4 && expected.allSatisfy { $0.contains { $0 != 0 } })
        for cores in [1, 2, 3] {
            var load: Float = 0
            // On a busy machine, the callback may run all branches.
            for _ in 0..<50 where load == 0 {
                let branches = try Branches(Self.isolated, cores: cores)
                #expect(branches.render(input) == expected, "with \(cores) cores")
                load = cores == 1 ? 1 : branches.workerLoad
            }
            #expect(load > 0, "no worker of \(cores - 1) ran a plugin")
        }
    }

    @Test("a plugin that takes too long is stopped on a worker too, and its dry signal passes")
    func stopped() throws {
        let burner = Branches.Plugin("urn:stompline-test:burner")
        let branches = try Branches([burner, burner], cores: 2, isLive: true)
        let input = whiteNoise(amplitude: 0.25, frames: 64 * 100, seed: 4)
        branches.engine.watchPlugins(true)
        // The first half second is not judged.
        for _ in 0..<5 { _ = branches.render(input) }
        var load: Float = 0
        // On a busy machine, the callback may run both. One run of 10 ms is a load of at least 0.1
        // between two reports, which are 4000 frames apart.
        for _ in 0..<20 where load < 0.1 {
            branches.set(0, 1)
            let sound = branches.render(input)
            #expect(branches.stoppedNodes == [0, 1])
            #expect(sound.allSatisfy { $0.suffix(640) == input.suffix(640) })
            load = branches.workerLoad
            // Each plugin is tried again.
            branches.forgetReports()
            branches.set(0, 0)
            branches.set(Int32(RTTargetBypass.rawValue), 0)
            _ = branches.render(input)
        }
        #expect(load >= 0.1)
    }
}

/// Plugins with one input and one output in branches from the same input, rendered by the engine in
/// the test's thread and on workers.
private final class Branches {
    /// A plugin, and the value of `isolate` as in a file.
    struct Plugin {
        let uri: String
        let isolate: String

        init(_ uri: String, isolate: String = "false") {
            self.uri = uri
            self.isolate = isolate
        }
    }

    private static let blockFrames = 64

    let engine: Engine
    private let count: Int
    private let threads: [OwnThread]
    private var reports: [Report] = []

    /// Prepares a branch and an output channel for each plugin.
    init(_ plugins: [Plugin], cores: Int, isLive: Bool = false) throws {
        let nodes = plugins.enumerated().map { index, plugin in
            """
            { "id": "n\(index)", "type": "lv2", "uri": "\(plugin.uri)", "from": "in",
              "isolate": \(plugin.isolate) }
            """
        }
        let ends = plugins.indices.map { "\"n\($0)\"" }
        let text = """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": \(plugins.count), "limiter": false,
                                    "from": [\(ends.joined(separator: ", "))] } },
              "nodes": [ \(nodes.joined(separator: ", ")) ] }
            """
        let catalogue = Catalogue(effects: [], plugins: HostileBundle.world)
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "plugins.json", catalogue: catalogue)
        let schedule = try Schedule(
            preparing: pipeline, catalogue: catalogue,
            format: AudioFormat(
                sampleRate: 48_000, maximumBlockFrames: Self.blockFrames, isLive: isLive,
                coreCount: cores))
        let engine = Engine(playing: schedule)
        self.engine = engine
        count = plugins.count
        threads = engine.workers.compactMap { worker in
            OwnThread(name: "core") { worker.run() }
        }
    }

    deinit {
        engine.endWorkers()
        for thread in threads { thread.join() }
    }

    /// Renders the input, a whole number of blocks; returns the sound of each plugin.
    func render(_ input: [Float]) -> [[Float]] {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        let frames = Self.blockFrames
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: (1 + count) * frames)
        memory.initialize(repeating: 0, count: (1 + count) * frames)
        defer { memory.deallocate() }
        let inputs = [UnsafePointer(memory)]
        let outputs = (0..<count).map { memory + (1 + $0) * frames }
        var sound = [[Float]](repeating: [], count: count)
        for start in stride(from: 0, to: input.count, by: frames) {
            for frame in 0..<frames { memory[frame] = input[start + frame] }
            engine.audio.render(frameCount: frames, inputs: inputs, outputs: outputs)
            for (channel, output) in outputs.enumerated() {
                sound[channel] += UnsafeBufferPointer(start: output, count: frames)
            }
            while let report = engine.nextReport() { reports.append(report) }
        }
        return sound
    }

    /// Sets a parameter (or, by an `RTTarget`, the bypass) of all plugins.
    func set(_ target: Int32, _ value: Float) {
        for node in 0..<count {
            _ = engine.send(.set(node: Int32(node), target: target, value: value, frame: 0))
        }
    }

    func forgetReports() { reports = [] }

    /// The sum of the reported loads of all workers.
    var workerLoad: Float {
        reports.reduce(0) { sum, report in
            if case .coreLoad(let core, let mean) = report, core > 0 { sum + mean } else { sum }
        }
    }

    /// The nodes that were stopped.
    var stoppedNodes: Set<Int32> {
        let nodes: [Int32] = reports.compactMap { report in
            if case .stopped(let node, _) = report { node } else { nil }
        }
        return Set(nodes)
    }
}
