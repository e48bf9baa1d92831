import CRealtime
import Effects
import Glibc
import PluginBundle
import Processing
import Testing
import TestSignals

/// Lengths of the runs, which sum to 48000 frames.
private let partitions = [
    Array(repeating: 64, count: 750), Array(repeating: 1000, count: 48),
    Array(repeating: [1, 63, 500, 236, 7, 193], count: 48).flatMap { $0 },
]

@Suite("Events of a host in the plugins")
struct EventTests {
    /// A voice with the pitch of 130 Hz.
    private let voice = (0..<48_000).map { frame in
        var sample: Float = 0
        for partial in 1...9 {
            let phase = Double(130 * partial * frame) / 48_000
            sample += Float(sin(2 * Double.pi * phase)) / Float(10 * partial)
        }
        return sample
    }
    /// Chords at odd frames, with the sustain pedal.
    private let notes: [(frame: Int, bytes: [UInt8])] = [
        (0, [0x90, 50, 90]), (1, [0x90, 57, 90]), (9001, [0x80, 50, 0]), (9001, [0x91, 48, 70]),
        (15_555, [0xb0, 64, 127]), (17_000, [0x80, 57, 0]), (20_011, [0x90, 64, 100]),
        (30_999, [0xb0, 64, 0]), (38_001, [0xb0, 123, 0]), (40_007, [0x90, 55, 100]),
    ]

    init() throws {
        let binary = "\(bundleFolder)/stompline.so"
        try #require(access(binary, R_OK) == 0, "scripts/build/plugins.sh builds \(binary)")
    }

    private func builtIn(_ plugin: BundledPlugin, _ parameters: [String: Float]) throws
        -> Processor
    {
        let effect = try #require(
            EffectCatalogue.effects.first { $0.description.name == plugin.description.name })
        return effect.processor(
            channels: plugin.channelCount, parameters: parameters, settings: plugin.settings)
    }

    private func plugin(_ name: String) throws -> BundledPlugin {
        try #require(
            BundledPlugin.all(of: EffectCatalogue.effects).first {
                $0.uri == "urn:stompline:\(name)"
            })
    }

    @Test(
        "notes act at their frames as in the built-in effect, bit for bit",
        arguments: ["tune", "tune-stereo", "harmony-midi"], partitions)
    func notes(name: String, blocks: [Int]) throws {
        let plugin = try plugin(name)
        let parameters: [String: Float] = name == "harmony-midi" ? ["crossing": 1] : ["speed": 0]
        let input = Array(repeating: voice, count: plugin.channelCount)
        let host = EventHost(plugin: plugin, parameters: parameters)
        let hosted = try host.render(
            input, blocks: blocks, events: notes.map { ($0.frame, .message($0.bytes)) })
        let wanted = try builtIn(plugin, parameters).render(
            input, messages: notes.map { PlayedMessage($0.bytes, at: $0.frame) })
        #expect(hosted == wanted)
        #expect(try hosted != builtIn(plugin, parameters).render(input))
    }

    @Test(
        "the delay follows the tempo at each frame as the built-in effect does, bit for bit",
        arguments: ["delay", "delay-stereo"], partitions)
    func tempo(name: String, blocks: [Int]) throws {
        let plugin = try plugin(name)
        let input = (0..<plugin.channelCount).map { whiteNoise(frames: 48_000, seed: UInt64($0)) }
        let values: [String: Float] = ["beats": 0.25, "feedback": 0.7]
        let tempos: [(frame: Int, value: Double)] = [(0, 97), (12_345, 140.5), (30_001, 60)]
        let host = EventHost(plugin: plugin, parameters: values.merging(["mix": 1]) { $1 })
        let hosted = try host.render(
            input, blocks: blocks, events: tempos.map { ($0.frame, .tempo($0.value)) })
        let processor = try builtIn(plugin, values)
        processor.kernel.set(RTTargetTempo.rawValue, to: 97)
        processor.kernel.reset()
        let wanted = processor.render(
            input,
            moves: tempos.dropFirst().map {
                Move(RTTargetTempo.rawValue, to: Float($0.value), at: $0.frame)
            })
        #expect(hosted == wanted)
        #expect(try hosted != builtIn(plugin, values).render(input))
    }
}
