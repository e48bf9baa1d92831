import CJack
import Glibc
import Synchronization
import Testing
import TestSignals

extension JackTests {
    /// Songs with other numbers of inputs and outputs.
    @Suite struct SignalCountTests {
        /// A pipeline with some outputs in addition to `main`, and a chain of nodes.
        ///
        /// The paths through a chain in reverse order take long to find.
        private static func song(outputs: Int, nodes: Int) -> String {
            let more = (0..<outputs).map { "\"more\($0)\": { \"from\": \"n0\" }" }
            let all = (more + ["\"main\": { \"limiter\": false, \"from\": \"n0\" }"])
                .joined(separator: ", ")
            let chain = (0..<nodes).map { index in
                let source = index + 1 < nodes ? "n\(index + 1)" : "mic"
                return "{ \"id\": \"n\(index)\", \"type\": \"gain\", \"from\": \"\(source)\" }"
            }.joined(separator: ",\n")
            return """
                { "version": 1, "inputs": { "mic": {} }, "outputs": { \(all) },
                  "nodes": [\(chain)] }
                """
        }

        /// Makes JACK ask all clients for their latencies, as often as possible.
        private final class Asker: @unchecked Sendable {
            // SAFETY: `handle` is constant, and JACK allows requests from any one thread.
            private let client: TestClient
            private let isEnding = Atomic<Bool>(false)
            private var thread = pthread_t()

            init() throws {
                client = try #require(TestClient(named: "asker"))
                client.start()
                let context = Unmanaged.passUnretained(self).toOpaque()
                pthread_create(
                    &thread, nil,
                    { context in
                        guard let context else { return nil }
                        let asker = Unmanaged<Asker>.fromOpaque(context).takeUnretainedValue()
                        while !asker.isEnding.load(ordering: .relaxed) {
                            jack_recompute_total_latencies(asker.client.handle)
                        }
                        return nil
                    }, context)
            }

            func end() {
                isEnding.store(true, ordering: .relaxed)
                pthread_join(thread, nil)
                client.close()
            }
        }

        @Test("JACK may ask for latencies at any moment of a change of songs")
        func latencies() throws {
            let live = try LiveProgram(
                "Counts",
                [
                    "night.json": """
                    { "version": 1, "setlist": "Night",
                      "songs": [{ "pipeline": "few.json" }, { "pipeline": "many.json" }] }
                    """,
                    "few.json": Self.song(outputs: 0, nodes: 1),
                    "many.json": Self.song(outputs: 8, nodes: 100),
                ])
            let asker = try Asker()
            for _ in 0..<15 {
                try live.ctl("song", "2")
                try live.ctl("song", "1")
            }
            asker.end()
            #expect(try live.ctl("song") == "few")
        }
    }
}
