import LV2
import PluginComparison
import Processing
import Testing
import TestSignals

@Suite("Trials with denormals")
struct DenormalTests {
    private static let program = ChildProgram(product: "stompline").path
    // The probing process finds the test plugins through the environment.
    private static let prober = [
        "/usr/bin/env", "LV2_PATH=\(HostileBundle.folder):/usr/lib/lv2", program, "plugin-probe",
    ]

    /// Tries a plugin; without values, parameters have their default values.
    private func outcome(
        _ uri: String, _ settings: [String: SettingValue] = [:], values: [Float] = []
    ) -> DenormalOutcome {
        let request = ProcessorRequest(
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64), inputChannels: 0,
            outputChannels: 0, parameters: values, settings: settings)
        return ProbeProcess.denormals(of: uri, request, by: Self.prober)
    }

    /// Tries a plugin; `nil` if that is not possible.
    private func trial(
        _ uri: String, _ settings: [String: SettingValue] = [:]
    ) -> DenormalVerdict? {
        if case .verdict(let verdict) = outcome(uri, settings) { verdict } else { nil }
    }

    private func verdict(_ uri: String) throws -> DenormalVerdict { try #require(trial(uri)) }

    private func verdict(onTest name: String) throws -> DenormalVerdict {
        try verdict("urn:stompline-test:" + name)
    }

    @Test("a filter that decays to denormals is found, with the time of the decay")
    func decaying() throws {
        let verdict = try verdict(onTest: "decaying")
        let arising = try #require(verdict.arising)
        // 0.9^n reaches 2^-126 from at most 1 after 829 frames, and lower levels earlier.
        #expect(arising.seconds > 0 && arising.seconds < 830.0 / 48_000)
        #expect(arising.slowdown > 0)
        #expect(verdict.protection == .kept)
    }

    @Test(
        "a filter that ends its decay or protects itself has none",
        arguments: ["decaying-to-zero", "decaying-protected", "talker"])
    func tidy(_ name: String) throws {
        #expect(try verdict(onTest: name) == DenormalVerdict())
    }

    @Test("a plugin that switches the protection off is found, also if it hides that")
    func disabled() throws {
        #expect(try verdict(onTest: "flags").protection == .disabled)
        let hidden = try verdict(onTest: "decaying-unprotected")
        #expect(hidden.protection == .disabled)
        #expect(hidden.arising != nil)
    }

    @Test("a plugin that changes only the rounding is found")
    func rounding() throws {
        #expect(try verdict(onTest: "rounding") == DenormalVerdict(protection: .changed))
    }

    @Test("a plugin that is not installed cannot be tried")
    func missing() {
        #expect(outcome("urn:stompline-test:no-such-plugin") == .untried)
    }

    @Test("a plugin that hangs with the values of its node differs from one that cannot be tried")
    func hanging() {
        #expect(outcome("urn:stompline-test:endless", values: [1]) == .hangs(.run))
        #expect(outcome("urn:stompline-test:crash-run", values: [1]) == .untried)
    }

    @Test("a plugin is tried with its preset, and not without it")
    func presets() {
        let uri = "urn:stompline-test:stateful"
        #expect(trial(uri) != nil)
        #expect(trial(uri, ["preset": .text("Loud")]) != nil)
        #expect(trial(uri, ["preset": .text("no such preset")]) == nil)
    }

    @Test("a convolver is tried with the response in its file")
    func file() throws {
        let convolver = "http://gareus.org/oss/lv2/convoLV2#Mono"
        let folder = ScratchFolder()
        var response = [Float](repeating: 0, count: 64)
        response[0] = 1
        let path = try folder.write([response], to: "response.wav")
        let verdict = try #require(trial(convolver, ["impulse": .text(path)]))
        #expect(verdict.protection == .kept)
        let absent = SettingValue.text(folder.file("absent.wav"))
        #expect(trial(convolver, ["impulse": absent]) == nil)
    }

    @Test("an amplifier has no denormals")
    func amplifier() throws {
        #expect(try verdict("http://lv2plug.in/plugins/eg-amp") == DenormalVerdict())
    }
}
