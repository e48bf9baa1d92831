import Glibc
import Testing
import TestSignals

extension JackTests {
    /// Failures of a setlist's own nodes while it plays.
    @Suite struct OuterFailureTests {
        private static let amplifier = "http://lv2plug.in/plugins/eg-amp"
        private static let isolated =
            "\"type\": \"lv2\", \"uri\": \"\(amplifier)\", \"isolate\": true"
        /// The line of the setlist with the first node of `after`.
        private static let line = 6

        /// Returns a setlist of two songs whose sound goes through a node and a gain.
        private static func setlist(_ node: String) -> String {
            """
            {
              "version": 1,
              "setlist": "Night",
              "songs": [{ "pipeline": "one.json" }, { "pipeline": "two.json" }],
              "after": [
                { "id": "amp", "from": "main", \(node) },
                { "id": "trim", "type": "gain" }
              ],
              "outputs": { "main": { "from": "trim", "limiter": false } }
            }
            """
        }

        private static func live(_ name: String, _ node: String) throws -> LiveProgram {
            try LiveProgram(
                name,
                [
                    "night.json": setlist(node), "one.json": StageFiles.level(0),
                    "two.json": StageFiles.level(StageFiles.half),
                ])
        }

        /// Sends a signal to the process of the plugin.
        private func signal(_ number: Int32, pluginOf live: LiveProgram) throws {
            let child = waitUntil {
                processes(withArgument: "\(live.program.process)").first
            }
            #expect(kill(try #require(child), number) == 0)
        }

        @Test(
            "an isolated plugin that crashes or is killed passes the dry signal and returns, over songs",
            arguments: [SIGSEGV, SIGKILL])
        func lostPlugin(number: Int32) throws {
            let live = try Self.live("Outer lost \(number)", Self.isolated)
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            // The process starts again with the live value.
            try live.ctl("amp.gain", "\(2 * StageFiles.half)")
            #expect(live.listener.waits(for: 0.125))
            let start = live.listener.heardFrames
            try signal(number, pluginOf: live)
            let line = try #require(live.program.waitFor(event: "plugin_lost"))
            #expect(line.contains("\"node\": \"amp\""), "\(line)")
            #expect(live.listener.waits(for: 0.125))
            let heard = live.listener.heard[start...]
            #expect(heard.contains { abs($0 - 0.5) < 1e-4 })
            #expect(heard.allSatisfy { (0.1249...0.5001).contains($0) })
            try live.ctl("next-song")
            #expect(live.listener.waits(for: 0.0625))
            // The song changes while the plugin is lost.
            try signal(number, pluginOf: live)
            try live.ctl("previous-song")
            #expect(try live.holds("song", "one"))
            #expect(live.program.waitFor(event: "plugin_lost", times: 2) != nil)
            #expect(live.listener.waits(for: 0.125))
            #expect(try live.ctl("amp.gain") == "\(2 * StageFiles.half)")
        }

        @Test("an isolated plugin that is lost too often stays dry, and songs still change")
        func abandonedPlugin() throws {
            let live = try Self.live("Outer gone", Self.isolated)
            live.player.play([0.5])
            try live.ctl("amp.gain", "\(2 * StageFiles.half)")
            for times in 1...3 {
                #expect(live.listener.waits(for: 0.125))
                try signal(SIGKILL, pluginOf: live)
                #expect(live.program.waitFor(event: "plugin_lost", times: times) != nil)
            }
            #expect(live.listener.waits(for: 0.125))
            try signal(SIGKILL, pluginOf: live)
            #expect(live.program.waitFor(event: "plugin_abandoned") != nil)
            #expect(live.listener.waits(for: 0.5))
            try live.ctl("next-song")
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.holds("song", "two"))
            try live.ctl("trim.gain", "\(StageFiles.half)")
            #expect(live.listener.waits(for: 0.125))
            #expect(live.program.count(event: "plugin_lost") == 3)
        }

        @Test("a setlist starts without a plugin that is not installed, and reports it once")
        func missingPlugin() throws {
            let live = try Self.live(
                "Outer missing", "\"type\": \"lv2\", \"uri\": \"urn:stompline:none\"")
            let line = try #require(live.program.waitFor(event: "problems"))
            #expect(line.contains(#""node": "amp", "consequence": "dry""#), "\(line)")
            #expect(live.says("node \"amp\" passes its input: "))
            #expect(live.standardError.contains("night.json:\(Self.line):"))
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            try live.ctl("trim.gain", "\(StageFiles.half)")
            #expect(live.listener.waits(for: 0.25))
            try live.ctl("next-song")
            #expect(live.listener.waits(for: 0.125))
            #expect(try live.holds("song", "two"))
            try live.ctl("previous-song")
            #expect(live.listener.waits(for: 0.25))
            #expect(live.program.count(event: "problems") == 1)
            #expect(try live.ctl("problems").split(separator: "\n").count == 1)
            // Another plugin in its place plays.
            live.edit("urn:stompline:none", Self.amplifier)
            #expect(try live.holds("amp.gain", "0"))
            try live.ctl("amp.gain", "\(StageFiles.half)")
            #expect(live.listener.waits(for: 0.125))
        }

        @Test(
            "a broken node of a setlist that plays is reported at its place, and the sound continues"
        )
        func brokenEdit() throws {
            let node = "\"type\": \"gain\", \"parameters\": { \"gain\": 0 }"
            let live = try Self.live("Outer broken", node)
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            let text = Self.setlist(node)
            let entry = text.split(separator: "\n")[Self.line - 1]
            for (good, bad, place, message) in [
                ("\"gain\": 0", "\"gian\": 0", "/after/0/parameters/gian", "did you mean gain?"),
                ("\"from\": \"main\"", "\"from\": \"mian\"", "/after/0/from", "mian"),
                ("\"gain\": 0", "\"gain\": 99", "/after/0/parameters/gain", "99"),
            ] {
                let before = live.standardError.count
                live.write(text.replacing(good, with: bad))
                let said = waitUntil { () -> String? in
                    let new = String(live.standardError.dropFirst(before))
                    return new.contains("at \(place)") ? new : nil
                }
                let report = try #require(said, "\(bad)")
                // The place is the key or its value.
                let key = try #require(entry.firstRange(of: good)?.lowerBound)
                let column = entry.distance(from: entry.startIndex, to: key) + 1
                let columns = column...(column + good.count)
                let named = report.split(separator: "night.json:\(Self.line):").dropFirst()
                    .compactMap { Int($0.prefix { $0.isNumber }) }
                #expect(named.contains { columns.contains($0) }, "\(report)")
                #expect(report.contains(message), "\(report)")
            }
            _ = live.listener.record(4_800)
            #expect(live.listener.heard[start...].allSatisfy { $0 == 0.5 })
            // Songs change within the outer level that plays.
            try live.ctl("next-song")
            #expect(live.listener.waits(for: 0.25))
            live.write(
                text.replacing("\"gain\": 0", with: "\"gain\": \(StageFiles.half)"))
            #expect(live.listener.waits(for: 0.125))
        }
    }
}
