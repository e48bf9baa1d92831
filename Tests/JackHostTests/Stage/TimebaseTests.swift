import CJack
import Glibc
import Testing
import TestSignals

extension JackTests {
    /// A program that gives JACK's transport its bars, beats and tempo.
    @Suite struct TimebaseTests {
        private static let pipeline = StageFiles.pipeline(
            "\"tempo\": 117, \"nodes\": [{ \"id\": \"lev\", \"type\": \"gain\" }]")

        /// Checks that the beat of each rolling cycle follows from the one before it and its tempo,
        /// to less than a frame; returns the number of compared cycles.
        @discardableResult
        private func expectSteady(_ times: [JackTime]) -> Int {
            var count = 0
            for (last, next) in zip(times, times.dropFirst())
            where last.isRolling && next.isRolling && next.frame > last.frame {
                let perFrame = last.beatsPerMinute / (60 * 48_000)
                let expected = last.beats + Double(next.frame - last.frame) * perFrame
                #expect(abs(next.beats - expected) < 0.01 * perFrame, "frame \(next.frame)")
                #expect(next.hasBeats && next.beatsPerBar == 4 && next.beatUnit == 4)
                count += 1
            }
            return count
        }

        private func says(_ live: LiveProgram, role: String) -> Bool {
            live.program.waitFor(text: "{\"event\": \"timebase\", \"role\": \"\(role)\"}") == true
        }

        @Test(
            "the beats of the transport follow the session's tempo, to the frame",
            .onJack("beats on PipeWire 0.3.65 differ by up to 0.003"))
        func beats() throws {
            let listener = try TransportListener("beats")
            do {
                let live = try LiveProgram(
                    "Leading", ["p.json": Self.pipeline], "--timebase", "if-free")
                defer { withExtendedLifetime(live) {} }
                #expect(says(live, role: "master"))
                #expect(listener.waits { $0.hasBeats && $0.beatsPerMinute == 117 })
                #expect(listener.times.last?.beats == 0)
                jack_transport_start(listener.handle)
                #expect(listener.waits { $0.isRolling && $0.frame > 4_800 })
                for tempo in ["93.5", "240", "20"] {
                    try live.ctl("tempo", tempo)
                    #expect(listener.waits { $0.beatsPerMinute == Double(tempo) })
                    _ = listener.record(cycles: 400)
                }
                try live.ctl("tap")
                try live.ctl("tap")
                #expect(listener.waits { $0.beatsPerMinute != 20 })
                _ = listener.record(cycles: 400)
                let rolling = listener.times.drop { !$0.isRolling }
                #expect(expectSteady(Array(rolling)) > 1_500)
                #expect(zip(rolling, rolling.dropFirst()).allSatisfy { $0.beats <= $1.beats })
                // The first cycles have one tempo, from frame 0 on.
                let first = try #require(rolling.first { $0.frame > 1_000 })
                #expect(abs(first.beats - Double(first.frame) * 117 / 2_880_000) < 1e-6)
            }
            listener.rewind()
        }

        @Test(
            "a stop keeps the beat, and a new position has the beat of its frame",
            .onJack("beats on PipeWire 0.3.65 differ by up to 0.003"))
        func relocation() throws {
            let listener = try TransportListener("moves")
            do {
                let live = try LiveProgram(
                    "Leading", ["p.json": Self.pipeline], "--timebase", "if-free")
                defer { withExtendedLifetime(live) {} }
                #expect(says(live, role: "master"))
                jack_transport_start(listener.handle)
                #expect(listener.waits { $0.frame > 4_800 })
                jack_transport_stop(listener.handle)
                #expect(listener.waits { !$0.isRolling })
                let stopped = listener.record(cycles: 200)
                #expect(Set(stopped.map(\.beats)).count == 1)
                #expect(Set(stopped.map(\.frame)).count == 1)
                for frame in [9_600_000, 0, 123_457] {
                    jack_transport_locate(listener.handle, UInt32(frame))
                    #expect(listener.waits { $0.frame == frame && $0.hasBeats })
                    let beats = try #require(listener.record(cycles: 10).last?.beats)
                    #expect(abs(beats - Double(frame) * 117 / 2_880_000) < 1e-6)
                }
                // The start, stop and position are those of JACK: the session moves none of them.
                #expect(listener.times.last?.isRolling == false)
            }
            listener.rewind()
        }

        @Test("a stopped transport is no sign of another master, and starts with the present tempo")
        func rest() throws {
            let listener = try TransportListener("rests")
            do {
                let live = try LiveProgram(
                    "Leading", ["p.json": Self.pipeline], "--timebase", "if-free")
                defer { withExtendedLifetime(live) {} }
                #expect(says(live, role: "master"))
                _ = listener.record(cycles: 800)
                try live.ctl("tempo", "90")
                _ = listener.record(cycles: 800)
                jack_transport_start(listener.handle)
                #expect(listener.waits { $0.isRolling && $0.frame > 4_800 })
                #expect(listener.times.last?.beatsPerMinute == 90)
                jack_transport_stop(listener.handle)
                #expect(listener.waits { !$0.isRolling })
                _ = listener.record(cycles: 800)
                #expect(live.program.count(event: "timebase") == 1)
            }
            listener.rewind()
        }

