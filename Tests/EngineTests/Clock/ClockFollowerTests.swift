import CRealtime
import Engine
import Testing

@Suite("Following a MIDI clock")
struct ClockFollowerTests {
    /// A sender whose ticks are up to 1 ms early or late.
    private struct Sender {
        private static let rate = 48_000.0
        private var generator: Seeded
        private var exact = 48_000.0
        /// The exact time of the last tick that was due, in frames.
        private(set) var last = 0.0

        init(seed: Int) { generator = Seeded(seed) }

        /// Sends ticks at a tempo, except those for which `isMissing` returns true.
        mutating func send(
            _ count: Int, _ tempo: Double, to follower: inout ClockFollower,
            missing isMissing: (Int) -> Bool = { _ in false }
        ) {
            for index in 0..<count {
                last = exact
                exact += Self.rate * 60 / (tempo * 24)
                let jitter = Double.random(in: -48...48, using: &generator)
                guard !isMissing(index) else { continue }
                follower.message(0xF8, atFrame: UInt64(last + jitter))
            }
        }
    }

    static let tempos = [40.0, 73.5, 100, 120, 141.7, 180, 240]

    /// Compares the position with the exact one at the last tick, in seconds.
    private func error(
        _ follower: borrowing ClockFollower, _ sender: Sender, ticks: Int, _ tempo: Double
    ) -> Double {
        let exact = Double(ticks - 1) / 24
        let frame = UInt64(sender.last)
        return (follower.beats(atFrame: frame) - exact) * 60 / tempo
            - (Double(frame) - sender.last) / 48_000
    }

    @Test(
        "after four beats with 1 ms of jitter, the tempo is within 0.1 % and the beat within 1 ms",
        arguments: tempos, 1...8)
    func settles(tempo: Double, seed: Int) {
        var follower = ClockFollower()
        var sender = Sender(seed: seed)
        sender.send(96, tempo, to: &follower)
        #expect(abs(follower.beatsPerMinute / tempo - 1) < 0.001)
        #expect(abs(error(follower, sender, ticks: 96, tempo)) < 0.001)
        #expect(follower.isPresent(atFrame: UInt64(sender.last)))
        #expect(!follower.isPresent(atFrame: UInt64(sender.last) + 25_000))
    }

    @Test("ticks that are missing do not move the beat", arguments: tempos, 1...4)
    func missing(tempo: Double, seed: Int) {
        var follower = ClockFollower()
        var sender = Sender(seed: seed)
        sender.send(192, tempo, to: &follower) { $0 > 20 && $0 % 13 == 5 }
        #expect(abs(follower.beatsPerMinute / tempo - 1) < 0.001)
        #expect(abs(error(follower, sender, ticks: 192, tempo)) < 0.001)
    }

    @Test(
        "a new tempo is followed within four beats, and no tick is lost",
        arguments: [(120.0, 126.0), (120, 60), (90, 180), (150, 149), (100, 140)], 1...4)
    func change(tempos: (before: Double, after: Double), seed: Int) {
        var follower = ClockFollower()
        var sender = Sender(seed: seed)
        sender.send(120, tempos.before, to: &follower)
        sender.send(97, tempos.after, to: &follower)
        #expect(abs(follower.beatsPerMinute / tempos.after - 1) < 0.001)
        #expect(abs(error(follower, sender, ticks: 217, tempos.after)) < 0.001)
    }

    @Test("a steady clock does not move the tempo")
    func steady() {
        var follower = ClockFollower()
        var sender = Sender(seed: 1)
        sender.send(192, 120, to: &follower)
        var tempos: Set<Double> = []
        for _ in 0..<480 {
            sender.send(1, 120, to: &follower)
            tempos.insert(follower.beatsPerMinute)
        }
        #expect(tempos.count < 24)
    }

    @Test("start, stop, continue and the song position determine the beat")
    func transport() {
        var follower = ClockFollower()
        var frame: UInt64 = 48_000
        func ticks(_ count: Int, _ follower: inout ClockFollower) {
            for _ in 0..<count {
                frame += 1_000
                follower.message(0xF8, atFrame: frame)
            }
        }
        ticks(50, &follower)
        #expect(follower.isRolling && follower.beatsPerMinute == 120)
        follower.message(0xFA, atFrame: frame + 1)
        ticks(25, &follower)
        #expect(abs(follower.beats(atFrame: frame) - 1) < 1e-9)
        #expect(abs(follower.beats(atFrame: frame + 500) - 1 - 0.5 / 24) < 1e-9)
        follower.message(0xFC, atFrame: frame + 1)
        #expect(!follower.isRolling)
        ticks(10, &follower)
        #expect(follower.beats(atFrame: frame) == 25.0 / 24)
        follower.message(0xFB, atFrame: frame + 1)
        ticks(24, &follower)
        #expect(follower.isRolling && abs(follower.beats(atFrame: frame) - 2) < 1e-9)
        follower.message(0xFC, atFrame: frame + 1)
        follower.message(0xF2, 8, 1, atFrame: frame + 2)
        #expect(follower.beats(atFrame: frame) == 34)
        follower.message(0xFB, atFrame: frame + 3)
        ticks(13, &follower)
        #expect(abs(follower.beats(atFrame: frame) - 34.5) < 1e-9)
    }
}

extension ClockFollower {
    fileprivate mutating func message(_ bytes: UInt8..., atFrame frame: UInt64) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            receive(
                RTMessage(frame: 0, byteCount: Int32(bytes.count), bytes: first), atFrame: frame)
        }
    }
}
