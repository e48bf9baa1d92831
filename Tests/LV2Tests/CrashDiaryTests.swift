import Glibc
import LV2
import PluginComparison
import Synchronization
import TestSignals
import Testing

/// Each run has a JACK server of its own, with a dummy driver.
@Suite("The diary of crashes", .serialized)
struct CrashDiaryTests {
    @Test(
        "a plugin that ends the program is named by the next check, until it has played well",
        arguments: [
            ("crash-instantiate", "while it was being made"),
            ("exit-activate", "while it was being activated"), ("crash-run", "in its run"),
            ("exit-run", "in its run"), ("crash-cleanup", "while it was being freed"),
            ("crash-work", "in its worker"), ("exit-work", "in its worker"),
        ])
    func named(_ name: String, _ place: String) throws {
        let show = Show(plugin: name)
        #expect(show.run("true") != .status(0))
        let log = show.check()
        #expect(
            log.contains(
                "an earlier run ended inside the plugin urn:stompline-test:\(name), \(place)"),
            "\(log)")
        #expect(log.contains("\"isolate\": true"))
    }

    @Test("a run that ended well forgets the crash of its plugins")
    func forgotten() throws {
        let show = Show(plugin: "crash-run")
        #expect(show.run("true") == .status(128 + SIGSEGV))
        #expect(show.run("false") == .status(0))
        #expect(show.check() == "")
    }

    @Test("a plugin's page tells of its crash")
    func page() throws {
        let show = Show(plugin: "crash-run")
        #expect(show.check() == "")
        #expect(show.run("true") == .status(128 + SIGSEGV))
        #expect(show.page().contains("an earlier run ended inside the plugin"))
    }

    @Test("the marks are in no disk's file: once written back, the next store would wait for it")
    func memory() throws {
        let show = Show(plugin: "crash-run")
        #expect(show.run("true") == .status(128 + SIGSEGV))
        #expect(show.fileSystemOfMarks() == "tmpfs\n")
    }

    @Test("after the machine was started anew nobody is named, and the next run tidies up")
    func startedAnew() throws {
        let show = Show(plugin: "crash-run")
        #expect(show.run("true") == .status(128 + SIGSEGV))
        show.forgetMemory()
        #expect(show.check() == "")
        #expect(show.diaryCount == 1)
        #expect(show.run("false") == .status(0))
        #expect(show.diaryCount == 0)
    }

    @Test(
        "in a process of its own the same plugin ends no show",
        arguments: ["crash-run", "exit-run", "crash-cleanup", "crash-work", "exit-work"])
    func isolated(_ name: String) throws {
        let show = Show(plugin: name, isolate: ", \"isolate\": true")
        #expect(show.run("true") == .status(0))
        #expect(show.check() == "")
    }
}

/// A pipeline of one plugin, the program, and a folder for the program's state.
private final class Show {
    let plugin: String
    let isolate: String
    private let folder = ScratchFolder()
    private let program = ChildProgram(product: "stompline").path

    /// Each server has a name of its own: one may still be on its way out.
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

    // What a crash leaves outlives the folder.
    deinit { forgetMemory() }

    /// Plays it for a moment with the trigger on or off; the status is a shell's: 128 and the signal.
    ///
    /// A server that does not come up on a busy machine is tried again.
    func run(_ trigger: String) -> ChildProgram.End {
        let withoutServer = ChildProgram.End.status(69)
        for _ in 0..<4 {
            let end = runOnce(trigger)
            if end != withoutServer { return end }
        }
        return withoutServer
    }

    private func runOnce(_ trigger: String) -> ChildProgram.End {
        let server = "stompline-crash-\(getpid())-\(Self.count())"
        let file = file(trigger)
        // The server is the shell's child, so that it goes in order though its client did not.
        return shell(
            """
            jackd -S -n \(server) -d dummy -r 48000 -p 128 >/dev/null 2>&1 & jackd=$!
            jack_wait -s \(server) -w -t 5 >/dev/null 2>&1
            '\(program)' run '\(file)' --duration 0.5 --server \(server) --no-start-server >/dev/null 2>&1
            status=$?; kill $jackd; wait $jackd; exit $status
            """)
    }

    /// What `check` says on standard error.
    func check() -> String {
        // Instantiation alone would end the check too; this one has the plugin in a process of its own for it.
        let file = plugin.hasSuffix("run") || !isolate.isEmpty ? file("false") : otherFile()
        _ = shell("'\(program)' check '\(file)' >/dev/null 2>'\(folder.file("log"))'")
        _ = shell("'\(program)' plugin urn:stompline-test:\(plugin) >>'\(folder.file("log"))' 2>&1")
        let log = TextFile.text(of: folder.file("log"))
        return log.split(separator: "\n").filter { $0.contains("earlier run") }.joined(
            separator: "\n")
    }

    /// The type of the file system that keeps the marks of a crash.
    func fileSystemOfMarks() -> String {
        _ = shell("stat -L -f -c %T \(diaries) >'\(folder.file("type"))'")
        return TextFile.text(of: folder.file("type"))
    }

    /// Does to the marks what a start of the machine does.
    func forgetMemory() { _ = shell("rm -f $(readlink \(diaries))") }

    /// The diaries that lie in the program's folder.
    var diaryCount: Int {
        let count = folder.file("count")
        _ = shell("ls -A '\(folder.file("state"))/stompline' | grep -c running >'\(count)'")
        return Int(TextFile.text(of: count).prefix { $0 != "\n" }) ?? -1
    }

    /// All of them, as a shell's pattern.
    private var diaries: String { "'\(folder.file("state"))'/stompline/*.running" }

    /// What `plugin` prints.
    func page() -> String {
        _ = shell("'\(program)' plugin urn:stompline-test:\(plugin) >'\(folder.file("page"))' 2>&1")
        return TextFile.text(of: folder.file("page"))
    }

    private func file(_ trigger: String) -> String {
        folder.write(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
              "nodes": [{ "id": "t", "type": "lv2", "uri": "urn:stompline-test:\(plugin)"\(isolate),
                          "parameters": { "trigger": \(trigger) } }] }
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
