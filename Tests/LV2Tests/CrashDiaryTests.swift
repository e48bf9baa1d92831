import FoundationEssentials
import Glibc
import LV2
import PluginComparison
import Synchronization
import Testing
import TestSignals

/// Each run has its own JACK server with a dummy driver.
@Suite("Crash reports", .serialized)
struct CrashDiaryTests {
    @Test(
        "the next check names a plugin that crashed the program, until it has played well",
        arguments: [
            ("crash-instantiate", "while it was being created"),
            ("crash-activate", "while it was being activated"), ("crash-run", "in its run"),
            ("crash-cleanup", "while it was being freed"), ("crash-work", "in its worker"),
        ])
    func named(_ name: String, _ place: String) throws {
        let crashing = CrashingProgram(plugin: name)
        #expect(crashing.run("true") != .status(0))
        #expect(crashing.messages.contains(CrashingProgram.lastWords), "\(crashing.messages)")
        let log = crashing.check()
        #expect(
            log.contains(
                "an earlier run ended inside the plugin urn:stompline-test:\(name), \(place)"),
            "\(log)")
        #expect(log.contains("\"isolate\": true"))
    }

    @Test(
        "an in-process plugin that calls exit is stopped and named, and the session continues",
        arguments: [
            ("quit-run", "it called exit(0) in its run; it is not restarted"),
            ("leave-run", "it called exit(0) in its run; it is not restarted"),
            ("quit-work", "it called exit(0) in its worker; it is not restarted"),
            ("threaded-exit", "called exit(0) on its own thread. The thread is stopped"),
            ("quit-cleanup", "it called exit(0) while it was being freed; its memory is not freed"),
        ])
    func exits(_ name: String, _ message: String) throws {
        let crashing = CrashingProgram(plugin: name)
        #expect(crashing.run("true") == .status(0))
        #expect(crashing.messages.contains(message), "\(crashing.messages)")
        // It did not crash the program, so the next start does not report it.
        #expect(crashing.check() == "")
    }

    @Test("a session whose plugin calls exit before it plays starts without it and says why")
    func exitsAtOnce() throws {
        let crashing = CrashingProgram(plugin: "quit-activate")
        #expect(crashing.run("true") == .status(0))
        #expect(
            crashing.messages.contains(
                "urn:stompline-test:quit-activate cannot be used: it called exit(0) while it was being activated"
            ), "\(crashing.messages)")
    }

    @Test("a run that ended well clears the crash reports of its plugins")
    func forgotten() throws {
        let crashing = CrashingProgram(plugin: "crash-run")
        #expect(crashing.run("true") == .status(128 + SIGSEGV))
        #expect(crashing.run("false") == .status(0))
        #expect(crashing.check() == "")
    }

    @Test("a render that ends with a plugin's crash names the library of the plugin")
    func render() throws {
        let crashing = CrashingProgram(plugin: "crash-run")
        #expect(crashing.render() == .status(128 + SIGSEGV))
        #expect(crashing.messages.contains(CrashingProgram.lastWords), "\(crashing.messages)")
    }

    @Test(
        "a proof reports a plugin that crashes in its trial, and plays everything without a crash",
        arguments: [
            ("crash-run", "crashes in its run: signal 11."),
            ("crash-instantiate", "crashes while it is created: signal 11."),
            ("crash-cleanup", "crashes while it is freed: signal 11."),
        ])
    func proof(_ name: String, _ fault: String) throws {
        let crashing = CrashingProgram(plugin: name)
        #expect(crashing.prove(seconds: 0.1) == .status(1))
        #expect(!crashing.messages.contains(CrashingProgram.lastWords), "\(crashing.messages)")
        let report = try crashing.proof()
        #expect(report.steps.map(\.kind) == ["song", "bypass", "bypass", "edit", "undo"])
        let findings = report.findings.filter { $0.id == "plugins" }
        #expect(findings.map(\.state) == ["bad"])
        let finding = try #require(findings.first)
        #expect(finding.place?.node == "t")
        #expect(finding.finding.contains("urn:stompline-test:\(name) \(fault)"))
        #expect(crashing.proofPage.contains("urn:stompline-test:\(name) \(fault)"))
    }

    @Test("a proof that ends with a crash after the trial names the library of the plugin")
    func lateProof() throws {
        let crashing = CrashingProgram(plugin: "late-crash")
        #expect(crashing.prove(seconds: 2) == .status(128 + SIGSEGV))
        #expect(crashing.messages.contains(CrashingProgram.lastWords), "\(crashing.messages)")
    }

    @Test("the replay of a run that a plugin crashed names the plugin, and does not crash")
    func replay() throws {
        let crashing = CrashingProgram(plugin: "crash-run")
        #expect(crashing.crashLater() == .status(128 + SIGSEGV))
        // It writes the box of the run before it.
        #expect(crashing.run("false") == .status(0))
        #expect(crashing.replay() == .status(1))
        let report = crashing.messages
        #expect(report.contains("cycles are equal to the bit"), "\(report)")
        #expect(report.contains("the plugin urn:stompline-test:crash-run failed again at "))
        #expect(report.contains(" in node t: its process was terminated by signal 11"))
        #expect(report.contains(" in its run"))
        #expect(!report.contains(CrashingProgram.lastWords))
        // Other boxes play their plugins in the program itself.
        #expect(crashing.replay(asKeptFor: "keep") == .status(128 + SIGSEGV))
        #expect(crashing.messages.contains(CrashingProgram.lastWords), "\(crashing.messages)")
    }

    @Test("a plugin's page reports its crash")
    func page() throws {
        let crashing = CrashingProgram(plugin: "crash-run")
        #expect(crashing.check() == "")
        #expect(crashing.run("true") == .status(128 + SIGSEGV))
        #expect(crashing.page().contains("an earlier run ended inside the plugin"))
    }

    @Test("the marks are not in a file on disk, where a store could wait for a write-back")
    func memory() throws {
        let crashing = CrashingProgram(plugin: "crash-run")
        #expect(crashing.run("true") == .status(128 + SIGSEGV))
        #expect(crashing.fileSystemOfMarks() == "tmpfs\n")
    }

    @Test("after a restart of the machine no plugin is named, and the next run cleans up")
    func startedAnew() throws {
        let crashing = CrashingProgram(plugin: "crash-run")
        #expect(crashing.run("true") == .status(128 + SIGSEGV))
        crashing.forgetMemory()
        #expect(crashing.check() == "")
        #expect(crashing.diaryCount == 1)
        #expect(crashing.run("false") == .status(0))
        #expect(crashing.diaryCount == 0)
    }

    @Test(
        "an isolated plugin that crashes does not end the session",
        arguments: ["crash-run", "exit-run", "crash-cleanup", "crash-work", "exit-work"])
    func isolated(_ name: String) throws {
        let crashing = CrashingProgram(plugin: name, isolate: ", \"isolate\": true")
        #expect(crashing.run("true") == .status(0))
        #expect(crashing.check() == "")
    }
}

