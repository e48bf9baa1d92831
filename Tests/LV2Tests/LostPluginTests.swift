import CRealtime
import Engine
import Glibc
import LV2
import PluginComparison
import Processing
import Testing
import TestSignals

/// The plugins in this suite double their input, so that wet and dry can be distinguished.
@Suite("A lost plugin process", .serialized)
struct LostPluginTests {
    /// Plays a plugin until it is steady, with these keys of its node; returns its process too.
    private func doubled(_ node: String) throws -> (LivePlaying, pid_t) {
        let uri = "urn:stompline-test:crash-run"
        let (playing, host) = try LivePlaying.host(of: uri) { try LivePlaying(uri, node) }
        playing.play(200, isPaced: true)
        return (playing, host)
    }

    @Test(
        "a process killed while it plays is restarted, without wild samples or an audible step",
        arguments: ["true", "\"same-cycle\""])
    func killed(_ isolate: String) throws {
        let (playing, host) = try doubled(", \"isolate\": \(isolate)")
        kill(host, SIGKILL)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        #expect(lost == .lost(reason: "its process was terminated by signal 9 (Killed)"))
        #expect(playing.playUntilBack())
        playing.play(400, isPaced: true)
        #expect(playing.isFinite)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test(
        "a process that is late again and again makes no audible step",
        arguments: ["true", "\"same-cycle\""])
    func lateRepeatedly(_ isolate: String) throws {
        let (playing, host) = try doubled(", \"isolate\": \(isolate)")
        // A crossfade takes 15 blocks. The process is often late again during the crossfade back.
        for round in 0..<60 {
            kill(host, SIGSTOP)
            playing.play(2 + round % 2, isPaced: true)
            kill(host, SIGCONT)
            playing.play(16 + round % 16, isPaced: true)
        }
        #expect(playing.wentAway)
        #expect(playing.isFinite)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("a node that was halted while its process was late is heard again when it resumes")
    func lateAndHalted() throws {
        let (playing, host) = try doubled(
            ", \"isolate\": true, \"when-late\": { \"bypass\": true }")
        kill(host, SIGSTOP)
        playing.play(3, isPaced: true)
        _ = playing.engine.send(.halt(node: 0, true))
        playing.play(2, isPaced: true)
        kill(host, SIGCONT)
        playing.play(40, isPaced: true)
        #expect(!playing.isDoubled)
        _ = playing.engine.send(.halt(node: 0, false))
        for _ in 0..<50 where !playing.isDoubled { playing.play(20, isPaced: true) }
        #expect(playing.isDoubled)
        // The absence is reported twelve times per second.
        playing.play(80, isPaced: true)
        #expect(playing.wentAway)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("a plugin that keeps crashing is restarted three times, then the dry signal remains")
    func crashing() throws {
        let playing = try LivePlaying(
            "urn:stompline-test:crash-run",
            ", \"isolate\": true, \"parameters\": { \"trigger\": true }")
        let end = playing.play { if case .abandoned = $0 { true } else { false } }
        guard case .abandoned(let reason) = try #require(end) else { return }
        #expect(reason == "its process was terminated by signal 11 (Segmentation fault) in its run")
        let losses = playing.incidents.count { if case .lost = $0 { true } else { false } }
        #expect(losses == 3)
        playing.play(40)
        // Dry, with the latency of the node.
        let count = playing.sound.count
        let dry = (count - 640..<count).map { playing.signal($0 - 64) }
        #expect(Array(playing.sound.suffix(640)) == dry)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("a plugin that exits from its run is lost with its exit status")
    func exits() throws {
        let playing = try LivePlaying("urn:stompline-test:exit-run", ", \"isolate\": true")
        playing.play(20, isPaced: true)
        playing.set(0, 1)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        #expect(lost == .lost(reason: "its process exited with status 3 in its run"))
    }

    @Test("a plugin that never returns is terminated and restarted")
    func endless() throws {
        let playing = try LivePlaying("urn:stompline-test:endless", ", \"isolate\": true")
        playing.play(20, isPaced: true)
        playing.set(0, 1)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        #expect(lost == .lost(reason: "its process has not answered for 0.5 s in its run"))
        // After the restart it receives the same value and hangs again.
        #expect(playing.playUntilBack())
        #expect(playing.isFinite)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("a restarted plugin has the values that were set meanwhile")
    func restoredValues() throws {
        let uri = "http://lv2plug.in/plugins/eg-amp"
        let (playing, host) = try LivePlaying.host(of: uri) {
            try LivePlaying(uri, ", \"isolate\": true")
        }
        playing.set(0, -90)
        playing.play(200, isPaced: true)
        kill(host, SIGKILL)
        #expect(playing.playUntilBack())
        playing.play(400, isPaced: true)
        // Attenuated by 90 dB, or temporarily dry if this machine is busy, after which it recovers.
        let isQuiet = waitForQuiet(playing)
        #expect(isQuiet)
    }

    private func waitForQuiet(_ playing: LivePlaying) -> Bool {
        for _ in 0..<50 {
            playing.play(20, isPaced: true)
            if playing.sound.suffix(640).allSatisfy({ abs($0) < 1e-4 }) { return true }
        }
        return false
    }

    @Test("a plugin is not restarted when rendering offline")
    func offline() throws {
        let playing = try LivePlaying(
            "urn:stompline-test:crash-run", ", \"isolate\": true", isLive: false)
        playing.play(10)
        playing.set(0, 1)
        let end = playing.play { if case .abandoned = $0 { true } else { false } }
        #expect(
            end
                == .abandoned(
                    reason:
                        "its process was terminated by signal 11 (Segmentation fault) in its run"))
        #expect(playing.incidents.count == 1)
    }

    @Test("a plugin that hung offline is not started again in a world that refuses such plugins")
    func hungBefore() throws {
        let world = PluginWorld(
            bundleFolders: [HostileBundle.folder],
            hostProgram: ChildProgram(product: "stompline").path, refusesHungPlugins: true)
        func play() throws -> LivePlaying {
            try LivePlaying(
                "urn:stompline-test:endless", ", \"isolate\": true", isLive: false, world: world)
        }
        let playing = try play()
        let other = try play()
        playing.set(0, 1)
        let end = playing.play { if case .abandoned = $0 { true } else { false } }
        #expect(
            end == .abandoned(reason: "its process has not answered for 10.0 s in its run"))
        let error = #expect(throws: PreparationError.self) { try play() }
        #expect(error?.message.contains("its process hung before") == true, "\(error as Any)")
        // An instance that has not hung continues.
        other.play(200)
        #expect(other.isDoubled)
    }

    @Test("a proof tries a plugin that hangs once, names all of its nodes, and plays without it")
    func proof() throws {
        let folder = ScratchFolder()
        let nodes = ["a", "b", "c"].map { id in
            """
            { "id": "\(id)", "type": "lv2", "uri": "urn:stompline-test:endless",
              "parameters": { "trigger": true }\(id == "c" ? ", \"isolate\": true" : "") }
            """
        }
        let file = folder.write(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1 } }, "nodes": [\(nodes.joined(separator: ", "))] }
            """, to: "endless.json")
        let program = ChildProgram(product: "stompline").path
        // Its own cache has no verdict yet.
        let end = ChildProgram(path: "/bin/sh").run([
            "-c",
            "LV2_PATH='\(HostileBundle.folder):/usr/lib/lv2' XDG_CACHE_HOME='\(folder.path)' "
                + "exec '\(program)' prove '\(file)' --frames 128 --rate 48000 --seconds 0.1 "
                + "--passes 1 --json >'\(folder.file("report"))'",
        ])
        #expect(end == .status(1))
        let report = TextFile.text(of: folder.file("report"))
        let hang = "The plugin urn:stompline-test:endless hangs in its run."
        #expect(report.ranges(of: hang).count == 3, "\(report)")
        #expect(report.ranges(of: "It was not tried again for this node.").count == 2)
        // Its trigger is on, so it would hang in the night and in a trial with these values.
        #expect(report.contains("No plugin, player or recorder has reported a fault."))
        #expect(report.ranges(of: "because it hangs in another trial").count == 1)
    }

    @Test("a render whose plugin is lost ends with the reason, not with silence")
    func render() throws {
        let folder = ScratchFolder()
        let file = folder.write(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
              "nodes": [{ "id": "t", "type": "lv2", "uri": "urn:stompline-test:crash-run", "isolate": true,
                          "parameters": { "trigger": true } }] }
            """, to: "crash.json")
        let program = ChildProgram(product: "stompline").path
        let end = ChildProgram(path: "/bin/sh").run([
            "-c",
            "LV2_PATH='\(HostileBundle.folder):/usr/lib/lv2' exec '\(program)' render '\(file)' "
                + "--output '\(folder.file("o.wav"))' --length 0.1 2>'\(folder.file("log"))'",
        ])
        #expect(end == .status(69))
        let log = TextFile.text(of: folder.file("log"))
        #expect(
            log
                == "stompline: t: urn:stompline-test:crash-run: its process was terminated by signal 11 "
                + "(Segmentation fault) in its run\n", "\(log)")
    }

    @Test("a write beyond a buffer is reported once", arguments: ["", ", \"isolate\": true"])
    func beyond(_ node: String) throws {
        let playing = try LivePlaying("urn:stompline-test:beyond", node, isLive: false)
        playing.play(200)
        #expect(!playing.reportsWriting)
        playing.set(0, 1)
        for _ in 0..<100 where !playing.reportsWriting {
            playing.play(70)
            usleep(10_000)
        }
        playing.play(200)
        usleep(120_000)
        playing.play(200)
        let reported = playing.reports.count { if case .wroteBeyond = $0 { true } else { false } }
        let found = playing.incidents.count { $0 == .wroteBeyond }
        #expect(reported + found == 1)
    }
}

extension LivePlaying {
    fileprivate func playUntilBack() -> Bool { play { $0 == .back } != nil }

    /// Whether the last sound is that of the plugin, not the dry one.
    fileprivate var isDoubled: Bool { sound.suffix(640).contains { abs($0) > 0.4 } }

    fileprivate var wentAway: Bool {
        reports.contains { if case .away = $0 { true } else { false } }
    }

    fileprivate var reportsWriting: Bool {
        incidents.contains(.wroteBeyond)
            || reports.contains { if case .wroteBeyond = $0 { true } else { false } }
    }
}
