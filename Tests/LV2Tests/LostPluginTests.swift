import CRealtime
import Engine
import Glibc
import LV2
import PluginComparison
import Processing
import TestSignals
import Testing

/// The plugins here put out twice what they are fed, so that wet and dry are told apart.
@Suite("A plugin's process that is lost", .serialized)
struct LostPluginTests {
    @Test(
        "killed while it plays, it is started again; no sample is wild and no step is heard",
        arguments: ["true", "\"same-cycle\""])
    func killed(_ isolate: String) throws {
        let playing = try LivePlaying("urn:stompline-test:crash-run", ", \"isolate\": \(isolate)")
        let host = try #require(LivePlaying.host(of: "urn:stompline-test:crash-run"))
        playing.play(200, isPaced: true)
        kill(host, SIGKILL)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        #expect(lost == .lost(reason: "its process was ended by signal 9 (Killed)"))
        #expect(playing.playUntilBack())
        playing.play(400, isPaced: true)
        #expect(playing.isFinite)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("one that crashes again and again is started three times, then the dry signal stays")
    func crashing() throws {
        let playing = try LivePlaying(
            "urn:stompline-test:crash-run",
            ", \"isolate\": true, \"parameters\": { \"trigger\": true }")
        let end = playing.play { if case .abandoned = $0 { true } else { false } }
        guard case .abandoned(let reason) = try #require(end) else { return }
        #expect(reason == "its process was ended by signal 11 (Segmentation fault) in its run")
        let losses = playing.incidents.count { if case .lost = $0 { true } else { false } }
        #expect(losses == 3)
        playing.play(40)
        // Dry, as late as the node was.
        let count = playing.sound.count
        let dry = (count - 640..<count).map { playing.signal($0 - 64) }
        #expect(Array(playing.sound.suffix(640)) == dry)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("one that exits from its run is lost with the status that it gave")
    func exits() throws {
        let playing = try LivePlaying("urn:stompline-test:exit-run", ", \"isolate\": true")
        playing.play(20, isPaced: true)
        playing.set(0, 1)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        #expect(lost == .lost(reason: "its process ended with status 3 in its run"))
    }

    @Test("one that never returns is ended and started again")
    func endless() throws {
        let playing = try LivePlaying("urn:stompline-test:endless", ", \"isolate\": true")
        playing.play(20, isPaced: true)
        playing.set(0, 1)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        #expect(lost == .lost(reason: "its process has not answered for 0.5 s in its run"))
        // Started again it gets the same value and hangs again.
        #expect(playing.playUntilBack())
        #expect(playing.isFinite)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("started again it has the values that were set meanwhile")
    func restoredValues() throws {
        // One that no other test has in a process at the same time.
        let amplifier = "http://plugin.org.uk/swh-plugins/amp"
        let playing = try LivePlaying(amplifier, ", \"isolate\": true")
        let host = try #require(LivePlaying.host(of: amplifier))
        playing.set(0, -70)
        playing.play(200, isPaced: true)
        kill(host, SIGKILL)
        #expect(playing.playUntilBack())
        playing.play(400, isPaced: true)
        // Amplified by -70 dB, or dry for a moment where this machine is busy: but then it comes back to it.
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

    @Test("off the clock it is not started again")
    func offline() throws {
        let playing = try LivePlaying(
            "urn:stompline-test:crash-run", ", \"isolate\": true", isLive: false)
        playing.play(10)
        playing.set(0, 1)
        let end = playing.play { if case .abandoned = $0 { true } else { false } }
        #expect(
            end
                == .abandoned(
                    reason: "its process was ended by signal 11 (Segmentation fault) in its run"))
        #expect(playing.incidents.count == 1)
    }

    @Test("a render whose plugin is lost ends with the reason, and not with silence")
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
            log == "stompline: t: urn:stompline-test:crash-run: its process was ended by signal 11 "
                + "(Segmentation fault) in its run\n", "\(log)")
    }

    @Test("what is written beyond a buffer is told once", arguments: ["", ", \"isolate\": true"])
    func beyond(_ node: String) throws {
        let playing = try LivePlaying("urn:stompline-test:beyond", node, isLive: false)
        playing.play(200)
        #expect(!playing.toldOfWriting)
        playing.set(0, 1)
        for _ in 0..<100 where !playing.toldOfWriting {
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

    fileprivate var toldOfWriting: Bool {
        incidents.contains(.wroteBeyond)
            || reports.contains { if case .wroteBeyond = $0 { true } else { false } }
    }
}
