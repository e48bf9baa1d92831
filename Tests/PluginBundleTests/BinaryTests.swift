import Effects
import Glibc
import PluginBundle
import Processing
import Testing
import TestSignals

private let binary = "\(bundleFolder)/stompline.so"

/// A plugin with parameters and a sample rate.
private struct PluginRun: Sendable, CustomTestStringConvertible {
    let plugin: BundledPlugin
    let parameters: [String: Float]
    let sampleRate: Int32

    var testDescription: String { "\(plugin.uri) \(parameters) at \(sampleRate)" }

    /// The built-in effect with the same settings and values.
    var builtIn: Processor {
        guard
            let effect = EffectCatalogue.effects.first(where: {
                $0.description.name == plugin.description.name
            })
        else { fatalError("There is no effect named \(plugin.description.name).") }
        // A channel strip is a mixer with one strip.
        let isStrip = plugin.description.name == "mixer"
        return effect.processor(
            channels: plugin.channelCount, stripChannels: isStrip ? [plugin.channelCount] : [],
            outputChannels: plugin.outputCount, sampleRate: Double(sampleRate),
            parameters: isStrip
                ? Dictionary(uniqueKeysWithValues: parameters.map { ("0.\($0.key)", $0.value) })
                : parameters,
            settings: plugin.settings)
    }

    /// Values that make each effect process its input, with sample rates.
    private static let examples: [String: [(parameters: [String: Float], sampleRate: Int32)]] = [
        "frequency-shift": [
            (["shift": 123.25, "feedback": 0], 48_000), (["shift": -437, "feedback": 0.9], 44_100),
            (["shift": -700, "feedback": 0.5], 96_000),
        ],
        "pitch-shift": [
            (["semitones": 5, "cents": -20], 48_000),
            (["semitones": -12, "formant-semitones": 3], 44_100),
        ],
        "tune": [(["scale": 1, "key": 7, "speed": 0], 48_000), (["amount": 0.5], 44_100)],
        "harmony": [
            (["interval-1": 4, "key": 2, "pan-3": 0], 48_000),
            (["lead": -6, "delay-2": 30], 44_100),
        ],
        "filter": [
            (["shape": 4, "frequency": 700, "gain": 9], 48_000),
            (["frequency": 9000, "order": 7, "shape": 1], 44_100),
        ],
        "delay": [
            (["time": 0.0321, "feedback": 0.8, "mix": 1], 48_000),
            (["beats": 0.25, "mix": 1], 44_100),
        ],
        "mixer": [
            (["gain": -4.5, "pan": -0.3], 48_000),
            (["gain": 6, "pan": 0.8, "invert": 1], 96_000), (["mute": 1], 44_100),
        ],
        "tuner": [(["reference": 432], 48_000)],
        "freeze": [(["hold": 1, "level": -3], 48_000), (["dry": -6, "hold": 1], 96_000)],
        "feedback-guard": [
            (["sensitivity": 1, "width": 0.3], 48_000), (["depth": 40, "hold": 1], 44_100),
        ],
        "time-stretch": [
            (["rate": 0.7, "semitones": 0], 48_000), (["rate": 0.4, "semitones": -3], 44_100),
        ],
    ]

    static let all = BundledPlugin.all(of: EffectCatalogue.effects).flatMap { plugin in
        (examples[plugin.description.name] ?? []).map {
            PluginRun(plugin: plugin, parameters: $0.parameters, sampleRate: $0.sampleRate)
        }
    }
}

@Suite("The plugin bundle's binary")
struct BinaryTests {
    init() throws {
        try #require(access(binary, R_OK) == 0, "scripts/build/plugins.sh builds \(binary)")
    }

    @Test("includes every plugin in the tests")
    func everyPlugin() {
        let tried = Set(PluginRun.all.map(\.plugin.uri))
        #expect(tried == Set(BundledPlugin.all(of: EffectCatalogue.effects).map(\.uri)))
    }

    @Test("gives the same bits in a host as the built-in effect", arguments: PluginRun.all)
    private func sameBits(_ example: PluginRun) throws {
        let noise = noise(for: example, frames: 30_000)
        let hosted = try applied(example, to: noise)
        let wanted = example.builtIn.render(noise)
        #expect(hosted.map { $0.map(\.bitPattern) } == wanted.map { $0.map(\.bitPattern) })
    }

    @Test(
        "passes the dry signal, delayed by its latency, while the host has it switched off",
        arguments: PluginRun.all)
    private func switchedOff(_ example: PluginRun) throws {
        let noise = noise(for: example, frames: 9000)
        let latency = example.builtIn.latencyFrames
        let hosted = try applied(example, to: noise, switchedOff: true)
        let dry = noise.map { Array((Array(repeating: 0, count: latency) + $0).prefix(9000)) }
        // One input belongs to all outputs.
        #expect(
            hosted
                == (0..<example.plugin.outputCount).map { dry[min($0, dry.count - 1)] })
    }

    @Test("exports only the list of plugins")
    func symbols() throws {
        let names = try output(of: ["nm", "-D", "--defined-only", "-P", binary])
            .split(separator: "\n").compactMap { $0.split(separator: " ").first }
        #expect(names == ["lv2_descriptor"])
    }

    @Test("needs only the C library and its mathematics")
    func libraries() throws {
        let needed = try output(of: ["readelf", "-d", binary]).split(separator: "\n")
            .filter { $0.contains("(NEEDED)") }
        #expect(needed.allSatisfy { $0.contains("[libc.so") || $0.contains("[libm.so") })
        #expect(!needed.isEmpty)
    }

    private func noise(for example: PluginRun, frames: Int) -> [[Float]] {
        (0..<example.plugin.channelCount).map {
            whiteNoise(frames: frames, seed: UInt64($0 + 1)).map { $0 / 4 }
        }
    }

    /// Returns the output of lv2apply, which passes a signal to the plugin frame by frame.
    private func applied(
        _ example: PluginRun, to signal: [[Float]], switchedOff: Bool = false
    ) throws -> [[Float]] {
        let folder = try scratchFolder()
        let (input, result) = ("\(folder)/input.wav", "\(folder)/output.wav")
        try writeFile(input, waveFile(signal, sampleRate: example.sampleRate))
        let controls = example.parameters.flatMap { name, value in
            ["-c", String(name.map { $0 == "-" ? "_" : $0 }), "\(value)"]
        }
        _ = try output(
            of: ["lv2apply", "-i", input, "-o", result] + controls
                + ["-c", "enabled", switchedOff ? "0" : "1", example.plugin.uri])
        return try waveSamples(readFile(result), channelCount: example.plugin.outputCount)
    }
}
