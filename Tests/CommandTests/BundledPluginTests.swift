import Glibc
import Testing
import TestSignals

private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
private let binary = "\(root)/plugins/stompline.lv2/stompline.so"

@Suite("Plugins bundled with the program, and presets, in pipelines")
struct BundledPluginTests {
    private let program = Program()
    private let noise = whiteNoise(amplitude: 0.4, frames: 20_000)

    init() throws {
        try #require(access(binary, R_OK) == 0, "scripts/build/plugins.sh builds \(binary)")
    }

    /// Renders a sound through a pipeline of one node.
    private func rendered(_ node: String, of sound: [Float], options: [String] = []) throws
        -> [Float]
    {
        program.write(
            "\"inputs\": { \"in\": { \"channels\": 1 } }, \"outputs\": { \"out\": { \"channels\": 1, \"limiter\": false } }, \"nodes\": [{ \"id\": \"n\", \(node) }]"
        )
        try program.write([sound], to: "in.wav")
        let outcome = program(
            ["render", "p.json", "--input", "in.wav", "--output", "out.wav"] + options)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try program.sound("out.wav")[0]
    }

    @Test("a checkout's own plugins are found")
    func list() {
        let output = program("plugins", "urn:stompline").output
        #expect(output.contains("urn:stompline:frequency-shift "))
        #expect(output.contains("urn:stompline:frequency-shift-fold "))
    }

    @Test(
        "the bundled plugin is bit-identical to the built-in effect",
        arguments: [("frequency-shift", "suppress"), ("frequency-shift-fold", "fold")])
    func sameBits(name: String, band: String) throws {
        let values = "\"parameters\": { \"shift\": -123.25, \"feedback\": 0.5 }"
        let builtIn = try rendered(
            "\"type\": \"frequency-shift\", \"settings\": { \"band\": \"\(band)\" }, \(values)",
            of: noise)
        let plugin = try rendered(
            "\"type\": \"lv2\", \"uri\": \"urn:stompline:\(name)\", \(values)", of: noise)
        #expect(plugin.map(\.bitPattern) == builtIn.map(\.bitPattern))
        #expect(plugin != noise)
    }

    @Test("switching the plugin off and on during playback does not click")
    func switching() throws {
        let sine = sineWave(440, amplitude: 0.5, frames: 24_000, sampleRate: 48_000)
        let output = try rendered(
            "\"type\": \"lv2\", \"uri\": \"urn:stompline:frequency-shift\", \"parameters\": { \"shift\": 100 }",
            of: sine, options: ["--set", "n.bypass=true@0.2", "--set", "n.bypass=false@0.35"])
        let steps = zip(output, output.dropFirst()).map { abs($0 - $1) }
        // The steepest slope of the 540 Hz sine plus that of a crossfade over 20 ms; the start and
        // end of the sound are excluded.
        let allowed = 0.5 * 2 * Float.pi * 540 / 48_000 + 1.0 / 960
        #expect((steps[2400..<23_000].max() ?? 1) < allowed)
        #expect(Array(output[14_000..<16_000]) == Array(sine[14_000..<16_000]))
        #expect(output[6000..<9000] != sine[6000..<9000])
    }

    @Test(
        "a preset of an installed plugin sounds like its values",
        arguments: ["Disco", "http://calf.sourceforge.net/factory_presets#filter_Disco"])
    func preset(name: String) throws {
        let uri = "\"type\": \"lv2\", \"uri\": \"http://calf.sourceforge.net/plugins/Filter\""
        let values = "\"freq\": 193.821, \"res\": 1.37956, \"mode\": 0, \"inertia\": 74"
        let preset = "\(uri), \"settings\": { \"preset\": \"\(name)\" }"
        let byName = try renderedStereo(preset)
        #expect(try byName == renderedStereo("\(uri), \"parameters\": { \(values) }"))
        #expect(try byName != renderedStereo(uri))
        #expect(program("check", "p.json").status == 0)
        #expect(
            try renderedStereo("\(preset), \"parameters\": { \"freq\": 800 }")
                == renderedStereo(
                    "\(uri), \"parameters\": { \(values.replacing("193.821", with: "800")) }"))
    }

    private func renderedStereo(_ node: String) throws -> [[Float]] {
        program.write(
            "\"outputs\": { \"out\": { \"channels\": 2, \"limiter\": false } }, \"nodes\": [{ \"id\": \"n\", \(node) }]"
        )
        try program.write([noise], to: "in.wav")
        let outcome = program("render", "p.json", "--input", "in.wav", "--output", "out.wav")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try program.sound("out.wav")
    }
}
