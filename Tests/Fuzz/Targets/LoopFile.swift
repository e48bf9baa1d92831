internal import CRealtime
@testable internal import Loopers
internal import Processing
internal import SoundFiles

extension FuzzTarget {
    /// The WAV file with which a looper starts: the looper plays it, and a written copy is read.
    static let loopFile = FuzzTarget(
        name: "loop-file",
        run: { bytes in
            let path = InputFile.inMemory(bytes, name: "loop.wav")
            let looper = FileLooper(path)
            guard let loop = looper.load() else { return }
            // No looper writes other samples, and sums of larger ones can overflow.
            guard loop.allSatisfy({ $0.allSatisfy { $0.magnitude <= 1_000_000 } }) else { return }
            checkCopy(of: loop, path: "\(InputFile.folder)/copy.wav")
        },
        seeds: {
            [(1, 1_000), (2, 961), (1, 959), (3, 1_200)].map { channels, frames in
                let path = "\(InputFile.folder)/seed.wav"
                write(
                    (0..<channels).map { channel in
                        (0..<frames).map { Float(($0 * (channel + 3)) % 100) / 100 - 0.5 }
                    }, to: path)
                return InputFile.bytes(path)
            }
        })

    /// Writes a loop as a looper does.
    private static func write(_ channels: [[Float]], to path: String) {
        let frames = channels[0].count
        let samples = (0..<frames).flatMap { frame in channels.map { $0[frame] } }
        do {
            let file = try UnfinishedLoop(
                path: path, channelCount: channels.count, sampleRate: FileLooper.sampleRate)
            try file.write(frames, from: samples)
            try file.finish()
        } catch { fatalError("a loop cannot be written: \(error)") }
    }

    private static func checkCopy(of loop: [[Float]], path: String) {
        write(loop, to: path)
        do {
            let copy = try LoopFile(path: path).sound(
                sampleRate: FileLooper.sampleRate, frames: 1...loop[0].count)
            require(copy == loop, "a loop reads differently after it was written")
        } catch { fatalError("a written loop cannot be read: \(error)") }
    }
}

/// A looper that starts with a file.
private struct FileLooper {
    static let sampleRate = 48_000.0
    private static let channels = 2, blockFrames = 64, maximumFrames = 48_000

    private let effect = Looper.effect()
    private let settings: [String: SettingValue]
    private let file: LoopFile

    init(_ path: String) {
        file = LoopFile(path: path)
        settings = [
            "file": .text(path), "maximum": .number(1), "history": .number(0),
            "latency": .number(0),
        ]
    }

    /// Starts a looper and lets it play the second cycle of the loop.
    ///
    /// - Returns: The channels of the loop; `nil` if the file is refused.
    func load() -> [[Float]]? {
        let isSound = (try? effect.inspect(settings)) != nil
        guard let looper = try? makeLooper() else { return nil }
        require(isSound, "a looper starts with a file that the check refuses")
        guard
            let sound = try? file.sound(
                sampleRate: Self.sampleRate, frames: 1...Self.maximumFrames),
            let frames = sound.first?.count, frames > 0
        else { fatalError("a looper starts with a file that cannot be read") }
        require(
            sound.allSatisfy { $0.count == frames }, "the channels have different lengths")
        // A looper plays the last channel of the file on all further outputs.
        let loop = (0..<Self.channels).map { sound[min($0, sound.count - 1)] }
        checkOutput(of: looper, loop)
        return loop
    }

    private func makeLooper() throws -> Processor {
        try effect.makeProcessor(
            ProcessorRequest(
                format: AudioFormat(
                    sampleRate: Self.sampleRate, maximumBlockFrames: Self.blockFrames),
                inputChannels: Self.channels, outputChannels: Self.channels,
                parameters: effect.description.parameters.map(\.defaultValue),
                settings: settings))
    }

    private func checkOutput(of looper: Processor, _ loop: [[Float]]) {
        let frames = loop[0].count
        let output = play(looper, frames: 2 * frames)
        let reports = effect.description.reports
        if let index = reports.firstIndex(where: { $0.name == "length" }) {
            let seconds = looper.reports?[index] ?? .nan
            require(
                abs(Double(seconds) * Self.sampleRate - Double(frames)) < 0.5,
                "the loop of \(frames) frames lasts \(seconds) s")
        }
        // The engine silences a node whose output is not finite.
        guard loop.allSatisfy({ $0.allSatisfy { $0.magnitude <= 1_000_000 } }) else { return }
        for channel in loop.indices {
            // A crossfade rounds the sum of both sounds.
            let peak = loop[channel].reduce(1) { max($0, $1.magnitude) }
            for frame in 0..<frames {
                let (played, stored) = (output[channel][frames + frame], loop[channel][frame])
                require(
                    abs(played - stored) <= 1e-5 * peak,
                    "frame \(frame) of channel \(channel) is \(played), not \(stored)")
            }
        }
    }

    /// Plays the loop from its start, without an input.
    private func play(_ looper: Processor, frames: Int) -> [[Float]] {
        var output = [[Float]](repeating: [], count: Self.channels)
        let count = Self.channels * Self.blockFrames
        let silence = UnsafeMutablePointer<Float>.allocate(capacity: Self.blockFrames)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
        silence.initialize(repeating: 0, count: Self.blockFrames)
        memory.initialize(repeating: 0, count: count)
        defer {
            silence.deallocate()
            memory.deallocate()
        }
        let inputs = [UnsafePointer<Float>](
            repeating: UnsafePointer(silence), count: Self.channels)
        let outputs = (0..<Self.channels).map { memory + $0 * Self.blockFrames }
        if let play = effect.description.parameters.firstIndex(where: { $0.name == "play" }) {
            looper.kernel.set(Int32(play), to: 1)
        }
        inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                guard let from = inputs.baseAddress, let to = outputs.baseAddress else { return }
                while output[0].count < frames {
                    var block = RTBlock(
                        frameCount: Int32(Self.blockFrames), inputCount: Int32(Self.channels),
                        outputCount: Int32(Self.channels), inputs: from, outputs: to)
                    looper.kernel.run(&block)
                    for channel in 0..<Self.channels {
                        output[channel] += UnsafeBufferPointer(
                            start: outputs[channel], count: Self.blockFrames)
                    }
                }
            }
        }
        return output
    }
}
