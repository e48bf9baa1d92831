import Effects
import Glibc
import JackHost
import Pipelines
import Platform
import Processing
import SessionCore
import Testing

extension JackTests {
    /// A session whose nodes run on two cores.
    @Suite struct SharedCoresTests {
        private static let catalogue = Catalogue(
            effects: EffectCatalogue.effects, plugins: NoPlugins())

        @Test(
            "a worker runs some of the branches, also of those that begin late",
            arguments: [false, true])
        func branches(beginLate: Bool) throws {
            let head =
                beginLate
                ? (0..<4).map { #"{ "id": "h\#($0)", "type": "pitch-shift" }, "# }.joined() : ""
            let branches = (0..<6).map {
                #"{ "id": "b\#($0)", "type": "pitch-shift", "from": "\#(beginLate ? "h3" : "in")" }, "#
            }
            let text = """
                { "version": 1, "inputs": { "in": {} }, "outputs": { "out": {} },
                  "nodes": [ \(head)\(branches.joined())
                    { "id": "sum", "type": "mixer", "from": ["b0", "b1", "b2", "b3", "b4", "b5"] } ] }
                """
            let pipeline = try Pipeline(
                decoding: Array(text.utf8), file: "branches.json", catalogue: Self.catalogue)
            let patchbay = try Patchbay()
            defer { withExtendedLifetime(patchbay) {} }
            let session = try RunningSession(
                songs: [Song(name: "branches", pipeline: pipeline, path: "")], named: "Branches",
                catalogue: Self.catalogue
            ) { options in
                options.coreCount = 2
                options.usesCoresAutomatically = false
            }
            defer { session.stop() }
            let shared = session.waitFor {
                guard case .status(let status) = $0 else { return false }
                return status.coreLoads.count == 2 && status.coreLoads[1] > 0
            }
            #expect(shared != nil)
        }

        @Test(
            "one core is used, and that is reported, if the server has no real-time priority",
            .onJack("PipeWire has no such option"),
            .enabled(if: ProcessorCount.online > 1, "run uses no more cores than there are"))
        func noPriority() throws {
            let name = "stompline-no-priority"
            let server = ForeignServer(
                name: name,
                command: ["jackd", "-r", "-n", name, "-d", "dummy", "-r", "48000", "-p", "256"])
            let jackd = server.start()
            defer { server.end(jackd) }
            let folder = PipelineFolder(
                """
                {"version": 1, "cores": 2, "nodes": [{"id": "a", "type": "gain"}]}
                """)
            let arguments = ["run", folder.file, "--json", "--no-start-server", "--server", name]
            let started: Program? = waitUntil {
                guard let program = try? Program(arguments) else { return nil }
                return program.waitFor(event: "started") == nil ? nil : program
            }
            let program = try #require(started)
            #expect(program.count(event: "cores_not_used") == 1)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }
    }
}
