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
    /// The folder of the plugin, which it may read and not change.
    private static let folder = HostileBundle.folder + "/escape.lv2/"
    private static let hasFileRules = ProcessSandbox.canRestrictFiles

    /// The plugin's actions, as Hostile/escape.lv2 numbers them.
    enum Attempt: Float, CaseIterable {
        case readShadow = 1
        case writeOutside, socket, fork, exec, ptrace, mount, signalParent, limitParent, slowParent
        case socketWithOwnHandler, socketWithSignalBlocked
        case remove, readWithSignalsBlocked, readInHandler, readDirectly, readStrange, move
        case thread = 20
        case executeMemory, readMaps, readRandom, readSystem, writeOwn, writeTemporary
        case descriptors, signalItself, readSystemWithSignalsBlocked, readSystemInHandler
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
        arguments: [
            Attempt.readShadow, .writeOutside, .remove, .readWithSignalsBlocked, .readInHandler,
            .readDirectly, .move,
        ])
    func files(_ attempt: Attempt) throws {
        let kept = fopen(Self.folder + "kept", "w")
        defer { unlink(Self.folder + "kept") }
        if let kept { fclose(kept) }
        #expect(try result(of: attempt) == Float(-EACCES))
        #expect(access(Self.folder + "kept", F_OK) == 0)
    }

    @Test(
        "sockets, other programs and other processes are not accessible, and the plugin plays on",
        arguments: [
            Attempt.socket, .fork, .exec, .ptrace, .mount, .signalParent, .limitParent, .slowParent,
            .socketWithOwnHandler, .socketWithSignalBlocked,
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
        unlink(Self.folder + "escaped")
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

    @Test(
        "a refused file is reported once, with its path and the kind of access",
        .enabled(if: hasFileRules))
    func reportedFiles() throws {
        let playing = try LivePlaying(uri, ", \"isolate\": true")
        for (attempt, access, path) in [
            (Attempt.readShadow, FileAccess.read, "/etc/shadow"),
            (.writeOutside, .write, Self.folder + "escaped"),
            (.remove, .remove, Self.folder + "kept"),
            (.move, .move, Self.folder + "moved"),
        ] {
            let kept = fopen(Self.folder + "kept", "w")
            defer { unlink(Self.folder + "kept") }
            if let kept { fclose(kept) }
            playing.set(0, attempt.rawValue)
            let reported = playing.play { if case .fileRefused = $0 { true } else { false } }
            #expect(reported == .fileRefused(access: access, path: path))
        }
        // The same file by other ways, and a file that does not exist.
        for attempt in [
            Attempt.readWithSignalsBlocked, .readInHandler, .readDirectly, .readStrange,
        ] {
            playing.set(0, attempt.rawValue)
            playing.play(40, isPaced: true)
        }
        #expect(playing.incidents.count { if case .fileRefused = $0 { true } else { false } } == 4)
        #expect(!playing.incidents.contains { if case .lost = $0 { true } else { false } })
    }

    @Test("a plugin that requires a socket is refused with its name, and created without a sandbox")
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

    @Test("a probe reports the files that the sandbox refused", .enabled(if: hasFileRules))
    func triedFiles() throws {
        let program = ChildProgram(product: "stompline").path
        let uri = "urn:stompline-test:escape-curious"
        let verdict = ProbeProcess.verdicts(
            on: [uri],
            by: ["/usr/bin/env", "LV2_PATH=\(HostileBundle.folder)", program, "plugin-probe"])[uri]
        #expect(verdict?.breaches.map(\.kind) == [.file, .file])
        #expect(
            verdict?.description
                == "plays; uses files that a sandbox refuses (read /etc/shadow, "
                + "write \(Self.folder)escaped)")
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
