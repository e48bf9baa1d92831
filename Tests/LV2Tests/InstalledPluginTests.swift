import CRealtime
import LV2
import PluginComparison
import Processing
import Realtime
import Testing

@Suite("Plugins from Debian packages")
struct InstalledPluginTests {
    static let world = PluginWorld()
    private var world: PluginWorld { Self.world }

    @Test("a plugin that is not installed is missing")
    func missing() {
        let error = #expect(throws: PluginError.self) {
            try world.description(ofPlugin: "urn:stompline-test:nowhere")
        }
        #expect(
            error
                == PluginError(
                    "the plugin urn:stompline-test:nowhere is not installed", isMissing: true))
    }

    @Test("a text that is not a URI is a missing plugin", arguments: ["", "amp", "a b", "http://"])
    func noURI(_ text: String) {
        let error = #expect(throws: PluginError.self) { try world.description(ofPlugin: text) }
        #expect(error?.isMissing == true)
    }

    @Test("a simple amplifier is described")
    func amplifier() throws {
        let description = try world.description(ofPlugin: "http://lv2plug.in/plugins/eg-amp")
        #expect(description.label == "Simple Amplifier")
        #expect(description.category == "Amplifier")
        #expect(
            description.channels
                == .ports(
                    inputs: [.init(symbol: "in", label: "In")],
                    outputs: [.init(symbol: "out", label: "Out")]))
        #expect(description.parameters.map(\.name) == ["gain"])
        #expect(description.parameters.map(\.unit) == [.decibels])
        #expect(description.parameters.map(\.range) == [-90...24])
    }

    @Test(
        "a side chain may stay unconnected, the main inputs may not",
        arguments: [
            ("http://lsp-plug.in/plugins/lv2/sc_compressor_stereo", [false, false, true, true]),
            (
                "http://calf.sourceforge.net/plugins/SidechainCompressor",
                [false, false, true, true]
            ),
            ("http://calf.sourceforge.net/plugins/Reverb", [false, false]),
            ("urn:zamaudio:ZamComp", [false, true]),
        ])
    func sideChain(_ uri: String, _ optional: [Bool]) throws {
        let description = try world.description(ofPlugin: uri)
        guard case .ports(let inputs, _) = description.channels else {
            Issue.record("no ports")
            return
        }
        #expect(inputs.map(\.isOptional) == optional)
    }

    @Test(
        "a range in multiples of the sample rate includes the default at every rate",
        arguments: [8000, 48000, 384_000] as [Float])
    func scaledRange(rate: Float) throws {
        let description = try world.description(
            ofPlugin: "http://plugin.org.uk/swh-plugins/bandpass_iir")
        let parameter = try #require(description.parameters.first { $0.name == "center" })
        #expect(parameter.rangeScalesWithRate)
        #expect(parameter.range.lowerBound * rate <= parameter.defaultValue)
        #expect(parameter.range.upperBound * rate >= parameter.defaultValue)
    }

    @Test("the parameters of a plugin have the names of their groups")
    func groups() throws {
        let piano = try world.description(ofPlugin: "http://drobilla.net/plugins/mda/Piano")
        let envelope = piano.parameters.filter { $0.group == "Envelope" }
        #expect(envelope.map(\.name).contains("env_decay"))
        #expect(piano.parameters.contains { $0.group.isEmpty })
    }

    @Test("a library that lacks a symbol is refused with the loader's reason")
    func mislinked() {
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor("http://plugin.org.uk/swh-plugins/mbeq")
        }
        #expect(error?.message.contains("undefined symbol: fftwf_execute") == true)
    }

    @Test("no installed plugin is refused for a feature that it needs")
    func features() throws {
        let refused = try world.summaries().filter { !$0.missingFeatures.isEmpty }
        #expect(refused.map(\.uri) == [])
    }

    @Test("channels that do not fit are refused with both counts")
    func channels() {
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor(
                forPlugin: "http://lv2plug.in/plugins/eg-amp",
                ProcessorRequest(
                    format: AudioFormat(sampleRate: 48000, maximumBlockFrames: 64),
                    inputChannels: 2, outputChannels: 2, parameters: [0]))
        }
        #expect(error?.message.contains("1 audio inputs and 1 outputs, not 2 and 2") == true)
    }

    @Test(
        "an impulse is delayed by exactly the reported latency", arguments: [0, 1, 100, 1000])
    func latency(delayFrames: Int) throws {
        let uri = "http://gareus.org/oss/lv2/nodelay"
        let description = try world.description(ofPlugin: uri)
        let values = description.parameters.map {
            $0.name == "delay" ? Float(delayFrames) : $0.defaultValue
        }
        let processor = try world.makeProcessor(
            forPlugin: uri,
            ProcessorRequest(
                format: AudioFormat(sampleRate: 48000, maximumBlockFrames: 64), inputChannels: 1,
                outputChannels: 1, parameters: values))
        #expect(processor.latencyFrames == delayFrames)
        var impulse = [Float](repeating: 0, count: 1280)
        // It fades to its delay over the first block.
        impulse[128] = 1
        let output = processor.render(impulse, frames: 1280)
        #expect(output.firstIndex(of: 1) == 128 + delayFrames)
    }

    @Test("presets are listed and set parameters by name")
    func presets() throws {
        let uri = "http://calf.sourceforge.net/plugins/Filter"
        #expect(
            try world.presets(ofPlugin: uri).map(\.label) == [
                "Disco", "Distant Headphones", "Totally muted",
            ])
        let values = try world.parameters(ofPreset: "Disco", ofPlugin: uri)
        let names = Set(try world.description(ofPlugin: uri).parameters.map(\.name))
        #expect(!values.isEmpty)
        #expect(names.isSuperset(of: values.keys))
    }

    @Test("the error for an unknown preset lists the existing presets")
    func noSuchPreset() {
        let error = #expect(throws: PluginError.self) {
            try world.parameters(
                ofPreset: "Disc", ofPlugin: "http://calf.sourceforge.net/plugins/Filter")
        }
        #expect(error?.message.contains("it has 'Disco', 'Distant Headphones'") == true)
    }

    @Test("many threads may use the world at once")
    func threads() async {
        let uri = "http://lv2plug.in/plugins/eg-amp"
        let world = PluginWorld()
        let labels = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    _ = try? world.makeProcessor(uri)
                    return try? world.description(ofPlugin: uri).label
                }
            }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(labels == ["Simple Amplifier"])
    }
}
