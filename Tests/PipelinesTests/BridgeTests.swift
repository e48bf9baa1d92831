import Pipelines
import Testing

@Suite("Bridges to other machines")
struct BridgeTests {
    private func bridges(_ list: String) throws -> [Bridge] {
        let text = """
            { "version": 1, "bridges": \(list), "nodes": [ { "id": "a", "type": "gain" } ] }
            """
        return try Pipeline(
            decoding: Array(text.utf8), file: "a.json", catalogue: FakeCatalogue.catalogue
        ).bridges
    }

    @Test("the command line of each program has all that the file states, and the server")
    func commands() throws {
        let all = try bridges(
            """
            [ { "program": "zita-j2n", "host": "stage", "port": 4000, "channels": 3, "name": "out" },
              { "program": "zita-n2j", "channels": 3, "buffer": 5 },
              { "program": "netmanager", "name": "rig" } ]
            """)
        #expect(
            all.map { $0.command(server: "desk").joined(separator: " ") } == [
                "zita-j2n --jname out --jserv desk --chan 3 stage 4000",
                "zita-n2j --jserv desk --chan 1,2,3 --buff 5 0.0.0.0 30042",
                "jack_load -w -s desk -i -p 19000 rig netmanager",
            ])
        #expect(all[1].command(server: nil).prefix(2) == ["zita-n2j", "--chan"])
    }

    @Test("a file without bridges has none")
    func none() throws { #expect(try bridges("[]").isEmpty) }
}
