import Glibc
import LV2
import PluginComparison
import Processing
import Testing
import TestSignals
import Platform

@Suite("Sandboxed plugins", .serialized)
struct SandboxTests {
    private let world = HostileBundle.world
    private let uri = "urn:stompline-test:escape"
    private static let hasFileRules = ProcessSandbox.canRestrictFiles

    /// The plugin's actions, as Hostile/escape.lv2 numbers them.
    enum Attempt: Float, CaseIterable {
        case readShadow = 1
        case writeOutside, socket, fork, exec, ptrace, mount, signalParent, limitParent, slowParent
        case socketWithOwnHandler, socketWithSignalBlocked
        case thread = 20
        case executeMemory, readMaps, readRandom, readSystem, writeOwn, writeTemporary
        case descriptors, signalItself
    }

    /// Returns 1, or the negative error number.
    private func result(
        of attempt: Attempt, isolation: Isolation = .sameCycle, sandbox: Sandbox = .on(folder: nil)
    ) throws -> Float {
        let processor = try world.makeProcessor(
            uri, parameters: ["attempt": attempt.rawValue], isolation: isolation, sandbox: sandbox)
        let sound = processor.render([Float](repeating: 0.5, count: 128), frames: 128)
        #expect(sound.last == 1)
        return try #require(processor.reports)[0]
    }

    @Test(
        "threads, memory, system files and the plugin's own folder are accessible",
        arguments: Attempt.allCases.filter { $0.rawValue >= 20 })
    func allowed(_ attempt: Attempt) throws {
        #expect(try result(of: attempt) == 1)
    }

    @Test(
        "other files are not accessible", .enabled(if: hasFileRules),
        arguments: [Attempt.readShadow, .writeOutside])
    func files(_ attempt: Attempt) throws {
        #expect(try result(of: attempt) == Float(-EACCES))
    }

    @Test(
        "sockets, other programs and other processes are not accessible, and the plugin plays on",
        arguments: [
            Attempt.socket, .fork, .exec, .ptrace, .mount, .signalParent, .limitParent, .slowParent,
            .socketWithOwnHandler,
        ])
    func calls(_ attempt: Attempt) throws {
        #expect(try result(of: attempt) == Float(-EPERM))
    }

    @Test(
        "they are accessible without a sandbox and in-process",
        arguments: [(Isolation.sameCycle, Sandbox.off), (.none, .on(folder: nil))])
    func off(_ isolation: Isolation, _ sandbox: Sandbox) throws {
        for attempt in [Attempt.socket, .fork, .writeOutside, .signalParent] {
            #expect(try result(of: attempt, isolation: isolation, sandbox: sandbox) == 1)
        }
        unlink("/var/tmp/stompline-escaped")
    }

    @Test("only the folder of a file that the node names is readable")
    func named() throws {
        let (named, other) = (ScratchFolder(), ScratchFolder())
        let sandboxed = world
        for (folder, isReadable) in [(named, true), (other, !Self.hasFileRules)] {
            let state = try #require(
                try sandboxed.makeProcessor(
                    "urn:stompline-test:property",
                    settings: ["file": .text(folder.write("x", to: "sound.txt"))]
                ).memory
            ).savedState()
            let processor = try sandboxed.makeProcessor(
                "urn:stompline-test:property", isolation: .sameCycle,
                sandbox: .on(folder: named.path + "/"))
            try #require(processor.memory).restore(state, isPlaying: false)
            let output = processor.render([], frames: 64)
            #expect((output[12] == Float(UInt8(ascii: "x"))) == isReadable)
        }
    }

    @Test("a refused system call is reported once, with its name")
    func reported() throws {
        let playing = try LivePlaying(uri, ", \"isolate\": true")
        playing.set(0, Attempt.socket.rawValue)
        let reported = playing.play { if case .callRefused = $0 { true } else { false } }
        #expect(reported == .callRefused(name: "socket"))
        playing.set(0, Attempt.mount.rawValue)
        #expect(
            playing.play { $0 == .callRefused(name: "mount") } == .callRefused(name: "mount"))
        playing.set(0, Attempt.socket.rawValue)
        playing.play(200, isPaced: true)
        #expect(playing.incidents.count { $0 == .callRefused(name: "socket") } == 1)
        #expect(!playing.incidents.contains { if case .lost = $0 { true } else { false } })
    }

    @Test("a thread that blocks the report is terminated with its process, with the reason")
    func blocked() throws {
        let playing = try LivePlaying(
            uri, ", \"isolate\": true, \"parameters\": { \"attempt\": 12 }", isLive: false)
        let end = playing.play { if case .abandoned = $0 { true } else { false } }
        #expect(
            end
                == .abandoned(
                    reason:
                        "its process was killed because it made a call that its sandbox refuses in its run"
                )
        )
    }

    @Test("a plugin that requires a socket is refused with its name; without a sandbox it is made")
    func stubborn() throws {
        let uri = "urn:stompline-test:escape-stubborn"
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor(uri, isolation: .process)
        }
        let message = error?.message ?? ""
        #expect(
            message.hasSuffix("; its sandbox refused socket (\"sandbox\": false allows it)"),
            "\(message)")
        _ = try world.makeProcessor(uri, isolation: .process, sandbox: .off)
        #expect(throws: Never.self) {
            try LivePlaying(uri, ", \"isolate\": true, \"sandbox\": false", isLive: false)
        }
    }

    @Test("a probe reports the calls that the sandbox refused")
    func trial() throws {
        let program = ChildProgram(product: "stompline").path
        let uris = ["", "-eager"].map { uri + $0 }
        let verdicts = ProbeProcess.verdicts(
            on: uris,
            by: ["/usr/bin/env", "LV2_PATH=\(HostileBundle.folder)", program, "plugin-probe"])
        #expect(verdicts[uris[1]]?.outcome == .plays)
        #expect(verdicts[uris[1]]?.breaches.map(\.kind) == [.sandbox])
        #expect(
            verdicts[uris[1]]?.description == "plays; makes calls that a sandbox refuses (socket)")
    }

    @Test("files made by a plugin are deleted with its node")
    func scratch() throws {
        let before = Set(ScratchFolder.names(in: "/tmp"))
        #expect(try result(of: .writeOwn) == 1)
        let left = Set(ScratchFolder.names(in: "/tmp")).subtracting(before)
        #expect(!left.contains { hasSound(in: "/tmp/\($0)") })
    }

    private func hasSound(in folder: String) -> Bool {
        ScratchFolder.names(in: folder).contains { name in
            access("\(folder)/\(name)/kept/sound.txt", F_OK) == 0
        }
    }
}
