import CRealtime
import Glibc
import Processing
import Recorders

/// One live recorder for each format, and the signal that all of them record.
final class RecordingSession {
    static let styles: [(name: String, bits: Double?)] = [
        ("16.wav", 16), ("24.wav", 24), ("32.wav", 32), ("16.flac", 16), ("24.flac", 24),
        ("vorbis.ogg", nil),
    ]
    static let blockFrames = 256

    private let sampleRate: Double
    private let isSilent: Bool
    private let thread = DiskThread()
    private var recorders: [Processor] = []
    private var hasPassedAll = true
    private let samples = (0..<4).map { _ in
        UnsafeMutablePointer<Float>.allocate(capacity: RecordingSession.blockFrames)
    }

    init(folder: String, sampleRate: Double, isSilent: Bool) {
        (self.sampleRate, self.isSilent) = (sampleRate, isSilent)
        let effect = Recorder.effect(thread)
        for style in Self.styles {
            var settings: [String: SettingValue] = ["file": .text("\(folder)/\(style.name)")]
            if let bits = style.bits { settings["bits"] = .number(bits) }
            let format = AudioFormat(
                sampleRate: sampleRate, maximumBlockFrames: Self.blockFrames, isLive: true)
            guard
                let recorder = try? effect.makeProcessor(
                    ProcessorRequest(
                        format: format, inputChannels: 2, outputChannels: 2, parameters: [1, 0],
                        settings: settings))
            else { exit(70) }
            recorders.append(recorder)
        }
    }

    /// Plays each block when it is due; like with a sound card, a delay postpones all following
    /// blocks.
    func play(seconds: Double, _ handle: (Int) -> Void) {
        let blockNanoseconds = Int64(1e9 * Double(Self.blockFrames) / sampleRate)
        var due = Self.nanosecondsNow()
        var frames = 0
        while Double(frames) < seconds * sampleRate {
            for frame in 0..<Self.blockFrames {
                samples[0][frame] = isSilent ? 0 : Self.noise(frames + frame, channel: 0)
                samples[1][frame] = isSilent ? 0 : Self.noise(frames + frame, channel: 1)
            }
            for recorder in recorders { run(recorder) }
            frames += Self.blockFrames
            handle(frames)
            due = max(due + blockNanoseconds, Self.nanosecondsNow())
            var time = timespec(
                tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
        }
    }

    private static func nanosecondsNow() -> Int64 { Int64(rt_nanoseconds()) }

    /// Prints `NAME recorded takes lost-frames state` for each recorder, whether all sound passed,
    /// and the incidents.
    func end() {
        usleep(100_000)
        for recorder in recorders { run(recorder) }
        for (style, recorder) in zip(Self.styles, recorders) {
            guard let reports = recorder.reports else { continue }
            say("\(style.name) \(reports[0]) \(reports[3]) \(reports[4]) \(reports[5])\n")
            while let incident = recorder.incidents?.next() { say("\(style.name) \(incident)\n") }
        }
        recorders = []
        say("finished \(thread.finish(withinSeconds: 20))\n")
        while let found = thread.nextIncident() { say("left \(found.incident)\n") }
        say("passed \(hasPassedAll)\n")
    }

    /// Returns a sample from -0.5 through 0.5, which is the same for the same frame.
    static func noise(_ frame: Int, channel: Int) -> Float {
        var bits = UInt64(truncatingIfNeeded: frame * 2 + channel + 1) &* 0x9e37_79b9_7f4a_7c15
        bits ^= bits >> 29
        bits = bits &* 0xbf58_476d_1ce4_e5b9
        return Float(bits >> 40) / Float(1 << 24) - 0.5
    }

    private func run(_ recorder: Processor) {
        let inputs = [UnsafePointer(samples[0]), UnsafePointer(samples[1])]
        let outputs = [samples[2], samples[3]]
        inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                guard let input = inputs.baseAddress, let output = outputs.baseAddress else {
                    return
                }
                var block = RTBlock(
                    frameCount: Int32(Self.blockFrames), inputCount: 2, outputCount: 2,
                    inputs: input, outputs: output)
                recorder.kernel.run(&block)
            }
        }
        for channel in 0..<2 {
            let byteCount = Self.blockFrames * MemoryLayout<Float>.stride
            if memcmp(samples[channel], samples[2 + channel], byteCount) != 0 {
                hasPassedAll = false
            }
        }
    }
}
