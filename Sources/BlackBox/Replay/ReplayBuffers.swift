internal import CRealtime
internal import Engine
internal import Realtime

/// The memory for the inputs and outputs of the calls of a replay.
final class ReplayBuffers {
    private let frames: Int
    private let inputSamples: Buffer<Float>
    private let outputSamples: Buffer<Float>
    private let inputTable: Buffer<UnsafePointer<Float>>
    private let outputTable: Buffer<UnsafeMutablePointer<Float>>
    private let transport = Buffer(containing: RTTransport())
    private let engineCall = Buffer(containing: RTEngineCall())
    private let messages: Buffer<RTMessages>
    private let sinks: Buffer<RTMessageSink>
    /// The memory of the messages of this part.
    private var events: [MessageMemory] = []

    /// The messages of an input.
    private final class MessageMemory {
        let messages: Buffer<RTMessage>
        private let bytes: Buffer<UInt8>

        init(_ own: [BoxLog.Message]) {
            bytes = Buffer(own.flatMap(\.bytes))
            var next = UnsafePointer(bytes.start)
            messages = Buffer(
                own.map { message in
                    defer { next += message.bytes.count }
                    return RTMessage(
                        frame: message.frame, byteCount: Int32(message.bytes.count), bytes: next)
                })
        }
    }

    /// The number of channels that have memory of their own; further ones share it.
    private static let channels = 256

    /// Allocates memory for calls of at most a number of frames.
    init(longestFrames: Int) {
        frames = longestFrames
        inputSamples = Buffer(count: Self.channels * longestFrames, repeating: 0)
        outputSamples = Buffer(count: Self.channels * longestFrames, repeating: 0)
        let (inputs, outputs) = (inputSamples.start, outputSamples.start)
        inputTable = Buffer(count: EnginePorts.maximumChannels) {
            UnsafePointer(inputs + min($0, Self.channels - 1) * longestFrames)
        }
        outputTable = Buffer(count: EnginePorts.maximumChannels) {
            outputs + min($0, Self.channels - 1) * longestFrames
        }
        messages = Buffer(count: EnginePorts.maximumMessageSignals, repeating: RTMessages())
        sinks = Buffer(count: EnginePorts.maximumMessageSignals, repeating: RTMessageSink())
    }

    /// Returns the inputs of a call from a frame of it on.
    func inputs(
        of log: BoxLog, _ call: BoxLog.Call, from first: Int
    ) -> UnsafePointer<UnsafePointer<Float>> {
        for (slot, samples) in log.channels.prefix(Self.channels).enumerated() {
            let room = inputSamples.start + slot * frames
            for frame in first..<call.frameCount {
                room[frame - first] = samples[call.offset + frame]  // checked: BoxReader
            }
        }
        return UnsafePointer(inputTable.start)
    }

    /// Returns the outputs of a call from a frame of it on.
    func outputs(from first: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        for slot in 0..<outputTable.count {
            outputTable[slot] =
                outputSamples.start + min(slot, Self.channels - 1) * frames + first
        }
        return UnsafePointer(outputTable.start)
    }

    /// Returns MIDI and transport of a part of a call; `nil` if the call had neither.
    func engineCall(
        of log: BoxLog, _ call: BoxLog.Call, from first: Int, to end: Int
    ) -> UnsafePointer<RTEngineCall>? {
        guard call.flags & 1 != 0 else { return nil }
        let inputCount = min(call.messageInputs, EnginePorts.maximumMessageSignals)
        events = []
        for slot in 0..<inputCount {
            let own = log.messages[call.messages].filter {
                $0.slot == slot && Int($0.frame) >= first
                    && (Int($0.frame) < end || end == call.frameCount)
            }
            let memory = MessageMemory(own)
            messages[slot] = RTMessages(
                first: own.isEmpty ? nil : UnsafePointer(memory.messages.start),
                count: Int32(own.count), startFrame: Int32(first))
            events.append(memory)
        }
        if let index = call.transport {
            transport[0] = log.transports[index].transport
            if transport[0].isRolling { transport[0].frame += Int64(first) }
        }
        engineCall[0] = RTEngineCall(
            messages: messages.start, inputCount: Int32(clamping: inputCount), sinks: sinks.start,
            sinkCount: Int32(sinks.count), isFreewheeling: call.flags & 2 != 0,
            transport: call.transport == nil ? nil : UnsafePointer(transport.start))
        return UnsafePointer(engineCall.start)
    }
}
