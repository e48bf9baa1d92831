import BlackBox
import CRealtime
import Processing
import Synchronization
import TestNights
import TestSignals
import Testing

@Suite("Replays of plugins")
struct PluginReplayTests {
    private let folder = ScratchFolder()

    /// Replays a box that was kept for a reason, with a plugin that fails in its first run.
    private func replay(
        keptFor kind: BoxReason.Kind
    ) throws -> (plugins: FailingPlugins, facts: BoxFacts, result: Replay.Result) {
        let night = try RandomNight(
            seed: 36, memoryFolder: folder.file("memory-\(kind)"), fault: RandomNight.Fault.none)
        night.play(seconds: 1)
        let path = folder.file("\(kind).stompbox")
        try night.keep(in: path)
        night.end()
        var box = try BoxReader(of: path).read()
        box.facts.reason = BoxReason(kind)
        box.schedules = box.schedules.mapValues { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let part = #""type":{"effect":{"_0":"fault"}}"#
            #expect(text.contains(part))
            let other = text.replacing(
                part, with: #""type":{"plugin":{"_0":"\#(FailingPlugins.uri)"}}"#)
            return Array(other.utf8)
        }
        let plugins = FailingPlugins()
        var catalogue = RandomNight.catalogue
        catalogue.plugins = plugins
        let result = try Replay(box, folder: path, catalogue: catalogue).run()
        return (plugins, box.facts, result)
    }

    @Test("a plugin that fails is found with its node and its time, and the box is not confirmed")
    func failure() throws {
        let (_, facts, result) = try replay(keptFor: .crash)
        #expect(
            result.failures.first
                == Replay.PluginFailure(
                    node: "fault", plugin: FailingPlugins.uri, frame: 0,
                    reason: FailingPlugins.reason))
        var other = result
        (other.differentCalls, other.equalFromFrame, other.firstDifference) = (0, 0, nil)
        #expect(!other.confirms(facts))
        other.failures = []
        #expect(other.confirms(facts))
    }

    @Test("only in the box of a program that died, plugins play in processes of their own")
    func processes() throws {
        let crash = try replay(keptFor: .crash).plugins.isolations
        #expect(!crash.isEmpty && crash.allSatisfy { $0 == .sameCycle })
        let late = try replay(keptFor: .late).plugins.isolations
        #expect(!late.isEmpty && late.allSatisfy { $0 == .none })
    }
}

/// A source of one plugin, which passes its input and reports that it has failed.
private final class FailingPlugins: PluginSource {
    static let uri = "urn:failing"
    static let reason = "its process was terminated"

    private let requested = Mutex<[Isolation]>([])

    /// The isolation of each processor that was made.
    var isolations: [Isolation] { requested.withLock(\.self) }

    func description(ofPlugin uri: String) throws(PluginError) -> NodeDescription {
        guard uri == Self.uri, let fault = RandomNight.catalogue.effect("fault") else {
            throw PluginError("the plugin \(uri) is not installed", isMissing: true)
        }
        return fault.description
    }

    func installedPlugins() -> [String] { [Self.uri] }

    func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginError) -> [String: Float] { [:] }

    func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginError) -> Processor {
        requested.withLock { $0.append(request.isolation) }
        let incidents = IncidentLog()
        incidents.add(.abandoned(reason: Self.reason))
        return Processor(
            PassingKernel(), inputCount: request.inputChannels,
            outputCount: request.outputChannels, isSplittable: false, incidents: incidents)
    }
}

private struct PassingKernel: Kernel {
    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        for channel in 0..<Int(block.pointee.outputCount) {
            rt_copy(
                block.pointee.outputs[channel], block.pointee.inputs[channel],
                Int64(block.pointee.frameCount))
        }
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {}

    mutating func reset() {}
}
