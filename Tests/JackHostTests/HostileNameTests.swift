import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The real program with names that would move the cursor or change the terminal's title if
    /// they were printed unescaped.
    @Suite struct HostileNameTests {
        private static let name = "\u{1B}]0;x\u{07}\n\u{9B}2J\u{7F}\u{202E}"
        private static let inJSON = "\\u001b]0;x\\u0007\\n\\u009b2J\\u007f\\u202e"
        private static let shown = "\\u{1b}]0;x\\u{7}\\n\\u{9b}2J\\u{7f}\\u{202e}"

        private func pipeline(_ gain: String) -> String {
            StageFiles.pipeline(
                """
                "name": "\(Self.inJSON)", "nodes": [{ "id": "lev", "type": "gain" }],
                "scene": "\(Self.inJSON)",
                "scenes": { "\(Self.inJSON)": { "lev.gain": \(gain) }, "soft": { "lev.gain": -6 } }
                """)
        }

        @Test("run, its JSON and ctl print no control characters of names")
        func names() throws {
            let live = try LiveProgram(
                "Hostile", ["song\u{1B}]0;y\u{07}\n\u{9B}.json": pipeline("0")], input: nil)
            #expect(try live.holds("scene", Self.shown))
            #expect(try live.ctl("scene", "soft") == "soft")
            #expect(try live.ctl("scene", Self.name) == Self.shown)
            #expect(live.says("scene: \(Self.shown)\n"))
            #expect(live.says("playing \"\(Self.shown)\" as JACK client"))
            #expect(
                live.program.waitFor(event: "started")?
                    .contains("\"pipeline\": \"\(Self.inJSON)\"") == true)
            // Errors of the file contain the name.
            live.write(pipeline("\"loud\""))
            #expect(live.says("song\\u{1b}]0;y\\u{7}\\n\\u{9b}.json:"))
            let dump = try live.ctl()
            #expect(dump.contains("scene \(Self.shown)"))
            for text in [live.standardError, dump] {
                #expect(!text.unicodeScalars.contains { $0 != "\n" && isControlling($0) })
                #expect(!text.contains("\n\u{9B}") && !text.contains("\n2J"))
            }
        }

        /// Returns whether a terminal would interpret the character as a control character.
        private func isControlling(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control || scalar == "\u{202E}"
        }
    }
}
