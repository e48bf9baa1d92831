internal import CJack
internal import Glibc
internal import Synchronization

/// What the partner's process callback works on: a sine, noise and MIDI go out, and what comes back is watched for steps.
struct PartnerAudio: ~Copyable {
    private static let sineHertz = 330.0
    private static let sineAmplitude = 0.25

    let sine: OpaquePointer
    let noise: OpaquePointer
    let notes: OpaquePointer
    let clean: OpaquePointer
    /// The bits of the largest difference of two neighbouring samples since it was last asked for.
    let largestStep = Atomic<UInt32>(0)
    /// The bits of the highest magnitude since it was last asked for.
    let peak = Atomic<UInt32>(0)
    let frames = Atomic<UInt64>(0)
    let xruns = Atomic<Int>(0)
    private let stepFrames: Double
    private var turn = 0.0
    private var last: Float = 0
    private var random: UInt64

    init(
        sine: OpaquePointer, noise: OpaquePointer, notes: OpaquePointer, clean: OpaquePointer,
        sampleRate: Double, seed: UInt64
    ) {
        (self.sine, self.noise, self.notes, self.clean) = (sine, noise, notes, clean)
        stepFrames = Self.sineHertz / sampleRate
        random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func process(_ frames: jack_nframes_t) {
        guard let sine = jack_rt_samples(sine, frames), let noise = jack_rt_samples(noise, frames),
            let clean = jack_rt_samples(clean, frames)
        else { return }
        for frame in 0..<Int(frames) {
            sine[frame] = Float(Self.sineAmplitude * sin(2 * .pi * turn))
            turn = (turn + stepFrames).truncatingRemainder(dividingBy: 1)
            noise[frame] = Float(next() >> 40) / Float(1 << 24) - 0.5
        }
        watch(clean, Int(frames))
        playMessage(Int(frames))
        self.frames.add(UInt64(frames), ordering: .relaxed)
    }

    private mutating func watch(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        var (step, peak): (Float, Float) = (0, 0)
        for frame in 0..<frames {
            // Also what is no number is a step.
            let difference = samples[frame].isFinite ? abs(samples[frame] - last) : .infinity
            step = max(step, difference)
            peak = max(peak, abs(samples[frame]))
            last = samples[frame].isFinite ? samples[frame] : 0
        }
        raise(largestStep, to: step)
        raise(self.peak, to: peak)
    }

    /// Bits of numbers from 0 on are in the numbers' order.
    private func raise(_ highest: borrowing Atomic<UInt32>, to value: Float) {
        highest.max(value.bitPattern, ordering: .relaxed)
    }

    /// One cycle in sixteen holds a message: a control, a program, a note, or bytes that mean nothing.
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

    /// xorshift64* of Vigna 2016.
    private mutating func next() -> UInt64 {
        random ^= random >> 12
        random ^= random << 25
        random ^= random >> 27
        return random &* 0x2545_F491_4F6C_DD1D
    }
}
