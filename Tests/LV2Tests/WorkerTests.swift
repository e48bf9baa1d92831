import CRealtime
import Glibc
import LV2
import PluginComparison
import Processing
import Testing

@Suite("Workers")
struct WorkerTests {
    private let world = HostileBundle.world

    /// The counters of a test plugin up to the start of its last run.
    private struct Counts {
        let responses, runsEnded, errors, worksOnRunner, worksElsewhere, refused, accepted: Float

        init(_ output: [Float]) {
            let counts = output.suffix(64).prefix(7).map(\.self)
            responses = counts[0]
            runsEnded = counts[1]
            errors = counts[2]
            worksOnRunner = counts[3]
            worksElsewhere = counts[4]
            refused = counts[5]
            accepted = counts[6]
        }
    }

    private func run(_ processor: Processor, times: Int = 1) -> Counts {
        Counts(processor.render([], frames: 64 * times))
    }

    private func processor(_ name: String, isLive: Bool) throws -> Processor {
        try world.makeProcessor("urn:stompline-test:worker-" + name, isLive: isLive)
    }

    /// Runs until a condition holds, at most ten thousand runs of a millisecond each.
    private func run(_ processor: Processor, until holds: (Counts) -> Bool) -> Counts {
        var counts = run(processor)
        for _ in 0..<10_000 where !holds(counts) {
            usleep(1000)
            counts = run(processor)
        }
        return counts
    }

    @Test(
        "offline, the work of a run is done and answered in order before the next run"
    )
    func offline() throws {
        let counts = run(try processor("echo", isLive: false), times: 11)
        #expect(counts.responses == 20)
        #expect(counts.runsEnded == 10)
        #expect(counts.errors == 0)
        #expect(counts.worksOnRunner == 10)
        #expect(counts.worksElsewhere == 0)
    }

    @Test("live, the work is done on another thread and answered in order")
    func live() throws {
        let processor = try processor("echo", isLive: true)
        let counts = run(processor) { $0.responses >= 40 }
        #expect(counts.responses >= 40)
        #expect(counts.errors == 0)
        #expect(counts.worksOnRunner == 0)
        #expect(counts.worksElsewhere >= 20)
    }

    @Test(
        "a flood of work is refused for lack of space, live and offline", arguments: [false, true])
    func flood(isLive: Bool) throws {
        let counts = run(try processor("flood", isLive: isLive), times: 5)
        #expect(counts.accepted > 0)
        // Live, the thread may remove some messages meanwhile.
        #expect(counts.refused > (isLive ? 0 : 30_000))
        #expect(counts.accepted + counts.refused == 40_000)
        #expect(counts.runsEnded == 4)
    }

    @Test("a slow worker blocks neither its own plugin's runs nor another's work")
    func slow() throws {
        let held = try processor("held", isLive: true)
        _ = run(held)
        let echo = try processor("echo", isLive: true)
        #expect(run(echo) { $0.responses >= 10 }.responses >= 10)
        let before = run(held, times: 3)
        #expect(before.runsEnded == 3)
        #expect(before.responses == 0)
        held.kernel.set(0, to: 1)
        #expect(run(held) { $0.responses > 0 }.responses == 1)
    }

    @Test("a plugin whose work never ends is abandoned at its end, and the program continues")
    func stuck() throws {
        weak var freed: Processor?
        do {
            let held = try processor("held", isLive: true)
            freed = held
            _ = run(held)
        }
        #expect(freed == nil)
        #expect(run(try processor("echo", isLive: false), times: 2).responses == 2)
    }

    @Test("no plugin is promised a fixed block size, and the reason is reported")
    func fixedLength() throws {
        let description = try world.description(ofPlugin: "urn:stompline-test:worker-fixed")
        #expect(
            description.missingFeatures == [
                "bufsz:fixedBlockLength (JACK can change the block size at any time)"
            ])
    }

    @Test("messages of any length arrive complete; one longer than the queue is refused")
    func large() throws {
        let counts = run(try processor("large", isLive: false), times: 2001)
        #expect(counts.errors == 0)
        #expect(counts.refused == 1)
        #expect(counts.responses == 2001)
    }

    @Test(
        "plugins with workers give the same bits as in the bare host",
        arguments: [
            // Dragonfly's room reverb uses `rand`, which other code in this process uses too.
            "https://github.com/michaelwillis/dragonfly-reverb", "urn:dragonfly:plate",
            "http://gareus.org/oss/lv2/convoLV2#Stereo",
            "http://gareus.org/oss/lv2/zeroconvolv#Stereo",
            "http://lv2plug.in/plugins/eg-sampler",
            "http://lsp-plug.in/plugins/lv2/impulse_reverb_stereo",
        ])
    func equality(uri: String) {
        #expect(Comparison(of: uri, in: world, blocks: 150) == .equal)
    }
}
