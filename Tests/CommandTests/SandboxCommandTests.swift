import Glibc
import Testing
import TestSignals

@Suite("Sandboxed child processes, started by root and by ordinary users")
struct SandboxCommandTests {
    private let program = Program()

    /// Commands that select the user: the tests' own, and an ordinary one if root runs the tests.
    private static let users: [[String]] =
        geteuid() == 0
        ? [[], ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]] : [[]]

    private func started(by user: [String]) throws -> Program {
        var program = program
        chmod(program.folder.path, 0o777)
        try program.write([[Float](repeating: 0.25, count: 4800)], to: "s.wav")
        program.environment += user
        return program
    }

    @Test("ffmpeg decodes", arguments: users)
    func decodes(_ user: [String]) throws {
        let program = try started(by: user)
        let path = program.folder.file("s.m4a")
        #expect(
            program.other(
                "ffmpeg", "-nostdin", "-v", "error", "-i", program.folder.file("s.wav"), "-c:a",
                "alac", path))
        let outcome = program("convert", "s.m4a", "c.wav")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try program.sound("c.wav").map(\.count) == [4800])
    }

    @Test(
        "an isolated plugin plays, in its sandbox and without one", arguments: users,
        ["", ", \"sandbox\": false"])
    func plays(_ user: [String], _ node: String) throws {
        let program = try started(by: user)
        program.write(
            """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1, "limiter": false } },
            "nodes": [{ "id": "a", "type": "lv2", "uri": "http://lv2plug.in/plugins/eg-amp",
                        "isolate": "same-cycle"\(node) }]
            """)
        let outcome = program("render", "p.json", "--input", "s.wav", "--output", "o.wav")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        #expect(try program.sound("o.wav").first?.first == 0.25)
    }

    @Test("plugins are probed", arguments: users)
    func tries(_ user: [String]) throws {
        var program = try started(by: user)
        program.environment.insert("XDG_CACHE_HOME=\(program.folder.path)", at: 0)
        let outcome = program("plugins", "eg-amp", "--probe")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("plays"))
    }
}
