import CRealtime
import Processing
import TestSignals

/// A loop of a microphone, an effect, an amplifier and a loudspeaker in a rectangular room.
///
/// The responses from the loudspeaker to the microphone follow from image sources (Allen and
/// Berkley, 1979), at positions 2 cm apart on the microphone's way. The amplifier clips softly at
/// amplitude 1.
struct FeedbackRoom {
    private static let sampleRate = 48_000.0
    private static let room = (6.1, 4.9, 3.1)
    private static let speaker = (0.5, 4.0, 2.0)
    private static let frames = 12_288
    /// The frames from one position to the next: 0.5 m/s.
    private static let framesPerPosition = 1920
    /// The latency of the sound card, in frames.
    private static let delay = 128

    /// The responses, each backwards.
    private let responses: [[Float]]
    /// The highest stable gain without an effect, in dB.
    let limit: Double

    /// Creates a room.
    ///
    /// - Parameters:
    ///   - isMoving: Whether the microphone moves to and fro over 24 cm, at 0.5 m/s.
    ///   - reverberation: The reverberation time in seconds.
    init(isMoving: Bool, reverberation: Double) {
        let responses = (0..<(isMoving ? 13 : 1)).map { index in
            FeedbackRoom.response(
                to: (2.3 + 0.02 * Double(index), 2.1, 1.5), reverberation: reverberation)
        }
        limit = responses.map { FeedbackRoom.limit(of: $0) }.min() ?? 0
        self.responses = responses.map { $0.reversed() }
    }

    /// Returns the response of the room, the loudspeaker (100 Hz to 8 kHz) and the microphone.
    private static func response(to microphone: (Double, Double, Double), reverberation: Double)
        -> [Float]
    {
        let (width, depth, height) = room
        let surface = 2 * (width * depth + width * height + depth * height)
        // Sabine's formula.
        let absorption = 0.161 * width * depth * height / (surface * reverberation)
        let reflection = (1 - absorption).squareRoot()
        var response = [Double](repeating: 0, count: frames)
        let farthest = Double(frames) / sampleRate * 343
        func images(_ length: Double, _ source: Double, _ target: Double) -> [(Double, Int)] {
            let count = Int(farthest / (2 * length)) + 1
            return (-count...count).flatMap { image in
                [0, 1].map { side in
                    let place = (side == 0 ? source : -source) + 2 * Double(image) * length
                    return (place - target, abs(2 * image - side))
                }
            }
        }
        for (x, first) in images(width, speaker.0, microphone.0) {
            for (y, second) in images(depth, speaker.1, microphone.1) {
                for (z, third) in images(height, speaker.2, microphone.2) {
                    let distance = (x * x + y * y + z * z).squareRoot()
                    let time = distance / 343 * sampleRate
                    let frame = Int(time)
                    guard frame + 1 < frames else { continue }
                    let level =
                        rt_pow(reflection, Double(first + second + third))
                        / (12.566370614359172 * distance)
                    let share = time - Double(frame)
                    response[frame] += level * (1 - share)
                    response[frame + 1] += level * share
                }
            }
        }
        return bandLimited(response)
    }

    /// Returns a response through a high-pass at 100 Hz and a low-pass at 8 kHz, second order.
    private static func bandLimited(_ response: [Double]) -> [Float] {
        let low = Section(hertz: 8000, isHigh: false)
        let high = Section(hertz: 100, isHigh: true)
        return high.filtered(low.filtered(response)).map { Float($0) }
    }

    /// Returns the gain in dB at which the loop is just stable: at a frequency at which the loop's
    /// phase is 0, its gain is 1 (Nyquist).
    private static func limit(of response: [Float]) -> Double {
        var highest = 0.0
        let spectrum = spectrum(of: response, size: 131_072)
        for bin in 1..<65_536 {
            let angle = -2 * Double.pi * Double(bin * delay) / 131_072
            let (a, b) = spectrum[bin]
            let real = a * rt_cos(angle) - b * rt_sin(angle)
            let imaginary = a * rt_sin(angle) + b * rt_cos(angle)
            if real > 0 && (imaginary / real).magnitude < 0.15 { highest = max(highest, real) }
        }
        return -levelDecibels(highest)
    }

