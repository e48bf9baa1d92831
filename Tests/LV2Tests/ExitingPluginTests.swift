import CRealtime
import Engine
import Glibc
import LV2
import PluginComparison
import Processing
import Testing
import TestSignals

/// The plugins in this suite double their input until they call `exit`, mostly with status 0.
@Suite("Plugins that call exit", .serialized)
struct ExitingPluginTests {
    private let world = HostileBundle.world

    @Test(
        "an in-process plugin that calls exit is not run again, and its dry signal passes",
        arguments: [
            ("quit-run", "it called exit(0) in its run"),
            ("exit-run", "it called exit(3) in its run"),
            ("leave-run", "it called exit(0) in its run"),
            ("quit-work", "it called exit(0) in its worker"),
        ])
    func here(_ name: String, _ reason: String) throws {
        let playing = try LivePlaying("urn:stompline-test:" + name)
        playing.engine.watchPlugins(true)
        playing.play(50)
        #expect(playing.incidents == [])
        playing.set(0, 1)
        let end = playing.play { if case .abandoned = $0 { true } else { false } }
        #expect(end == .abandoned(reason: reason))
        playing.play(100)
        let count = playing.sound.count
        #expect(Array(playing.sound.suffix(640)) == (count - 640..<count).map(playing.signal))
        #expect(playing.isFinite)
        // A second attempt does not start it again.
        playing.set(Int32(RTTargetBypass.rawValue), 0)
        playing.play(100)
        #expect(playing.incidents.count == 1)
        #expect(playing.sound.suffix(640).allSatisfy { abs($0) <= 0.25 })
    }

    @Test(
        "a plugin that calls exit before it plays is refused with the reason",
        arguments: [
            ("quit-instantiate", "it called exit(0) while it was being created"),
            ("quit-activate", "it called exit(0) while it was being activated"),
        ])
    func refusal(_ name: String, _ reason: String) throws {
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor("urn:stompline-test:" + name)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(
        "a plugin that calls exit while it is freed does not end the program",
        arguments: ["quit-deactivate", "quit-cleanup"])
    func freed(_ name: String) throws {
        for _ in 0..<2 {
            let processor = try world.makeProcessor("urn:stompline-test:" + name)
            #expect(processor.render([Float](repeating: 0.5, count: 64), frames: 64)[63] == 1)
        }
    }

    @Test("an isolated plugin that calls exit is lost with its status, even if that is 0")
    func isolated() throws {
        for name in ["quit-run", "leave-run"] {
            let playing = try LivePlaying("urn:stompline-test:" + name, ", \"isolate\": true")
            playing.play(20, isPaced: true)
            playing.set(0, 1)
            let lost = playing.play { if case .lost = $0 { true } else { false } }
            #expect(lost == .lost(reason: "its process exited with status 0 in its run"))
        }
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor("urn:stompline-test:quit-instantiate", isolation: .process)
        }
        let reason = "its process exited with status 0 while it was being created"
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("a render whose plugin calls exit ends with status 69 and the reason")
    func render() throws {
        let folder = ScratchFolder()
        let file = folder.write(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
              "nodes": [{ "id": "t", "type": "lv2", "uri": "urn:stompline-test:quit-run",
                          "parameters": { "trigger": true } }] }
            """, to: "quit.json")
        let end = shell(
            "render '\(file)' --output '\(folder.file("o.wav"))' --length 0.1", folder)
        #expect(end == .status(69))
        let log = TextFile.text(of: folder.file("log"))
        let reason = "stompline: t: urn:stompline-test:quit-run: it called exit(0) in its run\n"
        #expect(log.contains(reason), "\(log)")
    }

    @Test("a plugin that calls exit while it is probed gets a verdict with that reason")
    func probe() throws {
        let folder = ScratchFolder()
        let end = shell("plugins quit-run --probe", folder)
        #expect(end == .status(0))
        let list = TextFile.text(of: folder.file("log"))
        #expect(list.contains("crashes in its run: exit with"), "\(list)")
    }

    /// Runs the program with the hostile plugins; its output goes to a file `log`.
    private func shell(_ command: String, _ folder: ScratchFolder) -> ChildProgram.End {
        let program = ChildProgram(product: "stompline").path
        return ChildProgram(path: "/bin/sh").run([
            "-c",
            "export XDG_CACHE_HOME='\(folder.file("cache"))' LV2_PATH='\(HostileBundle.folder):/usr/lib/lv2'\n"
                + "exec '\(program)' \(command) >'\(folder.file("log"))' 2>&1",
        ])
    }
}
