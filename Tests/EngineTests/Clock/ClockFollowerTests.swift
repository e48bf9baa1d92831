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
            _ count: Int, _ tempo: Double, to follower: Follower,
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
        _ follower: Follower, _ sender: Sender, ticks: Int, _ tempo: Double
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
        let follower = Follower()
        var sender = Sender(seed: seed)
        sender.send(96, tempo, to: follower)
        #expect(abs(follower.beatsPerMinute / tempo - 1) < 0.001)
        #expect(abs(error(follower, sender, ticks: 96, tempo)) < 0.001)
        #expect(follower.isPresent(atFrame: UInt64(sender.last)))
        #expect(!follower.isPresent(atFrame: UInt64(sender.last) + 25_000))
    }

    @Test("ticks that are missing do not move the beat", arguments: tempos, 1...4)
    func missing(tempo: Double, seed: Int) {
        let follower = Follower()
        var sender = Sender(seed: seed)
        sender.send(192, tempo, to: follower) { $0 > 20 && $0 % 13 == 5 }
        #expect(abs(follower.beatsPerMinute / tempo - 1) < 0.001)
        #expect(abs(error(follower, sender, ticks: 192, tempo)) < 0.001)
    }

    @Test(
        "a new tempo is followed within four beats, and no tick is lost",
        arguments: [(120.0, 126.0), (120.0, 60.0), (90.0, 180.0), (150.0, 149.0), (100.0, 140.0)],
        1...4)
    func change(tempos: (Double, Double), seed: Int) {
        let (before, after) = tempos
        let follower = Follower()
        var sender = Sender(seed: seed)
        sender.send(120, before, to: follower)
        sender.send(97, after, to: follower)
        #expect(abs(follower.beatsPerMinute / after - 1) < 0.001)
        #expect(abs(error(follower, sender, ticks: 217, after)) < 0.001)
    }

    @Test("a steady clock does not move the tempo")
    func steady() {
        let follower = Follower()
        var sender = Sender(seed: 1)
        sender.send(192, 120, to: follower)
        var tempos: Set<Double> = []
        for _ in 0..<480 {
            sender.send(1, 120, to: follower)
            tempos.insert(follower.beatsPerMinute)
        }
        #expect(tempos.count < 24)
    }

    @Test("start, stop, continue and the song position determine the beat")
    func transport() {
        let follower = Follower()
        var frame: UInt64 = 48_000
        func ticks(_ count: Int) {
            for _ in 0..<count {
                frame += 1_000
                follower.message(0xF8, atFrame: frame)
            }
        }
        ticks(50)
        #expect(follower.isRolling && abs(follower.beatsPerMinute - 120) < 1e-9)
        follower.message(0xFA, atFrame: frame + 1)
        ticks(25)
        #expect(abs(follower.beats(atFrame: frame) - 1) < 1e-9)
        #expect(abs(follower.beats(atFrame: frame + 500) - 1 - 0.5 / 24) < 1e-9)
        follower.message(0xFC, atFrame: frame + 1)
        #expect(!follower.isRolling)
        ticks(10)
        #expect(follower.beats(atFrame: frame) == 25.0 / 24)
        follower.message(0xFB, atFrame: frame + 1)
        ticks(24)
        #expect(follower.isRolling && abs(follower.beats(atFrame: frame) - 2) < 1e-9)
        follower.message(0xFC, atFrame: frame + 1)
        follower.message(0xF2, 8, 1, atFrame: frame + 2)
        #expect(follower.beats(atFrame: frame) == 34)
        follower.message(0xFB, atFrame: frame + 3)
        ticks(13)
        #expect(abs(follower.beats(atFrame: frame) - 34.5) < 1e-9)
    }
}

/// A follower that receives messages as bytes.
private final class Follower {
    private var follower = ClockFollower()

    func message(_ bytes: UInt8..., atFrame frame: UInt64) {
        for (index, byte) in bytes.enumerated() { place[index] = byte }
        let message = RTMessage(
            frame: 0, byteCount: Int32(bytes.count), bytes: UnsafePointer(place))
        follower.receive(message, atFrame: frame)
    }

    var beatsPerMinute: Double { follower.beatsPerMinute }
    var isRolling: Bool { follower.isRolling }
    func isPresent(atFrame frame: UInt64) -> Bool { follower.isPresent(atFrame: frame) }
    func beats(atFrame frame: UInt64) -> Double { follower.beats(atFrame: frame) }

    private let place = UnsafeMutablePointer<UInt8>.allocate(capacity: 3)

    deinit { place.deallocate() }
}