/// The parts of the report of `prove` that the tests examine.
private struct ProofReport: Decodable {
    struct Finding: Decodable { let id: String, state: String, finding: String, place: Place? }
    struct Place: Decodable { let node: String? }
    struct Step: Decodable { let kind: String }
    let findings: [Finding]
    let steps: [Step]
}

/// A pipeline of one plugin, the program, and a folder for the program's state.
private final class CrashingProgram {
    /// The end of the line that a crash in the plugin prints.
    static let lastWords =
        "/brutal.so crashed, which ends the program. With \"isolate\": true, a plugin runs in its own process."

    let plugin: String
    let isolate: String
    private let folder = ScratchFolder.inRAM
    private let program = ChildProgram(product: "stompline").path

    /// Each server has a unique name, because a previous one may still be shutting down.
    private static let servers = Mutex(0)

    private static func count() -> Int {
        servers.withLock {
            $0 += 1
            return $0
        }
    }

    init(plugin: String, isolate: String = "") {
        self.plugin = plugin
        self.isolate = isolate
    }

    // The data of a crash is outside the folder.
    deinit { forgetMemory() }

    /// Runs the pipeline briefly with the trigger on or off.
    ///
    /// Returns a shell's status: 128 plus the signal after a crash. If the server does not start on
    /// a busy machine, the run is repeated.
    func run(_ trigger: String) -> ChildProgram.End { run(file: file(trigger)) }

    /// Runs the pipeline like `run`, with a trigger that a scene switches on after 0.2 s.
    func crashLater() -> ChildProgram.End {
        run(
            file: file(
                "false",
                """
                , "scenes": { "before": { "then": { "scene": "crash", "after": 0.2 } },
                              "crash": { "t.trigger": true } }, "scene": "before"
                """))
    }

    private func run(file: String) -> ChildProgram.End {
        let withoutServer = ChildProgram.End.status(69)
        for _ in 0..<4 {
            let end = runOnce(file)
            if end != withoutServer { return end }
        }
        return withoutServer
    }

    private func runOnce(_ file: String) -> ChildProgram.End {
        let server = "stompline-crash-\(getpid())-\(Self.count())"
        // The server is a child of the shell, so that it shuts down properly even if its client
        // crashed.
        return shell(
            """
            jackd -S -n \(server) -d dummy -r 48000 -p 128 >/dev/null 2>&1 & jackd=$!
            jack_wait -s \(server) -w -t 5 >/dev/null 2>&1
            mkdir -p -m 700 '\(folder.file("memory"))'; export XDG_RUNTIME_DIR='\(folder.file("memory"))'
            '\(program)' run '\(file)' --duration 0.5 --server \(server) --no-start-server >'\(folder.file("messages"))' 2>&1
            status=$?; kill $jackd; wait $jackd; exit $status
            """)
    }

