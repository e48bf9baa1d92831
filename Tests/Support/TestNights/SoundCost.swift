internal import CRealtime
internal import Engine
internal import Loopers
internal import Pipelines
internal import Processing

/// Measures what a capture costs in the cycles in which a looper notes a part of its sound, in
/// addition to a usual cycle of the same engine.
package struct SoundCost {
    /// The additional times of these cycles in ns, ascending.
    package let nanoseconds: [Double]

    private static let text = """
        { "version": 1, "inputs": { "in": { "channels": 2 } },
          "outputs": { "main": { "channels": 2 } },
          "nodes": [{ "id": "a", "type": "looper", "settings": { "maximum": 4 } }] }
        """
    /// The frames of the loop.
    private static let loopFrames = 96_000
    /// The most frames of a measurement.
    private static let mostFrames = 48_000 * 600

    /// Measures.
    ///
    /// - Parameters:
    ///   - isCold: Whether the caches contain other data at the start of each cycle.
    ///   - parts: The number of parts.
    /// - Throws: An error if the pipeline cannot be prepared.
    package init(isCold: Bool, parts: Int) throws {
        let (sampleRate, blockFrames) = (48_000.0, 64)
        let pipeline = try Pipeline(
            decoding: Array(Self.text.utf8), file: "cost.json", catalogue: RandomNight.catalogue)
        let records = CapturedRecords(ringWords: 1 << 16)
        let engine = Engine(
            playing: try Schedule(
                preparing: pipeline, catalogue: RandomNight.catalogue,
                format: AudioFormat(sampleRate: sampleRate, maximumBlockFrames: blockFrames)),
            capture: records.capture)
        for (name, frame) in [("record", 0), ("play", Self.loopFrames)] {
            let parameters = Looper.effect().description.parameters
            guard let index = parameters.firstIndex(where: { $0.name == name }) else { continue }
            _ = engine.send(
                .set(node: 0, target: Int32(index), value: 1, frame: UInt64(frame)))
        }
        let buffers = NightBuffers(longestFrames: blockFrames)
        var random = RandomSource(seed: 1)
        let other = OtherData()
        var (usual, noting): ([Double], [Double]) = ([], [])
        var frame = 0
        while noting.count < parts, frame < Self.mostFrames {
            // The loop plays.
            let isMeasured = frame >= 2 * Self.loopFrames
            buffers.fill(&random, frame: UInt64(frame), frames: blockFrames, sound: .chord)
            if isCold, isMeasured { other.walk() }
            let start = rt_ticks()
            engine.audio.render(
                frameCount: blockFrames, inputs: buffers.inputs, outputs: buffers.outputs)
            let ticks = Double(rt_ticks() &- start)
            while engine.nextReport() != nil {}
            frame += blockFrames
            let partCount = records.count(.sound)
            records.read()
            guard isMeasured else { continue }
            if records.count(.sound) > partCount {
                noting.append(ticks)
            } else {
                usual.append(ticks)
            }
        }
        let middle = usual.isEmpty ? 0 : usual.sorted()[usual.count / 2]
        let scale = 1 / TickRate.shared.ticksPerNanosecond
        nanoseconds = noting.map { ($0 - middle) * scale }.sorted()
    }
}
