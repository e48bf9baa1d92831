import Effects
import JackHost
import Pipelines
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
    }
}
