import CRealtime
import Effects
import Pipelines
import Processing
import Proof
import SessionCore
import Synchronization
import Testing

@Suite("A night on several cores", .serialized)
struct CoreTests {
    private static let catalogue = Catalogue(
        effects: EffectCatalogue.effects
            + [
                Effect(description: NodeDescription(name: "meet", label: "Meet", summary: "")) {
                    request throws(PluginError) in
                    Processor(
                        MeetingKernel(waits: request.format.coreCount > 1),
                        inputCount: request.inputChannels, outputCount: request.outputChannels)
                }
            ], plugins: NoPlugins(), memory: .unlimited)

    private static let text = """
        { "version": 1, "inputs": { "in": {} }, "outputs": { "out": { "channels": 1 } },
          "nodes": [
            { "id": "a", "type": "meet", "from": "in" }, { "id": "b", "type": "meet", "from": "in" },
            { "id": "sum", "type": "mixer", "from": ["a", "b"], "settings": { "channels": 1 } }] }
        """

    private func play(cores: Int) throws -> PlayedNight {
        let pipeline = try Pipeline(
            decoding: Array(Self.text.utf8), file: "song.json", catalogue: Self.catalogue)
        let songs = SongCollection(
            name: "night", songs: [Song(name: "song", pipeline: pipeline, path: "")],
            isSetlist: false)
        var request = ProofRequest()
        (request.seconds, request.passes, request.coreCount) = (0.1, 1, cores)
        return try NightPlayer(songs, catalogue: Self.catalogue, request).play()
    }

    @Test("two nodes run at the same time on two cores, and never on one")
    func parallel() throws {
        for cores in [1, 2] {
            MeetingKernel.meetings.store(0, ordering: .relaxed)
            let night = try play(cores: cores)
            #expect(night.findings(of: "steps").map(\.state) == [.good])
            #expect((MeetingKernel.meetings.load(ordering: .relaxed) > 0) == (cores == 2))
        }
    }
}

/// Passes its input, and waits for another node that runs at the same time, until two have met.
private struct MeetingKernel: Kernel {
    static let meetings = Atomic(0)
    private static let present = Atomic(0)
    /// The longest wait in a run, in ns.
    private static let patience: UInt64 = 500_000_000

    let waits: Bool

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func set(_ parameter: Int32, to value: Float) {}

    mutating func reset() {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        Self.present.add(1, ordering: .relaxed)
        let end = rt_nanoseconds() + Self.patience
        repeat {
            if Self.present.load(ordering: .relaxed) > 1 {
                Self.meetings.add(1, ordering: .relaxed)
            }
        } while waits && Self.meetings.load(ordering: .relaxed) == 0 && rt_nanoseconds() < end
        Self.present.subtract(1, ordering: .relaxed)
        for frame in 0..<Int(block.pointee.frameCount) {
            block.pointee.outputs[0][frame] = block.pointee.inputs[0][frame]
        }
    }
}
