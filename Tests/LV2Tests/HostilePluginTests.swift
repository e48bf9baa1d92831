import CRealtime
import Glibc
import LV2
import PluginComparison
import Processing
import Realtime
import Testing
import TestSignals

@Suite("Plugins that misbehave")
struct HostilePluginTests {
    let world = HostileBundle.world

    @Test(
        "an unusable plugin is refused with the reason",
        arguments: [
            ("needy", "requires features that are not supported: urn:stompline-test:feature"),
            ("null", "the plugin returns no instance"),
            ("absent", "absent.so: cannot open shared object file"),
            ("broken", "its description is incomplete"),
            ("undescribed", "its ports have no description"),
            ("strange", "its port 'out' has an unsupported type"),
        ])
    func refusal(_ name: String, _ reason: String) throws {
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor("urn:stompline-test:" + name)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.isMissing == false)
    }

    @Test("a plugin's description names the required features that are not supported")
    func missingFeature() throws {
        let description = try world.description(ofPlugin: "urn:stompline-test:needy")
        #expect(description.missingFeatures == ["urn:stompline-test:feature"])
    }

    @Test("the engine's processor flags are restored after a plugin has changed them")
    func flags() throws {
        let processor = try world.makeProcessor("urn:stompline-test:flags")
        let before = rt_float_control()
        defer { rt_restore_float_control(before) }
        rt_flush_denormals()
        // The lowest six bits are status flags for past exceptions; the others are control bits.
        let engines = rt_float_control() & ~0x3f
        _ = processor.render([Float](repeating: 0.5, count: 64), frames: 64)
        #expect(rt_float_control() & ~0x3f == engines)
    }

    @Test("a plugin that logs from its run continues to play")
    func talker() throws {
        let processor = try world.makeProcessor("urn:stompline-test:talker")
        let signal = (0..<128).map { Float($0) / 128 }
        #expect(processor.render(signal, frames: 128) == signal)
    }

    @Test("an instance created only for its latency is freed once no more plugins are created")
    func rehearsal() throws {
        let processor = try PluginWorld(bundleFolders: [HostileBundle.folder])
            .makeProcessor("urn:stompline-test:counted")
        #expect(processor.latencyFrames == 7)
        var count = processor.render([], frames: 64)[0]
        #expect(count == 1 || count == 2)
        for _ in 0..<200 where count != 1 {
            usleep(50_000)
            count = processor.render([], frames: 64)[0]
        }
        #expect(count == 1)
    }

    @Test("a plugin's log reaches standard error with its name, except for messages from its run")
    func log() throws {
        let folder = ScratchFolder()
        let file = folder.write(
            """
            { "version": 1, "nodes": [{ "id": "t", "type": "lv2", "uri": "urn:stompline-test:talker" }] }
            """, to: "talker.json")
        let program = ChildProgram(product: "stompline").path
        let shell = ChildProgram(path: "/bin/sh")
        let end = shell.run([
            "-c",
            "LV2_PATH='\(HostileBundle.folder):/usr/lib/lv2' exec '\(program)' render '\(file)' "
                + "--output '\(folder.file("o.wav"))' --length 0.01 2>'\(folder.file("log"))'",
        ])
        #expect(end == .status(0))
        let log = TextFile.text(of: folder.file("log"))
        #expect(log.contains("Talker: note: made at 48000 Hz\n"))
        #expect(!log.contains("says run"))
    }
}
