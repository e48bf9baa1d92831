import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The black box of the whole program, and its replay.
    @Suite struct BlackBoxProgramTests {
        // A black box is never on a disk.
        private let folder = ScratchFolder.inRAM
        // No plugin can be loaded from a folder in RAM that permits no programs.
        private let plugins = ScratchFolder()
        private let port = "\(20_000 + getpid() % 10_000)"
        private static let root =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

        /// Starts the program with its own folders for its state, plugins, and the memory of boxes.
        private func start(_ arguments: [String]) throws -> Program {
            mkdir(folder.file("memory"), 0o700)
            let home = [
                "XDG_STATE_HOME=\(folder.file("state"))", "LV2_PATH=\(plugins.path):/usr/lib/lv2",
            ]
            return try Program(
                arguments, by: ["env", "XDG_RUNTIME_DIR=\(folder.file("memory"))"] + home)
        }

        private func run(
            _ more: [String] = [], file: String = root + "/pipelines/robot-voice.json"
        ) throws -> Program {
            let server = TestServer.startable("stompline-boxes")
            let program = try start(["run", file, "--json", "--server", server] + more)
            #expect(program.waitFor(event: "started") != nil)
            #expect(program.waitFor(event: "status", times: 2) != nil)
            return program
        }

        /// Calls `ctl`, and expects that it succeeds.
        private func ctl(_ words: String...) throws {
            #expect(try start(["ctl"] + words + ["--port", port]).waitForStatus() == 0)
        }

        /// Runs a script of the shell, and expects that it succeeds.
        private func shell(_ script: String) {
            let process = startProgram(["sh", "-ec", script])
            var status: Int32 = -1
            #expect(waitpid(process, &status, 0) == process && status == 0, "\(script)")
        }

        /// Packs a box, and unpacks it elsewhere.
        ///
        /// - Parameters:
        ///   - box: The path of the box.
        ///   - options: More options of `replay`.
        /// - Returns: The names of the files in the archive, and the path of the other box.
        /// - Throws: An issue if the program cannot be started, or the archive is empty.
        private func pack(
            _ box: String, _ options: String...
        ) throws -> (names: [String], box: String) {
            let place = folder.file("unpacked\(options.joined())")
            let (archive, list) = (place + ".tar", place + ".list")
            let packing = try start(["replay", box, "--pack", archive] + options)
            #expect(packing.waitForStatus() == 0)
            shell("mkdir \(place); tar -tf \(archive) >\(list); tar -xf \(archive) -C \(place)")
            let names: [String] = LiveProgram.text(of: list).split(separator: "\n").compactMap {
                $0.split(separator: "/").last.map(String.init)
            }
            let unpacked = try #require(ScratchFolder.names(in: place).first)
            return (names, "\(place)/\(unpacked)")
        }

        /// The boxes with a reason; an xrun of a busy machine is another one.
        private func boxes(_ reason: String) -> [String] {
            ScratchFolder.names(in: folder.file("state/stompline/boxes"))
                .filter { $0.hasSuffix("-\(reason).stompbox") }
                .map { folder.file("state/stompline/boxes/\($0)") }
        }

        /// Replays a box, and expects that each of its cycles is equal to the bit.
        private func expectEqual(_ box: String) throws {
            let replay = try start(["replay", box, "--json"])
            #expect(replay.waitForStatus() == 0)
            #expect(replay.output.contains("\"different_cycles\": 0,"))
            #expect(!replay.output.contains("\"compared_cycles\": 0,"))
        }

        /// Changes the checksum of the first cycle of a box, and expects that its replay fails.
        private func expectDifference(_ box: String) throws {
            var text = Array(LiveProgram.text(of: "\(box)/cycles.json").utf8)
            let list = try #require(text.firstIndex(of: UInt8(ascii: "[")))
            let quote = try #require(text[list...].firstIndex(of: UInt8(ascii: "\"")))
            text.replaceSubrange(quote + 1..<quote + 17, with: Array("123456789abcdef0".utf8))
            let file = try #require(fopen("\(box)/cycles.json", "w"))
            fwrite(text, 1, text.count, file)
            fclose(file)
            let replay = try start(["replay", box])
            #expect(replay.waitForStatus() == 1)
            #expect(replay.output.contains("1 of "))
        }

        private func end(_ program: Program) {
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test("the newest boxes of both kinds remain, and parts that nobody writes disappear")
        func oldBoxes() throws {
            for part in ["state", "state/stompline", "state/stompline/boxes"] {
                mkdir(folder.file(part), 0o700)
            }
            let place = folder.file("state/stompline/boxes")
            for number in 10..<35 {
                for kind in ["keep", "late"] {
                    mkdir("\(place)/20200101-0000\(number)-1-old-\(kind).stompbox", 0o700)
                }
            }
            let parts = ["old", "new"].map { "\(place)/20200101-000000-1-\($0)-late.stompbox.part" }
            for part in parts { mkdir(part, 0o700) }
            let past = timeval(tv_sec: 1_000_000_000, tv_usec: 0)
            #expect(utimes(parts[0], [past, past]) == 0)
            let program = try run()
            let kept: [String]? = waitUntil {
                let names = boxes("keep")
                return names.count == 20 && access(parts[0], F_OK) != 0 ? names : nil
            }
            #expect(kept?.first?.hasSuffix("000015-1-old-keep.stompbox") == true)
            // A busy machine adds a new one.
            #expect((19...20).contains(boxes("late").filter { $0.contains("-old-") }.count))
            #expect(access(parts[1], F_OK) == 0)
            end(program)
        }

        @Test("the cycles before a death are a box at the next start, which replays to the bit")
        func death() throws {
            let dying = try run()
            kill(dying.process, SIGKILL)
            #expect(dying.waitForStatus() == 128 + SIGKILL)
            #expect(boxes("crash") == [])
            let next = try run()
            let box: String? = waitUntil { boxes("crash").first }
            try expectEqual(try #require(box))
            end(next)
            #expect(ScratchFolder.names(in: folder.file("memory/stompline/boxes")) == [])
        }

        @Test("`ctl keep` fails if there is no memory for a box")
        func noMemory() throws {
            // Nothing is written into a folder that others can change.
            for part in ["memory", "memory/stompline", "memory/stompline/boxes"] {
                #expect(mkdir(folder.file(part), 0o700) == 0)
                #expect(chmod(folder.file(part), 0o777) == 0)
            }
            let program = try run(["--osc", port])
            let order = try start(["ctl", "keep", "--port", port])
            #expect(order.waitForStatus() == 1)
            end(program)
        }

        @Test("`ctl keep` writes a box, and one without the sound if the run is private")
        func kept() throws {
            let program = try run(["--osc", port])
            let order = try start(["ctl", "keep", "--port", port])
            #expect(order.waitForStatus() == 0)
            #expect(program.waitFor(text: "\"reason\": \"on request\"") == true)
            let box = try #require(boxes("keep").first)
            #expect(order.output == "\(box)\n")
            try expectEqual(box)
            #expect(ScratchFolder.names(in: box).contains { $0.hasPrefix("input-1.") })
            end(program)
            try expectDifference(box)

            let secret = try run(["--osc", port, "--box-privacy"])
            #expect(try start(["ctl", "keep", "--port", port]).waitForStatus() == 0)
            #expect(secret.waitFor(text: "\"reason\": \"on request\"") == true)
            let other = try #require(boxes("keep").last { $0 != box })
            let names = ScratchFolder.names(in: other)
            #expect(names.contains("cycles.json"))
            #expect(!names.contains { $0.hasPrefix("input-") || $0.hasPrefix("file-") })
            end(secret)
        }

        @Test("a packed box replays to the bit, and one without the sound replays too")
        func packed() throws {
            try folder.write([[Float](repeating: 0.25, count: 48_000)], to: "track.wav")
            let file = folder.write(
                """
                {"version": 1, "name": "Packed", "inputs": {"mic": {"channels": 1}},
                 "outputs": {"dry": {"channels": 1, "from": "mic"},
                             "main": {"channels": 1, "from": "track"}},
                 "nodes": [{"id": "track", "type": "player", "settings": {"file": "track.wav"},
                            "parameters": {"loop": true}}]}
                """, to: "packed.json")
            let program = try run(["--osc", port], file: file)
            try ctl("keep")
            end(program)
            let box = try #require(boxes("keep").first)

            let whole = try pack(box)
            for prefix in ["cycles.json", "input-1.", "file-"] {
                #expect(whole.names.contains { $0.hasPrefix(prefix) }, "\(prefix)")
            }
            try expectEqual(whole.box)

            let secret = try pack(box, "--privacy")
            #expect(secret.names.contains("cycles.json"))
            #expect(!secret.names.contains { $0.hasPrefix("input-") || $0.hasPrefix("file-") })
            #expect(try start(["replay", secret.box]).waitForStatus() == 0)
        }

        @Test("a panic is a reason for a box")
        func panic() throws {
            let program = try run(["--osc", port])
            try ctl("panic")
            #expect(program.waitFor(text: "-panic.stompbox\", \"reason\": \"a panic\"") == true)
            try expectEqual(try #require(boxes("panic").first))
            end(program)
        }

        @Test(
            "a missed cycle is a reason for a box",
            .onJack("the driver for the tests waits, so no cycle is missed"))
        func late() throws {
            let program = try run()
            kill(program.process, SIGSTOP)
            usleep(100_000)
            kill(program.process, SIGCONT)
            #expect(program.waitFor(text: "-late.stompbox\", \"reason\": \"") == true)
            end(program)
        }

        @Test("the process of a plugin that ends is a reason for a box")
        func lostPlugin() throws {
            try expectBox("plugin", from: "crash-run", isIsolated: true)
        }

        @Test("a plugin that produces NaN is a reason for a box")
        func notFinite() throws {
            try expectBox("not-finite", from: "nan", isIsolated: false)
        }

        /// Plays a plugin of the tests until it fails, and expects a box with a reason about its
        /// node.
        private func expectBox(
            _ reason: String, from plugin: String, isIsolated: Bool
        ) throws {
            let source = Self.root + "/Tests/LV2Tests/Hostile/brutal.lv2"
            // One of the plugins has its description from another test.
            shell(
                """
                mkdir \(plugins.file("brutal.lv2"))
                cd \(plugins.file("brutal.lv2"))
                cp \(source)/brutal.c \(source)/brutal.ttl .
                grep -v many.ttl \(source)/manifest.ttl >manifest.ttl
                cc -shared -fPIC -O1 brutal.c -o brutal.so -lm
                """)
            let file = folder.write(
                """
                {"version": 1, "name": "Faulty", "inputs": {"mic": {"channels": 1}},
                 "outputs": {"main": {"channels": 1}},
                 "nodes": [{"id": "amp", "type": "lv2", "uri": "urn:stompline-test:\(plugin)",
                            "isolate": \(isIsolated)}]}
                """, to: "faulty.json")
            let program = try run(["--osc", port], file: file)
            try ctl("amp.trigger", "true")
            #expect(program.waitFor(text: "-\(reason).stompbox\", \"reason\": \"amp") == true)
            end(program)
        }
    }
}
