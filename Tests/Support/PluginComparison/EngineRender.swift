internal import CRealtime
internal import Engine
internal import LV2
internal import Pipelines
internal import Processing

/// A pipeline with a plugin as its only node, rendered by the engine at 48 kHz in blocks of 64
/// frames.
///
/// The plugin has its default controls.
final class EngineRender {
    /// The error for a plugin that cannot play.
    struct Refusal: Error {
        let reason: String
    }

    static let blockFrames = 64

    let inputCount: Int
    /// Whether the engine silenced a NaN or an infinity.
    private(set) var isSilenced = false
    private let engine: Engine
    private let isIsolated: Bool
    private let outputCount: Int

    /// Prepares a plugin.
    ///
    /// - Parameters:
    ///   - uri: The plugin.
    ///   - world: The world that contains the plugin.
    ///   - isLive: Whether the plugin's worker has its own thread, as in a session; two runs may
    ///     then differ.
    ///   - isolation: The isolation of the plugin.
    /// - Throws: `Refusal` if the plugin cannot play.
    init(
        of uri: String, in world: PluginWorld, isLive: Bool = false, isolation: Isolation = .none
    ) throws(Refusal) {
        isIsolated = isolation != .none
        let schedule: Schedule
        do throws(PluginError) {
            let description = try world.description(ofPlugin: uri)
            guard case .ports(let allInputs, let allOutputs) = description.channels else {
                throw PluginError("no ports")
            }
            // Control voltages have their defaults in both hosts.
            let inputs = allInputs.filter { !$0.isControlVoltage }
            let outputs = allOutputs.filter { !$0.isControlVoltage }
            (inputCount, outputCount) = (inputs.count, outputs.count)
            schedule = try Self.schedule(
                uri, inputs.map(\.symbol), outputs.map(\.symbol), isolation, world,
                AudioFormat(
                    sampleRate: 48000, maximumBlockFrames: Self.blockFrames, isLive: isLive))
        } catch { throw Refusal(reason: error.message) }
        engine = Engine(playing: schedule)
    }

    private static func schedule(
        _ uri: String, _ inputs: [String], _ outputs: [String], _ isolation: Isolation,
        _ world: PluginWorld, _ format: AudioFormat
    ) throws(PluginError) -> Schedule {
        let catalogue = Catalogue(effects: [], plugins: world)
        let text = Self.text(uri, inputs, outputs, isolation)
        do {
            let pipeline = try Pipeline(
                decoding: Array(text.utf8), file: "plugin.json", catalogue: catalogue)
            return try Schedule(preparing: pipeline, catalogue: catalogue, format: format)
        } catch let invalid as InvalidPipeline {
            throw PluginError(invalid.diagnostics.map(\.message).joined(separator: "; "))
        } catch let error as PreparationError {
            throw error.cause
        } catch {
            throw PluginError("\(error)")
        }
    }

    /// Returns a pipeline with a mono input for each audio input, including side chains, and a mono
    /// output without a limiter for each output.
    private static func text(
        _ uri: String, _ inputs: [String], _ outputs: [String], _ isolation: Isolation
    ) -> String {
        let isolate =
            switch isolation {
            case .none: "false"
            case .process: "true"
            case .sameCycle: "\"same-cycle\""
            }
        let sources = inputs.indices.map { "\"i\($0)\": { \"channels\": 1 }" }
        let sinks = outputs.indices.map {
            "\"o\($0)\": { \"channels\": 1, \"limiter\": false, \"from\": \"plugin:\($0 + 1)\" }"
        }
        let feeds = inputs.enumerated().map { "\"\($0.element)\": \"i\($0.offset)\"" }
        let feed = inputs.isEmpty ? "" : ", \"ports\": { \(feeds.joined(separator: ", ")) }"
        return """
            { "version": 1, "inputs": { \(sources.joined(separator: ", ")) },
              "outputs": { \(sinks.joined(separator: ", ")) },
              "nodes": [ { "id": "plugin", "type": "lv2", "uri": "\(uri)"\(feed),
                           "isolate": \(isolate) } ] }
            """
    }

    /// Returns the engine's output for interleaved samples.
    func samples(of input: [Float], blocks: Int) -> [Float] {
        withSilentChannels(
            inputs: inputCount, outputs: outputCount, frames: Self.blockFrames
        ) { inputs, outputs in
            samples(of: input, blocks: blocks, inputs, outputs)
        }
    }

    private func samples(
        of input: [Float], blocks: Int, _ inputs: [UnsafeMutablePointer<Float>],
        _ outputs: [UnsafeMutablePointer<Float>]
    ) -> [Float] {
        let readable = inputs.map { UnsafePointer($0) }
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        var output: [Float] = []
        output.reserveCapacity(blocks * Self.blockFrames * outputCount)
        for start in stride(from: 0, to: blocks * Self.blockFrames, by: Self.blockFrames) {
            for frame in 0..<Self.blockFrames {
                for channel in 0..<inputCount {
                    inputs[channel][frame] = input[(start + frame) * inputCount + channel]
                }
            }
            rt_enter_realtime()
            engine.audio.render(
                frameCount: Self.blockFrames, inputs: readable, outputs: outputs)
            rt_leave_realtime()
            for frame in 0..<Self.blockFrames {
                for channel in 0..<outputCount { output.append(outputs[channel][frame]) }
            }
            readReports()
        }
        readReports()
        return output
    }

    /// Returns the calls and file accesses that the plugin's sandbox has refused.
    func refusedCalls() -> [String] {
        guard isIsolated else { return [] }
        waitForIncidents()
        var calls: [String] = []
        while let found = engine.nextIncident() {
            found.incident.refusal.map { calls.append($0) }
        }
        return calls
    }

    private func readReports() {
        while let report = engine.nextReport() {
            if case .nonFinite = report { isSilenced = true }
        }
    }
}
