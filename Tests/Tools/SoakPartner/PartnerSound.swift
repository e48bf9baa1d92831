internal import CJack
internal import Glibc
import Synchronization

/// The state of the partner's process callback, which plays a sine, noise and MIDI.
struct PartnerSound: ~Copyable {
    private static let sineHertz = 330.0
    private static let sineAmplitude = 0.25

    let sine: OpaquePointer
    let noise: OpaquePointer
    let notes: OpaquePointer
    let clock: OpaquePointer
    /// Messages that are played in addition to the random ones.
    let messages = MessageQueue()
    /// Whether random messages are played.
    let isRandom = Atomic<Bool>(true)
    /// The bit pattern of the tempo of the MIDI clock in beats per minute; 0 for no clock.
    let clockTempo = Atomic<UInt64>(0)
    private(set) var gaps: CycleGaps
    private let sampleRate: Double
    /// The frames until the next tick of the clock.
    private var framesToTick = 0.0
    private var isClockRunning = false
    private let turnsAFrame: Double
    private var turn = 0.0
    private var random: UInt64

    init(
        client: OpaquePointer, sine: OpaquePointer, noise: OpaquePointer, notes: OpaquePointer,
        clock: OpaquePointer, sampleRate: Double, seed: UInt64
    ) {
        (self.sine, self.noise, self.notes, self.clock) = (sine, noise, notes, clock)
        gaps = CycleGaps(client: client)
        self.sampleRate = sampleRate
        turnsAFrame = Self.sineHertz / sampleRate
        random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func process(_ frames: jack_nframes_t) {
        gaps.begin(frames)
        guard let sine = jack_rt_samples(sine, frames), let noise = jack_rt_samples(noise, frames)
        else { return }
        for frame in 0..<Int(frames) {
            sine[frame] = Float(Self.sineAmplitude * sin(2 * .pi * turn))
            turn = (turn + turnsAFrame).truncatingRemainder(dividingBy: 1)
            noise[frame] = Float(next() >> 40) / Float(1 << 24) - 0.5
        }
        playMessages(Int(frames))
        playClock(Int(frames))
    }

    private mutating func playMessages(_ frames: Int) {
        guard let buffer = jack_rt_empty_events(notes, jack_nframes_t(frames)), frames > 0
        else { return }
        // One message per cycle, so that a press and its release are apart.
        if let packed = messages.next() {
            let bytes = (0..<3).map { UInt8(truncatingIfNeeded: packed >> UInt32(8 * $0)) }
            _ = jack_rt_give_event(buffer, 0, bytes, Int32(packed >> 24))
        } else if isRandom.load(ordering: .relaxed) {
            playRandomMessage(buffer, frames)
        }
    }

    /// Plays 24 ticks per beat, after a start.
    private mutating func playClock(_ frames: Int) {
        guard let buffer = jack_rt_empty_events(clock, jack_nframes_t(frames)) else { return }
        let tempo = Double(bitPattern: clockTempo.load(ordering: .relaxed))
        guard tempo > 0 else {
            isClockRunning = false
            return
        }
        if !isClockRunning {
            _ = jack_rt_give_event(buffer, 0, [0xFA], 1)
            (isClockRunning, framesToTick) = (true, 0)
        }
        while framesToTick < Double(frames) {
            _ = jack_rt_give_event(buffer, Int32(framesToTick), [0xF8], 1)
            framesToTick += sampleRate * 60 / (24 * tempo)
        }
        framesToTick -= Double(frames)
    }

    /// Writes a message in one cycle of sixteen: a control, a program, a note, or meaningless
    /// bytes.
    private mutating func playRandomMessage(_ buffer: UnsafeMutableRawPointer, _ frames: Int) {
        guard next() % 16 == 0 else { return }
        let value = UInt8(next() >> 57)
        let channel = UInt8(next() % 16)
        let message: [UInt8]
        switch next() % 64 {
        case 0: message = [0xC0 | channel, value % 8]
        case 1: message = [0x90 | channel, 60 + value % 8, 100]
        case 2: message = [0xB0 | channel, value]
        case 3: message = [value, value, value]
        case 4: message = [0xF0, value, value | 0x80, 0xF7]
        case 5: message = [0xE0 | channel, value, UInt8(next() >> 57)]
        case 6: message = [0xD0 | channel, value]
        case 7: message = [0xA0 | channel, 40, value]
        default: message = [0xB0 | channel, 1 + UInt8(next() % 8), value]
        }
        let frame = Int32(next() % UInt64(frames))
        _ = jack_rt_give_event(buffer, frame, message, Int32(message.count))
    }

    /// Returns the next number of xorshift64* (Vigna 2016).
    private mutating func next() -> UInt64 {
        random ^= random >> 12
        random ^= random << 25
        random ^= random >> 27
        return random &* 0x2545_F491_4F6C_DD1D
    }
}