    /// Returns the Fourier transform of a signal followed by silence, by the radix-2 algorithm.
    private static func spectrum(of signal: [Float], size: Int) -> [(Double, Double)] {
        var numbers = [(Double, Double)](repeating: (0, 0), count: size)
        let bits = size.trailingZeroBitCount
        for (index, sample) in signal.enumerated() {
            var place = 0
            for bit in 0..<bits where index & (1 << bit) != 0 { place |= 1 << (bits - 1 - bit) }
            numbers[place] = (Double(sample), 0)
        }
        var length = 2
        while length <= size {
            let half = length / 2
            for number in 0..<half {
                let angle = -2 * Double.pi * Double(number) / Double(length)
                let (c, s) = (rt_cos(angle), rt_sin(angle))
                for first in stride(from: number, to: size, by: length) {
                    let (a, b) = (numbers[first], numbers[first + half])
                    let turned = (b.0 * c - b.1 * s, b.0 * s + b.1 * c)
                    numbers[first] = (a.0 + turned.0, a.1 + turned.1)
                    numbers[first + half] = (a.0 - turned.0, a.1 - turned.1)
                }
            }
            length *= 2
        }
        return numbers
    }

    /// Runs the loop.
    ///
    /// - Parameters:
    ///   - source: The sound at the microphone.
    ///   - gain: The gain of the amplifier in dB.
    ///   - processor: The effect; `nil` if there is none.
    ///   - observe: Receives the number of the next frame after each block of 64 frames.
    /// - Returns: The sound of the loudspeaker.
    func run(
        _ source: [Float], gain: Double, _ processor: Processor?, observe: (Int) -> Void = { _ in }
    ) -> [Float] {
        let (count, room) = (source.count, FeedbackRoom.frames)
        let offset = room + FeedbackRoom.delay
        var sound = [Float](repeating: 0, count: count + offset)
        let amplitude = Float(rt_pow(10, gain / 20))
        for first in stride(from: 0, to: count - 63, by: 64) {
            var block = [Float](repeating: 0, count: 64)
            for frame in 0..<64 {
                let time = first + frame
                let (position, share) = position(at: time)
                var heard = echo(responses[position], sound, from: time + 1)
                if share > 0 {
                    heard += share * (echo(responses[position + 1], sound, from: time + 1) - heard)
                }
                block[frame] = source[time] + heard
            }
            let output = processor?.render([block])[0] ?? block
            for frame in 0..<64 {
                let loud = Double(amplitude * output[frame])
                let e = rt_exp(-2 * min(max(loud, -20), 20))
                sound[first + frame + offset] = Float((1 - e) / (1 + e))
            }
            observe(first + 64)
        }
        return Array(sound[offset...])
    }

    /// Returns the response at a time, and the share of the next one.
    private func position(at time: Int) -> (Int, Float) {
        guard responses.count > 1 else { return (0, 0) }
        let way = (responses.count - 1) * FeedbackRoom.framesPerPosition
        let turn = time % (2 * way)
        let place = turn < way ? turn : 2 * way - 1 - turn
        let share = Float(place % FeedbackRoom.framesPerPosition)
        return (
            place / FeedbackRoom.framesPerPosition,
            share / Float(FeedbackRoom.framesPerPosition)
        )
    }

    private func echo(_ response: [Float], _ sound: [Float], from first: Int) -> Float {
        response.withUnsafeBufferPointer { response in
            sound.withUnsafeBufferPointer { sound in
                var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero)
                let a = UnsafeRawBufferPointer(response)
                let b = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: sound[first...]))
                for place in stride(from: 0, to: 4 * FeedbackRoom.frames, by: 64) {
                    sums.0 +=
                        a.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
                        * b.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
                    sums.1 +=
                        a.loadUnaligned(fromByteOffset: place + 32, as: SIMD8<Float>.self)
                        * b.loadUnaligned(fromByteOffset: place + 32, as: SIMD8<Float>.self)
                }
                return (sums.0 + sums.1).sum()
            }
        }
    }
}

/// A second-order Butterworth filter.
private struct Section {
    private let a: (Double, Double)
    private let b: (Double, Double, Double)

    init(hertz: Double, isHigh: Bool) {
        let g = rt_tan(Double.pi * hertz / 48_000)
        let scale = 1 / (1 + 2.0.squareRoot() * g + g * g)
        a = (2 * (g * g - 1) * scale, (1 - 2.0.squareRoot() * g + g * g) * scale)
        b = isHigh ? (scale, -2 * scale, scale) : (g * g * scale, 2 * g * g * scale, g * g * scale)
    }

    func filtered(_ signal: [Double]) -> [Double] {
        var (first, second) = (0.0, 0.0)
        return signal.map { x in
            let y = b.0 * x + first
            first = b.1 * x - a.0 * y + second
            second = b.2 * x - a.1 * y
            return y
        }
    }
}
