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

    /// Writes the inputs of a call: tones with noise and pauses, in samples of 24 bits on the first
    /// channel.
    func fill(_ random: inout RandomSource, frame: UInt64, frames: Int) {
        for index in 0..<frames {
            let time = Double(frame + UInt64(index)) / 48_000
            let isPause = Int(time * 4) % 5 == 4
            let tone = isPause ? 0 : 0.3 * sin(time * 2 * Double.pi * 220)
            let noise = isPause ? 0 : Double.random(in: -0.05...0.05, using: &random)
            let value = Float(tone + noise)
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
