internal import CJack
internal import Glibc
internal import Synchronization

/// The state of the playing client's process callback: a tone whose level moves smoothly, and a
/// pedalboard.
struct Hands: ~Copyable {
    private static let toneHertz = 220.0
    /// The level moves from silence to full scale in a fifth of a second.
    private static let secondsToFullScale = 0.2

    private let tone, pedals: OpaquePointer
    private let turnsPerFrame: Double
    private let levelPerFrame: Float
    private var turn = 0.0
    private var level: Float = 0
    /// The bit pattern of the wanted level.
    private let wantedLevel = Atomic<UInt32>(0)
    /// The next message: its length in the highest byte, its first byte in the lowest; 0 for none.
    private let message = Atomic<UInt32>(0)

    init(tone: OpaquePointer, pedals: OpaquePointer, sampleRate: Double) {
        (self.tone, self.pedals) = (tone, pedals)
        turnsPerFrame = Self.toneHertz / sampleRate
        levelPerFrame = Float(1 / (Self.secondsToFullScale * sampleRate))
    }

    /// Whether the last message has been sent.
    var isMessageSent: Bool { message.load(ordering: .acquiring) == 0 }

    /// Moves the tone to a level, 0 through 1.
    func play(level: Float) { wantedLevel.store(level.bitPattern, ordering: .relaxed) }

    /// Sends a message of one to three bytes at the first frame of the next cycle.
    func send(_ bytes: [UInt8]) {
        let packed = bytes.prefix(3).enumerated().reduce(UInt32(0)) { packed, byte in
            packed | UInt32(byte.element) << UInt32(8 * byte.offset)
        }
        message.store(UInt32(min(3, bytes.count)) << 24 | packed, ordering: .releasing)
    }

    mutating func process(_ frames: jack_nframes_t) {
        if let samples = jack_rt_samples(tone, frames) { play(into: samples, Int(frames)) }
        if let buffer = jack_rt_empty_events(pedals, frames) { sendMessage(into: buffer) }
    }

    private mutating func play(into samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        let wanted = Float(bitPattern: wantedLevel.load(ordering: .relaxed))
        for frame in 0..<frames {
            level += max(-levelPerFrame, min(levelPerFrame, wanted - level))
            samples[frame] = level * Float(sin(2 * .pi * turn))
            turn = (turn + turnsPerFrame).truncatingRemainder(dividingBy: 1)
        }
    }

    private func sendMessage(into buffer: UnsafeMutableRawPointer) {
        let packed = message.load(ordering: .acquiring)
        guard packed != 0 else { return }
        let bytes = [UInt8(packed & 0xff), UInt8(packed >> 8 & 0xff), UInt8(packed >> 16 & 0xff)]
        _ = jack_rt_give_event(buffer, 0, bytes, Int32(packed >> 24))
        message.store(0, ordering: .releasing)
    }
}
