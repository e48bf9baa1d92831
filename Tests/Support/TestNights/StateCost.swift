internal import BlackBox
internal import CRealtime
internal import Engine
internal import Pipelines
internal import Processing
internal import Realtime

/// Measures what a black box costs in the cycles in which a node notes its state: the same pipeline
/// with and without one, cycle by cycle.
package struct StateCost {
    /// The largest number of words of a note.
    package private(set) var words = 0
    /// The additional times of these cycles in ns, ascending.
    package private(set) var nanoseconds: [Double] = []

    /// Measures.
    ///
    /// - Parameters:
    ///   - kind: The effect, by its index in `RandomNight.kinds`.
    ///   - isCold: Whether the caches contain other data at the start of each of these cycles.
    ///   - notes: The number of notes.
    ///   - memoryFolder: The folder for the memory of the black box.
    /// - Throws: `NightError` without memory.
    package init(kind: Int, isCold: Bool, notes: Int, memoryFolder: String) throws {
        let (sampleRate, blockFrames) = (48_000.0, 64)
        let text = Array(RandomPipeline(kind: kind).text.utf8)
        let pipeline = try Pipeline(
            decoding: text, file: "cost.json", catalogue: RandomNight.catalogue)
        var options = BlackBox.Options(
            program: "test", name: "cost", sampleRate: sampleRate, blockFrames: blockFrames,
            inputChannels: 2, memoryFolder: memoryFolder)
        // The cycles follow one another without a pause.
        options.ringSeconds = 20
        var message = ""
        guard let box = BlackBox(options, message: &message) else { throw NightError(message) }
        defer { box.end() }
        func schedule() throws -> Schedule {
            try Schedule(
                preparing: pipeline, catalogue: RandomNight.catalogue,
                format: AudioFormat(sampleRate: sampleRate, maximumBlockFrames: blockFrames))
        }
        let noting = try schedule()
        guard let state = noting.processors(ofNode: 0).first?.stateNotes else { return }
        let engines = [
            Engine(playing: try schedule()), Engine(playing: noting, capture: box.capture),
        ]
        let buffers = NightBuffers(longestFrames: blockFrames)
        var random = RandomSource(seed: 1)
        let other = OtherData()
        var frame: UInt64 = 0
        while nanoseconds.count < notes {
            let isWanted = state.pointee.isWanted
            let sounds: [NightBuffers.Sound] = [.chord, .noise]
            buffers.fill(
                &random, frame: frame, frames: blockFrames, sound: sounds[Int(frame / 96_000 % 2)])
            let ticks = engines.map { engine in
                if isCold, isWanted { other.walk() }
                let start = rt_ticks()
                engine.audio.render(
                    frameCount: blockFrames, inputs: buffers.inputs, outputs: buffers.outputs)
                return Double(rt_ticks() &- start)
            }
            for engine in engines { while engine.nextReport() != nil {} }
            frame += UInt64(blockFrames)
            if isWanted, !state.pointee.isWanted {
                words = max(words, state.pointee.count)
                nanoseconds.append((ticks[1] - ticks[0]) / TickRate.shared.ticksPerNanosecond)
            }
            if frame % 65_536 == 0 { NightBuffers.pause() }
        }
        nanoseconds.sort()
    }
}
