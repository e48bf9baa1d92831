internal import CJack
internal import Glibc

/// The state of the partner's process callback, which plays a sine, noise and MIDI.
struct PartnerSound {
    private static let sineHertz = 330.0
    private static let sineAmplitude = 0.25

    let sine: OpaquePointer
    let noise: OpaquePointer
    let notes: OpaquePointer
    private let turnsAFrame: Double
    private var turn = 0.0
    private var random: UInt64

    init(
        sine: OpaquePointer, noise: OpaquePointer, notes: OpaquePointer, sampleRate: Double,
        seed: UInt64
    ) {
        (self.sine, self.noise, self.notes) = (sine, noise, notes)
        turnsAFrame = Self.sineHertz / sampleRate
        random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func process(_ frames: jack_nframes_t) {
        guard let sine = jack_rt_samples(sine, frames), let noise = jack_rt_samples(noise, frames)
        else { return }
        for frame in 0..<Int(frames) {
            sine[frame] = Float(Self.sineAmplitude * sin(2 * .pi * turn))
            turn = (turn + turnsAFrame).truncatingRemainder(dividingBy: 1)
            noise[frame] = Float(next() >> 40) / Float(1 << 24) - 0.5
        }
        playMessage(Int(frames))
    }

    /// Writes a message in one cycle of sixteen: a control, a program, a note, or meaningless
    /// bytes.
    private mutating func playMessage(_ frames: Int) {
        guard let buffer = jack_rt_empty_events(notes, jack_nframes_t(frames)), frames > 0,
            next() % 16 == 0
        else { return }
        let value = UInt8(next() >> 57)
        let channel = UInt8(next() % 16)
        let message: [UInt8]
        switch next() % 64 {
        case 0: message = [0xC0 | channel, value % 8]
        case 1: message = [0x90 | channel, 60 + value % 8, 100]
        case 2: message = [0xB0 | channel, value]
        case 3: message = [value, value, value]
        case 4: message = [0xF0, value, value | 0x80, 0xF7]
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
