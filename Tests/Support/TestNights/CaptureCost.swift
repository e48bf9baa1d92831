internal import BlackBox
internal import CRealtime
internal import Engine
internal import Pipelines
internal import Processing

/// Measures what a black box costs in a cycle: the same pipeline with and without one, in turns.
package struct CaptureCost {
    /// The median time of a cycle in ns, without a black box.
    package private(set) var without = 0.0
    /// The median time of a cycle in ns, with a black box.
    package private(set) var with = 0.0
    /// The duration of a period in ns.
    package let periodNanoseconds: Double

    private static let text = """
        { "version": 1, "inputs": { "in": { "channels": 2 } },
          "outputs": { "main": { "channels": 2 } },
          "nodes": [{ "id": "a", "type": "filter" }, { "id": "b", "type": "delay" },
                    { "id": "c", "type": "gain" }] }
        """

    /// Measures.
    ///
    /// - Parameters:
    ///   - blockFrames: The frames of a cycle.
    ///   - isCold: Whether the caches contain other data at the start of each cycle, as after a
    ///     pause in which other programs ran.
    ///   - rounds: The number of rounds of 200 cycles each.
    ///   - memoryFolder: The folder for the memory of the black box.
    /// - Throws: `NightError` without memory.
    package init(blockFrames: Int, isCold: Bool, rounds: Int, memoryFolder: String) throws {
        let sampleRate = 48_000.0
        periodNanoseconds = Double(blockFrames) / sampleRate * 1e9
        let pipeline = try Pipeline(
            decoding: Array(Self.text.utf8), file: "cost.json", catalogue: RandomNight.catalogue)
        var options = BlackBox.Options(
            program: "test", name: "cost", sampleRate: sampleRate, blockFrames: blockFrames,
            inputChannels: 2, memoryFolder: memoryFolder)
        // The cycles follow one another without a pause.
        options.ringSeconds = 20
        var message = ""
        guard let box = BlackBox(options, message: &message) else { throw NightError(message) }
        defer { box.end() }
        func engine(_ capture: EngineCapture?) throws -> Engine {
            let format = AudioFormat(sampleRate: sampleRate, maximumBlockFrames: blockFrames)
            return Engine(
                playing: try Schedule(
                    preparing: pipeline, catalogue: RandomNight.catalogue, format: format),
                capture: capture)
        }
        let engines = [try engine(nil), try engine(box.capture)]
        let buffers = NightBuffers(longestFrames: blockFrames)
        var random = RandomSource(seed: 1)
        let other = OtherData()
        var times: [[UInt64]] = [[], []]
        for round in 0..<rounds {
            buffers.fill(&random, frame: UInt64(round * blockFrames), frames: blockFrames)
            for (index, engine) in engines.enumerated() {
                for cycle in 0..<200 {
                    if isCold { other.walk() }
                    let start = rt_ticks()
                    engine.audio.render(
                        frameCount: blockFrames, inputs: buffers.inputs, outputs: buffers.outputs)
                    let ticks = rt_ticks() &- start
                    // The first cycles fill the caches.
                    if cycle >= 20 { times[index].append(ticks) }
                }
                while engine.nextReport() != nil {}
            }
            NightBuffers.pause()
        }
        let scale = 1 / TickRate.shared.ticksPerNanosecond
        without = Double(times[0].sorted()[times[0].count / 2]) * scale
        with = Double(times[1].sorted()[times[1].count / 2]) * scale
    }
}

/// Data that displaces other data from the caches.
final class OtherData {
    private var words = [UInt64](repeating: 1, count: 1 << 20)

    func walk() { for index in stride(from: 0, to: words.count, by: 8) { words[index] &+= 1 } }
}