    /// Renders the pipeline with the trigger on, and returns a shell's status.
    func render() -> ChildProgram.End {
        shell(
            """
            '\(program)' render '\(file("true"))' --output '\(folder.file("o.wav"))' --length 0.1 >'\(folder.file("messages"))' 2>&1
            exit $?
            """)
    }

    /// Proves the pipeline with the trigger on, and returns a shell's status.
    ///
    /// - Parameter seconds: The time for each song.
    /// - Returns: The status.
    func prove(seconds: Double) -> ChildProgram.End {
        shell(
            """
            export XDG_CACHE_HOME='\(folder.file("cache"))'
            '\(program)' prove '\(file("true"))' --passes 1 --seconds \(seconds) --frames 128 --rate 48000 --json --html '\(folder.file("proof.html"))' >'\(folder.file("proof.json"))' 2>'\(folder.file("messages"))'
            exit $?
            """)
    }

    /// Returns the report of the last proof.
    func proof() throws -> ProofReport {
        let text = TextFile.text(of: folder.file("proof.json"))
        return try JSONDecoder().decode(ProofReport.self, from: Data(text.utf8))
    }

    /// The page of the last proof.
    var proofPage: String { TextFile.text(of: folder.file("proof.html")) }

    /// Replays the box of the run that has crashed, and returns a shell's status.
    ///
    /// - Parameter reason: The reason that the box then states.
    /// - Returns: The status.
    func replay(asKeptFor reason: String = "crash") -> ChildProgram.End {
        shell(
            """
            cd '\(folder.file("state"))/stompline/boxes' || exit 99
            sed -i 's/"crash"/"\(reason)"/' *-crash.stompbox/box.json
            '\(program)' replay *-crash.stompbox >'\(folder.file("messages"))' 2>&1
            exit $?
            """)
    }

    /// The whole output of the last run.
    var messages: String { TextFile.text(of: folder.file("messages")) }

    /// Returns the output of `check` on standard error.
    func check() -> String {
        // A crash during instantiation would also end the check, so another file isolates the
        // plugin for it.
        let file = plugin.hasSuffix("run") || !isolate.isEmpty ? file("false") : otherFile()
        _ = shell("'\(program)' check '\(file)' >/dev/null 2>'\(folder.file("log"))'")
        _ = shell("'\(program)' plugin urn:stompline-test:\(plugin) >>'\(folder.file("log"))' 2>&1")
        let log = TextFile.text(of: folder.file("log"))
        return log.split(separator: "\n").filter { $0.contains("earlier run") }.joined(
            separator: "\n")
    }

    /// Returns the type of the file system that contains the crash marks.
    func fileSystemOfMarks() -> String {
        _ = shell("stat -L -f -c %T \(diaries) >'\(folder.file("type"))'")
        return TextFile.text(of: folder.file("type"))
    }

    /// Removes the marks, as a restart of the machine does.
    func forgetMemory() { _ = shell("rm -f $(readlink \(diaries))") }

    /// The number of crash records in the program's folder.
    var diaryCount: Int {
        let count = folder.file("count")
        _ = shell("ls -A '\(folder.file("state"))/stompline' | grep -c running >'\(count)'")
        return Int(TextFile.text(of: count).prefix { $0 != "\n" }) ?? -1
    }

    /// A shell pattern for all crash records.
    private var diaries: String { "'\(folder.file("state"))'/stompline/*.running" }

    /// Returns the output of `plugin`.
    func page() -> String {
        _ = shell("'\(program)' plugin urn:stompline-test:\(plugin) >'\(folder.file("page"))' 2>&1")
        return TextFile.text(of: folder.file("page"))
    }

    /// Writes the pipeline, and returns its path; `more` follows its last key.
    private func file(_ trigger: String, _ more: String = "") -> String {
        folder.write(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
              "nodes": [{ "id": "t", "type": "lv2", "uri": "urn:stompline-test:\(plugin)"\(isolate),
                          "parameters": { "trigger": \(trigger) } }]\(more) }
            """, to: "show.json")
    }

    private func otherFile() -> String { folder.write("{ \"version\": 1 }", to: "other.json") }

    private func shell(_ command: String) -> ChildProgram.End {
        ChildProgram(path: "/bin/sh").run([
            "-c",
            "export XDG_STATE_HOME='\(folder.file("state"))' LV2_PATH='\(HostileBundle.folder):/usr/lib/lv2'\n"
                + command,
        ])
    }
}
