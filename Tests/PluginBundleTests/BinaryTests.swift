import Effects
import Glibc
import Processing
import TestSignals
import Testing

private let binary = "\(bundleFolder)/stompline.so"
private let isBuilt = access(binary, R_OK) == 0

/// What a plugin is run with, and the setting that its URI stands for.
private struct PluginRun: Sendable, CustomTestStringConvertible {
    let uri: String
    let band: String
    let shift: Float
    let feedback: Float
    let sampleRate: Int32

    var testDescription: String { "\(uri) \(shift) Hz, feedback \(feedback), at \(sampleRate)" }

    static let all = [
        PluginRun(
            uri: "urn:stompline:frequency-shift", band: "suppress", shift: 123.25, feedback: 0,
            sampleRate: 48_000),
        PluginRun(
            uri: "urn:stompline:frequency-shift", band: "suppress", shift: -437, feedback: 0.9,
            sampleRate: 44_100),
        PluginRun(
            uri: "urn:stompline:frequency-shift-fold", band: "fold", shift: -700, feedback: 0.5,
            sampleRate: 96_000),
    ]
}

@Suite(
    "The plugin bundle's binary",
    .enabled(if: isBuilt, "scripts/build-plugins.sh builds plugins/stompline.lv2/stompline.so"))
struct BinaryTests {
    @Test("gives in a host the same bits as the built-in effect", arguments: PluginRun.all)
    private func sameBits(_ example: PluginRun) throws {
        let noise = whiteNoise(frames: 30_000)
        let builtIn = effect.processor(
            sampleRate: Double(example.sampleRate),
            parameters: ["shift": example.shift, "feedback": example.feedback],
            settings: ["band": .text(example.band)])
        let hosted = try applied(example, to: noise)
        #expect(hosted.map(\.bitPattern) == builtIn.render([noise])[0].map(\.bitPattern))
    }

    @Test("passes the dry signal on, late by its latency, while the host switches it off")
    func switchedOff() throws {
        let example = PluginRun.all[0]
        let noise = whiteNoise(frames: 3000)
        let latency = effect.processor().latencyFrames
        let hosted = try applied(example, to: noise, switchedOff: true)
        #expect(hosted == Array(repeating: 0, count: latency) + noise.dropLast(latency))
    }

    @Test("exports the list of plugins and nothing else")
    func symbols() throws {
        let names = try output(of: ["nm", "-D", "--defined-only", "-P", binary])
            .split(separator: "\n").compactMap { $0.split(separator: " ").first }
        #expect(names == ["lv2_descriptor"])
    }

    @Test("needs the C library and its mathematics only")
    func libraries() throws {
        let needed = try output(of: ["readelf", "-d", binary]).split(separator: "\n")
            .filter { $0.contains("(NEEDED)") }
        #expect(needed.allSatisfy { $0.contains("[libc.so") || $0.contains("[libm.so") })
        #expect(!needed.isEmpty)
    }

    private var effect: Effect {
        guard
            let found = EffectCatalogue.effects.first(where: {
                $0.description.name == "frequency-shift"
            })
        else { fatalError("There is no frequency shifter.") }
        return found
    }

    /// What lv2apply makes of a signal, which it hands to the plugin frame by frame.
    private func applied(_ example: PluginRun, to signal: [Float], switchedOff: Bool = false) throws
        -> [Float]
    {
        let folder = try scratchFolder()
        let (input, result) = ("\(folder)/input.wav", "\(folder)/output.wav")
        try writeFile(input, waveFile(signal, sampleRate: example.sampleRate))
        _ = try output(of: [
            "lv2apply", "-i", input, "-o", result, "-c", "shift", "\(example.shift)",
            "-c", "feedback", "\(example.feedback)", "-c", "enabled", switchedOff ? "0" : "1",
            example.uri,
        ])
        return try waveSamples(readFile(result))
    }
}
