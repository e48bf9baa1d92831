import CRealtime
import Engine
import Pipelines
import Testing
import TestSignals

@Suite("The beats that a session gives to an external transport")
struct TimebaseTests {
    private static let perMinute = 48_000.0 * 60

    /// An engine next to a transport of another program, whose beats it provides.
    private final class Leading {
        let playing: Playing
        private(set) var frame: Int64 = 0
        var isRolling = false
        /// The beats that the transport announces, which an engine that leads must ignore.
        private var announced = RTTransport()

        init(tempo: Double = 120) throws {
            var graph = Graph()
            graph.add("fx", "late", from: ["in"])
            graph.output(from: ["fx"])
            var pipeline = graph.pipeline
            pipeline.tempo = tempo
            pipeline.inputs.append(
                .init(name: "clock", channels: 0, kind: .midi, connect: [], hasClock: true))
            playing = try Playing(pipeline)
            playing.engine.audio.lead(true)
        }

        /// Renders a cycle, and returns the beats for the next one.
        func cycle(
            _ frames: Int = 64, locatingTo target: Int64? = nil, ticks: [Int32] = []
        ) -> RTTransport {
            var time = announced
            time.hasBeats = true
            (time.frame, time.isRolling) = (frame, isRolling)
            // The beats come back with a foreign tempo.
            time.beatsPerMinute = 999
            let bytes: [UInt8] = [0xF8]
            bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                let messages = ticks.map { RTMessage(frame: $0, byteCount: 1, bytes: base) }
                messages.withUnsafeBufferPointer { messages in
                    withUnsafePointer(
                        to: RTMessages(
                            first: messages.baseAddress, count: Int32(messages.count),
                            startFrame: 0)
                    ) { inputs in
                        withUnsafePointer(to: time) { time in
                            var call = RTEngineCall()
                            (call.messages, call.inputCount) = (inputs, 1)
                            call.transport = time
                            withUnsafePointer(to: call) {
                                playing.renderSilence(frames: frames, $0)
                            }
                        }
                    }
                }
            }
            frame = target ?? (isRolling ? frame + Int64(frames) : frame)
            announced = playing.engine.audio.announceBeats(
                at: ExternalMoment(
                    frame: frame, frameCount: frames, isRolling: isRolling, isNew: false))
            return announced
        }

        func setTempo(_ tempo: Double) { _ = playing.engine.send(.tempo(beatsPerMinute: tempo)) }
    }

    private func beats(_ time: RTTransport) -> Double {
        Double(time.bar) * time.beatsPerBar + time.barBeat
    }

    @Test("each tempo continues from the beat of its frame, in calls of any length")
    func tempos() throws {
        let leading = try Leading()
        leading.isRolling = true
        var last = leading.cycle()
        for (index, tempo) in [93.5, 240, 20, 117, 117, 400].enumerated() {
            leading.setTempo(tempo)
            for frames in [64, 1, 1024, 333, 64 + index] {
                let next = leading.cycle(frames)
                let expected = beats(last) + Double(frames) * last.beatsPerMinute / Self.perMinute
                #expect(abs(beats(next) - expected) < 1e-9)
                #expect(next.beatsPerMinute == tempo)
                last = next
            }
        }
    }

    @Test("a stop keeps the beat, and a new position has the beat of its frame")
    func relocations() throws {
        let leading = try Leading(tempo: 117)
        leading.isRolling = true
        for _ in 0..<100 { _ = leading.cycle() }
        leading.isRolling = false
        let stopped = beats(leading.cycle())
        for _ in 0..<100 { #expect(beats(leading.cycle()) == stopped) }
        for frame in [9_600_000 as Int64, 17, 0] {
            let moved = leading.cycle(locatingTo: frame)
            #expect(abs(beats(moved) - Double(frame) * 117 / Self.perMinute) < 1e-9)
        }
        leading.setTempo(60)
        let slower = leading.cycle(locatingTo: 2_880_000)
        #expect(beats(slower) == 60)
        #expect(slower.bar == 15 && slower.barBeat == 0)
    }

    @Test("its own beats, which come back to it, do not set its tempo")
    func noLoop() throws {
        let leading = try Leading()
        // JACK's transport is stopped at frame 0, but has the beats of the session.
        for _ in 0..<50 { #expect(leading.cycle().beatsPerMinute == 120) }
        leading.setTempo(90)
        for _ in 0..<50 { #expect(leading.cycle().beatsPerMinute == 90) }
        leading.isRolling = true
        for _ in 0..<50 { #expect(leading.cycle().beatsPerMinute == 90) }
    }

    @Test("a MIDI clock with jitter moves the beat at its tempo, and never back")
    func clock() throws {
        let leading = try Leading()
        leading.isRolling = true
        var generator = Seeded(1)
        var (now, due, last) = (0, 500.0, -1.0)
        // 100 beats per minute: a tick every 1200 frames, up to 1 ms early or late.
        var tick = due + Double.random(in: -48...48, using: &generator)
        var tempos: [Double] = []
        for _ in 0..<15_000 {
            var ticks: [Int32] = []
            while tick < Double(now + 64) {
                ticks.append(Int32(max(0, Int(tick) - now)))
                due += 1_200
                tick = due + Double.random(in: -48...48, using: &generator)
            }
            let time = leading.cycle(ticks: ticks)
            // At first, the MIDI clock is not at the beat of the session.
            if now > 60_000 {
                #expect(beats(time) >= last)
                tempos.append(time.beatsPerMinute)
            }
            last = beats(time)
            now += 64
        }
        #expect(tempos.suffix(10_000).allSatisfy { abs($0 / 100 - 1) < 0.001 })
        #expect(abs(last - (Double(now) - 500) / 28_800) < 0.004)
    }

    @Test(
        "another tempo of a MIDI clock, up to half or double, never moves the beat back",
        arguments: [(137.0, 100.0), (120, 60), (100, 137), (90, 180)])
    func otherTempo(_ former: Double, _ next: Double) throws {
        // The change comes at eight moments between two ticks.
        for phase in 0..<8 {
            let leading = try Leading()
            leading.isRolling = true
            let change = 120_000.0 + 300 * Double(phase)
            var (now, tick, last) = (0, 500.0, -1.0)
            var tempo = 0.0
            while now < 300_000 {
                var ticks: [Int32] = []
                while tick < Double(now + 64) {
                    ticks.append(Int32(max(0, Int(tick) - now)))
                    tick += Self.perMinute / 24 / (tick < change ? former : next)
                }
                let time = leading.cycle(ticks: ticks)
                if now > 60_000 { #expect(beats(time) >= last, "phase \(phase), frame \(now)") }
                (last, tempo) = (beats(time), time.beatsPerMinute)
                now += 64
            }
            #expect(abs(tempo / next - 1) < 0.001)
        }
    }
}
