import Testing
import TestSignals

@Suite("stompline remotes")
struct RemotesCommandTests {
    private let program: Program
    private static let hash = String(repeating: "ab", count: 32)

    init() {
        var program = Program()
        program.environment = ["XDG_STATE_HOME=\(program.folder.path)/state", "TZ=UTC"]
        self.program = program
    }

    /// Writes the file of the paired devices.
    private func pair(_ devices: [(id: String, name: String, role: String)]) {
        _ = program.other("mkdir", "-p", "\(program.folder.path)/state/stompline")
        let entries = devices.map { device in
            """
            {"id": "\(device.id)", "name": "\(device.name)", "role": "\(device.role)",
             "limit": null, "key-sha256": "\(Self.hash)", "paired": 1790000000,
             "seen": 1790000000}
            """
        }.joined(separator: ",\n")
        program.folder.write(
            "{\"version\": 1, \"devices\": [\(entries)], \"offers\": [], \"servers\": []}",
            to: "state/stompline/remotes.json")
    }

    @Test("the paired devices are listed, for people and as JSON")
    func list() {
        let none = program("remotes")
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(none.errors.contains("no device is paired"))
        #expect(program("remotes", "--json").output == "[]\n")
        pair([("1a2b3c4d", "Phone", "play"), ("5e6f7a8b", "Lights", "look")])
        let listed = program("remotes").output.split(separator: "\n").map(String.init)
        #expect(listed.count == 2)
        #expect(listed[0].hasPrefix("1a2b3c4d  play"))
        #expect(listed[0].contains("seen 2026-09-21 14:13") && listed[0].hasSuffix("Phone"))
        #expect(program("remotes", "--json").output.contains("\"name\": \"Lights\""))
    }

    @Test("a device is changed and revoked by its name or its id")
    func change() {
        pair([("1a2b3c4d", "Phone", "play"), ("5e6f7a8b", "Lights", "look")])
        #expect(program("remotes", "--change", "Phone", "--role", "edit").status == 0)
        #expect(program("remotes").output.contains("1a2b3c4d  edit"))
        #expect(program("remotes", "--change", "5e6f7a8b", "--limit", "ears").status != 0)
        #expect(
            program("remotes", "--change", "5e6f7a8b", "--role", "play", "--limit", "ears").status
                == 0)
        #expect(program("remotes").output.contains("ears"))
        let revoked = program("remotes", "--revoke", "Phone")
        #expect(revoked.output == "revoked Phone\n")
        #expect(!program("remotes").output.contains("Phone"))
        #expect(program("remotes", "--revoke-all").output == "revoked Lights\n")
        #expect(program("remotes", "--json").output == "[]\n")
    }

    @Test("an unknown device, an ambiguous name and a damaged file are named")
    func refused() {
        pair([("1a2b3c4d", "Phone", "play"), ("5e6f7a8b", "Phone", "look")])
        let unknown = program("remotes", "--revoke", "Drums")
        #expect(unknown.status == 64 && unknown.errors.contains("'Drums'"))
        let twice = program("remotes", "--revoke", "Phone")
        #expect(twice.status == 64 && twice.errors.contains("1a2b3c4d, 5e6f7a8b"))
        program.folder.write("{", to: "state/stompline/remotes.json")
        let damaged = program("remotes")
        #expect(damaged.status == 66 && damaged.errors.contains("remotes.json is damaged"))
        #expect(program.text("state/stompline/remotes.json") == "{")
    }

    @Test("a code needs a session that runs")
    func invite() {
        let alone = program("remotes", "--pair")
        #expect(alone.status == 69 && alone.errors.contains("no session runs"))
    }

    @Test(
        "options that do not go together are refused",
        arguments: [
            (["remotes", "--pair", "--revoke-all"], "exclude each other"),
            (["remotes", "--role", "look"], "need --pair or --change"),
            (["remotes", "--change", "Phone"], "needs --role or --limit"),
            (["remotes", "--pair", "--role", "boss"], "'boss' must be look, play or edit"),
            (["remotes", "--pair", "--role", "look", "--limit", "ears"], "with the role play"),
            (["run", "p.json", "--http-role", "look"], "need --http"),
            (["run", "p.json", "--http-limit", "ears"], "need --http"),
            (["run", "p.json", "--http", "0", "--http-limit", ""], "must name a mixer"),
            (["run", "p.json", "--http", "0", "--http-role", "boss"], "'boss' must be"),
            (["run", "p.json", "--http-tls", "self-made"], "need --http"),
            (["run", "p.json", "--http", "0", "--http-tls-key", "k.pem"], "needs --http-tls"),
            (
                ["run", "p.json", "--http", "0", "--http-tls", "self-made", "--http-tls-key", "k"],
                "needs --http-tls with a file"
            ),
        ])
    func options(_ arguments: [String], _ reason: String) {
        let refused = program(arguments)
        #expect(refused.status == 64)
        #expect(refused.errors.contains(reason), "\(refused.errors)")
    }
}
