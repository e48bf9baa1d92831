import Glibc
import Platform
import TestSignals
import Testing

/// Most tests run the program Sandbox/Programs/escape.c as a sandboxed child and check its report.
@Suite("A sandboxed child")
struct SandboxedChildTests {
    private let folder = ScratchFolder()
    private static let program = CProgram("escape")

    /// Returns the result of each attempt of the program: "yes", or the error number.
    private func attempts(
        mayUseNetwork: Bool = false, also words: [String] = []
    ) throws -> (results: [String: String], end: ChildEnd) {
        let program = try #require(Self.program)
        let port = LocalPort()
        let run = try SandboxedRun(
            [
                program.path, folder.write("sound", to: "own"), folder.write("secret", to: "other"),
                folder.path, "\(port.number)",
            ] + words, reading: folder.file("own"), mayUseNetwork: mayUseNetwork)
        return (run.results, run.end)
    }

    private func expect(_ results: [String: String], _ names: [String], _ wanted: String?) {
        for name in names {
            if let wanted {
                #expect(results[name] == wanted, "\(name)")
            } else {
                #expect(results[name] != nil && results[name] != "yes", "\(name)")
            }
        }
    }

    @Test("can read its file and system files, use threads and memory, and inherits no descriptor")
    func allowed() throws {
        let held = open("/dev/null", O_RDONLY)
        defer { close(held) }
        let (results, end) = try attempts()
        expect(
            results,
            ["read-own", "read-system", "read-random", "thread", "memory", "raise-own"], "yes")
        expect(results, ["descriptors"], "0")
        #expect(end == .exit(status: 0))
    }

    @Test("can read no other file and write none", .enabled(if: ProcessSandbox.canRestrictFiles))
    func files() throws {
        let results = try attempts().results
        expect(
            results, ["read-secret", "read-shadow", "write-own", "write-outside", "write-tmp"],
            "\(EACCES)")
        expect(results, ["read-parent"], nil)
    }

    @Test("can start no process, harm neither its parent nor the machine, and open no socket")
    func calls() throws {
        let results = try attempts().results
        expect(
            results,
            [
                "fork", "fork-library", "namespace", "socket", "local-socket", "listen", "connect",
                "kill-parent", "ptrace-parent", "slow-parent", "limit-parent", "mount", "untie",
                "own-user",
            ], "\(EPERM)")
        expect(results, ["type", "raise-limit"], nil)
        expect(results, ["privileges"], "1")
    }

    @Test("can connect to other machines if permitted, but cannot listen")
    func network() throws {
        let results = try attempts(mayUseNetwork: true).results
        expect(results, ["socket", "connect"], "yes")
        expect(results, ["listen", "local-socket", "fork", "kill-parent"], nil)
    }

    @Test("gets no more memory than its limit")
    func memory() throws {
        expect(try attempts().results, ["much-memory"], "\(ENOMEM)")
    }

    @Test("keeps the lower limits of its user, and lowers the others")
    func limits() throws {
        let program = try #require(CProgram("limits"))
        #expect(runProgram([program.path]) == 0)
    }

    @Test("is terminated if it starts another program")
    func start() throws {
        let (results, end) = try attempts(also: ["exec"])
        expect(results, ["privileges"], "1")
        #expect(end == .signal(SIGSYS))
        #expect(results["exec"] == nil)
    }

    @Test("fails with a reason if the program does not exist or is not executable")
    func missing() {
        #expect(throws: SystemError(ENOENT)) {
            try SandboxedRun(["no such program"], reading: "/", mayUseNetwork: false)
        }
        let text = folder.write("no program", to: "text")
        chmod(text, 0o755)
        #expect(throws: SystemError(ENOEXEC)) {
            try SandboxedRun([text], reading: "/", mayUseNetwork: false)
        }
    }

    @Test("writes to its pipe or does not start if descriptors run out")
    func descriptors() throws {
        let program = try #require(CProgram("few_descriptors"))
        let statuses = try (4...40).map { limit in
            try #require(runProgram(["sh", "-c", "ulimit -n \(limit); exec \(program.path)"])) >> 8
        }
        // 0: its output arrived, 1: it did not start.
        #expect(statuses.allSatisfy { $0 == 0 || $0 == 1 }, "\(statuses)")
        #expect(statuses.first == 1)
        #expect(statuses.last == 0)
    }
}
