internal import CRealtime
internal import Engine
internal import Glibc
internal import Realtime

/// The inputs, outputs and MIDI of a night.
final class NightBuffers {
    private static let channels = 4
    private let samples: Buffer<Float>
    private let inputTable: Buffer<UnsafePointer<Float>>
    private let outputTable: Buffer<UnsafeMutablePointer<Float>>
    private let longestFrames: Int
    private let bytes = Buffer<UInt8>([0xB0, 7, 0])
    private let message: Buffer<RTMessage>
    private let messages: Buffer<RTMessages>
    private let transport = Buffer(containing: RTTransport())
    private let engineCall: Buffer<RTEngineCall>

    init(longestFrames: Int) {
        self.longestFrames = longestFrames
        samples = Buffer(count: 2 * Self.channels * longestFrames, repeating: 0)
        let start = samples.start
        inputTable = Buffer(count: EnginePorts.maximumChannels) {
            UnsafePointer(start + min($0, Self.channels - 1) * longestFrames)
        }
        outputTable = Buffer(count: EnginePorts.maximumChannels) {
            start + (Self.channels + min($0, Self.channels - 1)) * longestFrames
        }
        message = Buffer(containing: RTMessage(frame: 0, byteCount: 3, bytes: bytes.start))
        messages = Buffer(containing: RTMessages())
        engineCall = Buffer(containing: RTEngineCall())
    }

    var inputs: UnsafePointer<UnsafePointer<Float>> { UnsafePointer(inputTable.start) }
    var outputs: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(outputTable.start) }

    /// A kind of input.
    enum Sound: CaseIterable {
        /// A tone with noise and pauses.
        case pauses
        /// A voice with vibrato that never pauses.
        case voice
        /// A chord that never pauses, and short bursts of noise.
        case chord
        case noise

        /// Returns the value at a time in seconds.
        fileprivate func value(at time: Double, noise: Double) -> Double {
            func wave(_ hertz: Double) -> Double { sin(time * 2 * Double.pi * hertz) }
            switch self {
            case .pauses:
                return Int(time * 4) % 5 == 4 ? 0 : 0.3 * wave(220) + 0.05 * noise
            case .voice:
                let phase = time * 2 * Double.pi * 180 + 0.6 * wave(5.3)
                let partials = (1...6).map { sin(Double($0) * phase) / Double($0) }
                return 0.15 * partials.reduce(0, +) + 0.001 * noise
            case .chord:
                let burst = exp(-30 * time.truncatingRemainder(dividingBy: 0.37))
                return 0.1 * (wave(220) + wave(277.2) + wave(331.1)) + 0.3 * burst * noise
            case .noise: return 0.2 * noise
            }
        }
    }

    /// Writes the inputs of a call, in samples of 24 bits on the first channel.
    func fill(
        _ random: inout RandomSource, frame: UInt64, frames: Int, sound: Sound = .pauses
    ) {
        for index in 0..<frames {
            let time = Double(frame + UInt64(index)) / 48_000
            let isPause = sound == .pauses && Int(time * 4) % 5 == 4
            let noise = isPause ? 0 : Double.random(in: -1...1, using: &random)
            let value = Float(sound.value(at: time, noise: noise))
            samples[index] = (value * 8_388_607).rounded() / 8_388_607 + 0
            samples[longestFrames + index] = value
        }
    }

    /// Returns MIDI and transport of a call; `nil` once in a while.
    func call(
        _ random: inout RandomSource, frame: UInt64, frames: Int
    ) -> UnsafePointer<RTEngineCall>? {
        let hasMessage = random.once(in: 20)
        bytes[2] = UInt8.random(in: 0...127, using: &random)
        message[0].frame = Int32.random(in: 0..<Int32(frames), using: &random)
        messages[0] = RTMessages(
            first: hasMessage ? UnsafePointer(message.start) : nil, count: hasMessage ? 1 : 0,
            startFrame: 0)
        let isRolling = frame / 48_000 % 2 == 1
        transport[0] = RTTransport(
            revision: 0, isRolling: isRolling, isFreewheeling: false, hasBeats: false, beatUnit: 4,
            frame: isRolling ? Int64(frame % 48_000) : 0, bar: 0, barBeat: 0, beatsPerBar: 4,
            beatsPerMinute: 120)
        engineCall[0] = RTEngineCall(
            messages: messages.start, inputCount: 1, sinks: nil, sinkCount: 0,
            isFreewheeling: false, transport: UnsafePointer(transport.start))
        return UnsafePointer(engineCall.start)
    }

    /// Waits for a moment.
    static func pause() { usleep(2000) }
}
