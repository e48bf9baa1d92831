import Glibc
import Testing
import Platform

@Suite("A child process")
struct ChildProcessTests {
    /// Returns what a shell script writes to standard output.
    private func output(of script: String, shared: Int32? = nil) throws -> String {
        var launch = ChildProcess.Launch(["sh", "-c", script])
        launch.output = .pipe
        launch.shared = shared
        launch.variables = ["SONG=Take five"]
        let child = try ChildProcess(launch)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = read(child.output, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        #expect(child.wait() == .exit(status: 0))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("gets additional variables, its shared descriptor and no other one")
    func inheritance() throws {
        let file = open("/dev/zero", O_RDONLY)
        defer { close(file) }
        #expect(try output(of: "echo $SONG") == "Take five\n")
        #expect(try output(of: "ls /proc/$$/fd; true") == "0\n1\n2\n")
        #expect(try output(of: "readlink /proc/$$/fd/3", shared: file) == "/dev/zero\n")
    }

    @Test("has its own process group and no ignored signals")
    func group() throws {
        #expect(try output(of: "test $(ps -o pgid= -p $$) -eq $$ && echo own") == "own\n")
        #expect(try output(of: "grep SigIgn /proc/$$/status") == "SigIgn:\t0000000000000000\n")
    }

    @Test("reports how it ended")
    func ends() throws {
        #expect(try ChildProcess(.init(["sh", "-c", "exit 3"])).wait() == .exit(status: 3))
        #expect(try ChildProcess(.init(["sh", "-c", "kill -TERM $$"])).wait() == .signal(SIGTERM))
        let sleeper = try ChildProcess(.init(["sleep", "60"]))
        #expect(sleeper.currentEnd() == nil)
        #expect(sleeper.wait(forMilliseconds: 5) == nil)
        #expect(sleeper.kill() == .signal(SIGKILL))
        #expect(sleeper.currentEnd() == .signal(SIGKILL))
    }

    @Test("throws the system's reason if it cannot start")
    func failure() {
        #expect(throws: SystemError(ENOENT)) { try ChildProcess(.init(["no such program"])) }
        #expect(SystemError(ENOENT).message == "No such file or directory")
        #expect(ChildProcess.path(ofProgram: "no such program") == nil)
        #expect(ChildProcess.path(ofProgram: "sh")?.hasSuffix("/sh") == true)
    }
}