        @Test(
            "only the program that asks first leads, and a takeover is reported and accepted",
            .onJack("PipeWire's library refuses no further client that asks"))
        func takeover() throws {
            let listener = try TransportListener("seats")
            do {
                let other = Self.pipeline.replacing("117", with: "60")
                let first = try LiveProgram(
                    "First", ["p.json": Self.pipeline], "--timebase", "if-free")
                #expect(says(first, role: "master"))
                do {
                    let second = try LiveProgram(
                        "Second", ["p.json": other], "--timebase", "if-free")
                    #expect(says(second, role: "occupied"))
                    #expect(second.says("another program is JACK's timebase master"))
                    #expect(listener.waits { $0.beatsPerMinute == 117 })
                }
                let third = try LiveProgram(
                    "Third", ["p.json": other], "--timebase", "take-over")
                defer { withExtendedLifetime((first, third)) {} }
                #expect(says(third, role: "master"))
                #expect(says(first, role: "replaced"))
                #expect(first.says("another program has become JACK's timebase master"))
                #expect(listener.waits { $0.beatsPerMinute == 60 })
                // The first one does not take the role back.
                _ = listener.record(cycles: 800)
                #expect(listener.times.last?.beatsPerMinute == 60)
                #expect(first.program.count(event: "timebase") == 2)
            }
            // No program is the timebase master after the end.
            let status = jack_set_timebase_callback(
                listener.handle, 1, { _, _, _, _, _ in }, nil)
            #expect(status == 0)
            jack_release_timebase(listener.handle)
            listener.rewind()
        }

        @Test("without the option, the program gives the transport no beats")
        func unasked() throws {
            let listener = try TransportListener("alone")
            do {
                let live = try LiveProgram("Silent", ["p.json": Self.pipeline])
                jack_transport_start(listener.handle)
                #expect(listener.waits { $0.frame > 9_600 })
                #expect(listener.times.allSatisfy { !$0.hasBeats })
                #expect(live.program.count(event: "timebase") == 0)
            }
            listener.rewind()
        }

        /// A client that sends a MIDI clock for 30 seconds, once it plays.
        private func clock(_ name: String, tempo: Double) throws -> TestClient {
            let client = try #require(TestClient(named: name))
            let ticks = (0..<Int(tempo * 12)).map {
                TestAudio.Message(
                    frame: Int((Double($0) * 120_000 / tempo).rounded()), bytes: [0xF8])
            }
            client.prepareToPlay(events: ticks)
            client.play()
            return client
        }

        @Test("a MIDI clock sets the tempo of the transport, and the beat never goes back")
        func midiClock() throws {
            let listener = try TransportListener("clocked")
            do {
                let live = try LiveProgram(
                    "Clocked",
                    [
                        "p.json": StageFiles.pipeline(
                            "\"nodes\": []",
                            inputs:
                                "\"mic\": {}, \"drums\": { \"kind\": \"midi\", \"clock\": true }")
                    ], "--timebase", "if-free")
                defer { withExtendedLifetime(live) {} }
                let fast = try clock("fast", tempo: 137)
                live.connect("fast:events", "Clocked:drums")
                jack_transport_start(listener.handle)
                #expect(listener.waits { abs($0.beatsPerMinute / 137 - 1) < 0.001 })
                #expect(listener.waits { $0.isRolling && $0.frame > 9_600 })
                let start = listener.times.count
                fast.close()
                let slow = try clock("slow", tempo: 100)
                defer { slow.close() }
                live.connect("slow:events", "Clocked:drums")
                #expect(listener.waits { abs($0.beatsPerMinute / 100 - 1) < 0.001 })
                _ = listener.record(cycles: 400)
                let times = listener.times.dropFirst(start)
                #expect(zip(times, times.dropFirst()).allSatisfy { $0.beats <= $1.beats })
                let (first, last) = (try #require(times.first), try #require(times.last))
                let passed = (last.beats - first.beats) / Double(last.frame - first.frame)
                // The beat also waits for the phase of the slower clock.
                #expect((90...138).contains(passed * 2_880_000))
            }
            listener.rewind()
        }

        @Test("after the server was lost, the program leads again")
        func returned() throws {
            let server = ForeignServer(name: "stompline-timebase")
            var jackd = server.start()
            let folder = PipelineFolder(Self.pipeline)
            #expect(server.waits { !$0.isEmpty })
            let program = try Program([
                "run", folder.file, "--json", "--name", "Returning", "--server", server.name,
                "--no-start-server", "--timebase", "if-free",
            ])
            defer { kill(program.process, SIGKILL) }
            for round in 1...3 {
                let role = program.waitFor(event: "timebase", times: round)?.line
                #expect(role?.contains("\"role\": \"master\"") == true)
                guard round < 3 else { break }
                server.kill(jackd)
                #expect(program.waitFor(event: "server_lost", times: round) != nil)
                jackd = server.start()
                #expect(program.waitFor(event: "server_back", times: round) != nil)
            }
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
            server.end(jackd)
        }
    }
}
