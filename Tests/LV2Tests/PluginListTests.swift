import Glibc
import LV2
import PluginComparison
import Processing
import Testing
import TestSignals

@Suite("The list of plugins and their verdicts")
struct PluginListTests {
    private let folder = ScratchFolder()
    private let program = ChildProgram(product: "stompline").path

    private func list(_ world: PluginWorld = PluginWorld()) -> PluginList {
        PluginList(
            of: world, prober: [program, "plugin-probe"], cachePath: folder.file("plugins.tsv"))
    }

    @Test("a search finds the same as reading every description, even from its cache")
    func search() throws {
        let all = try InstalledPluginTests.world.summaries()
        for text in ["reverb", "parametric eq", "robin gareus", "simple amp", "é"] {
            let expected = all.filter { plugin in
                [plugin.uri, plugin.name, plugin.author, plugin.category].contains {
                    $0.lowercased().contains(text)
                }
            }
            #expect(try list().plugins(matching: text).map(\.summary) == expected)
            #expect(try list().plugins(matching: text.uppercased()).map(\.summary) == expected)
        }
    }

    @Test("a verdict is kept until a file of the bundle changes")
    func renewal() throws {
        let bundles = folder.file("bundles")
        _ = ChildProgram(path: "/bin/cp").run(["-r", HostileBundle.folder, bundles])
        let world = PluginWorld(bundleFolders: [bundles])
        let uri = "urn:stompline-test:talker"
        func known() throws -> KnownPlugin? {
            try list(world).plugins(matching: uri).first { $0.summary.uri == uri }
        }
        #expect(try known()?.verdict == nil)
        #expect(try list(world).verdict(on: uri)?.outcome != nil)
        #expect(try known()?.verdict != nil)
        _ = ChildProgram(path: "/usr/bin/touch").run([
            "-d", "2001-01-01", bundles + "/hostile.lv2/manifest.ttl",
        ])
        #expect(try known()?.verdict == nil)
    }

    @Test("two concurrent programs do not lose each other's results")
    func together() throws {
        let amplifier = "http://lv2plug.in/plugins/eg-amp"
        // Both have read the cache before either writes it.
        let (one, other) = (list(), list())
        #expect(try one.verdict(on: amplifier)?.outcome == .plays)
        #expect(try !other.plugins(matching: "").isEmpty)
        #expect(try list().plugins(matching: amplifier).first?.verdict?.outcome == .plays)
    }

    @Test("an unreadable cache is rebuilt")
    func brokenCache() throws {
        folder.write("stompline plugins\tnonsense\nbundle\t/x\n", to: "plugins.tsv")
        #expect(try list().plugins(matching: "eg-amp").count == 1)
    }

    @Test("calls that may block or allocate in a run are reported by name")
    func breaches() throws {
        let early = try #require(try list().verdict(on: "urn:dragonfly:early"))
        #expect(early.outcome == .plays)
        #expect(early.breaches.map(\.kind) == [.memory])
        let vinyl = try list().verdict(on: "http://calf.sourceforge.net/plugins/Vinyl")
        #expect(vinyl?.breaches.map(\.kind) == [.memory, .lock])
        let clean = try list().verdict(on: "http://lv2plug.in/plugins/eg-amp")
        #expect(clean == PluginVerdict(.plays))
    }

    @Test("the latency is reported")
    func latency() throws {
        let verdict = try list().verdict(on: "http://gareus.org/oss/lv2/fat1")
        let processor = try PluginWorld().makeProcessor(
            "http://gareus.org/oss/lv2/fat1")
        #expect(processor.latencyFrames > 0)
        #expect(verdict?.latencyFrames == processor.latencyFrames)
    }

    @Test("a refused plugin is reported with the reason")
    func refusal() throws {
        let world = PluginWorld(bundleFolders: [HostileBundle.folder])
        let verdicts = ProbeProcess.verdicts(
            on: ["http://plugin.org.uk/swh-plugins/mbeq", "http://lv2plug.in/plugins/eg-amp"],
            by: [program, "plugin-probe"])
        guard case .refused(let reason) = verdicts["http://plugin.org.uk/swh-plugins/mbeq"]?.outcome
        else {
            Issue.record("it is not refused")
            return
        }
        #expect(reason.contains("cannot be loaded"))
        #expect(verdicts["http://lv2plug.in/plugins/eg-amp"]?.outcome == .plays)
        #expect(try list(world).plugins(matching: "urn:stompline-test:needy").count == 1)
    }
}
