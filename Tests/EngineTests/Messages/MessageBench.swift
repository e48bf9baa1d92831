import CRealtime
import Engine
import Pipelines
import Processing
import TestSignals

/// An engine whose MIDI outputs are recorded with their frames, counted from the first frame.
final class MessageBench {
    let playing: Playing
    let recorder = MessageRecorder()
    private(set) var frame = 0

    /// Starts a song, as a live session does; an engine without one sends nothing.
    init(_ pipeline: Pipeline, fadingIn: Bool = false, startsSong: Bool = true) throws {
        playing = try Playing(pipeline, fadingIn: fadingIn)
        if startsSong { playing.engine.startSong(scene: nil) }
    }

    /// Returns a pipeline with one node and the MIDI output `synth`.
    static func pipeline(
        _ scenes: [Pipeline.Scene] = [], song: [Pipeline.Message] = [], node: String = "late"
    ) -> Pipeline {
        var graph = Graph()
        graph.add("a", node, from: ["in"])
        graph.output(from: ["a"])
        var pipeline = graph.pipeline
        pipeline.outputs.append(
            .init(
                name: "synth", channels: 0, kind: .midi, taps: [], hasLimiter: false, connect: [],
                events: node == ChatterEffect.description.name ? 0 : nil))
        pipeline.scenes = scenes
        pipeline.messages = song
        return pipeline
    }

    static func message(_ bytes: UInt8..., seconds: Double? = nil) -> Pipeline.Message {
        Pipeline.Message(output: 1, bytes: bytes, noteSeconds: seconds)
    }

    /// Renders silence in calls of the given length.
    func render(_ frames: Int, calls: Int = 64, messages: RTMessages = RTMessages()) {
        let end = frame + frames
        while frame < end {
            let count = min(calls, end - frame)
            recorder.callStart = frame
            var sink = recorder.sink
            var messages = messages
            withUnsafePointer(to: &sink) { sink in
                withUnsafePointer(to: &messages) { messages in
                    var call = RTEngineCall(
                        messages: messages, inputCount: 1, sinks: sink, sinkCount: 1,
                        isFreewheeling: false, transport: nil)
                    playing.renderSilence(frames: count, &call)
                }
            }
            frame += count
        }
    }

    /// Calls a scene at a frame, which must be in the next piece.
    func callScene(_ index: Int32, frame: Int) {
        playing.set(node: 0, target: Int32(RTTargetMix.rawValue), 1, frame: UInt64(frame))
        _ = playing.engine.send(.scene(index))
    }

    var sent: [MessageRecorder.Sent] { recorder.sent }
}

/// Receives MIDI messages as a JACK port does: only in the order of their frames.
final class MessageRecorder {
    struct Sent: Equatable {
        var frame: Int
        var bytes: [UInt8]

        init(_ frame: Int, _ bytes: UInt8...) { self.init(frame, bytes) }

        init(_ frame: Int, _ bytes: [UInt8]) { (self.frame, self.bytes) = (frame, bytes) }
    }

    private(set) var sent: [Sent] = []
    /// The frame of the call that follows.
    var callStart = 0

    var sink: RTMessageSink {
        RTMessageSink(
            receive: receiveMessage, context: Unmanaged.passUnretained(self).toOpaque(),
            startFrame: 0)
    }

    fileprivate func receive(_ frame: Int, _ bytes: [UInt8]) -> Bool {
        if let last = sent.last, callStart + frame < last.frame { return false }
        sent.append(Sent(callStart + frame, bytes))
        return true
    }
}

private func receiveMessage(
    _ context: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ count: Int32
) -> Bool {
    Unmanaged<MessageRecorder>.fromOpaque(context).takeUnretainedValue()
        .receive(Int(frame), (0..<Int(count)).map { bytes[$0] })
}

/// An effect that sends a controller at the frames 10 and 50 of each block.
enum ChatterEffect {
    static let description = NodeDescription(name: "chatter", label: "Chatter", summary: "")

    static let effect = Effect(description: description) { request in
        Processor(
            ChatterKernel(), inputCount: request.inputChannels,
            outputCount: request.outputChannels, usesMIDIOrTransport: true)
    }
}

private struct ChatterKernel: Kernel {
    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }
    mutating func set(_ parameter: Int32, to value: Float) {}
    mutating func reset() {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for frame in 0..<Int(block.frameCount) { block.outputs[0][frame] = block.inputs[0][frame] }
        guard let sink = block.context?.pointee.sink else { return }
        for frame in [Int32(10), 50] where frame < block.frameCount {
            let bytes: [UInt8] = [0xB0, 1, UInt8(frame)]
            _ = bytes.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { rt_give_message(sink, frame, $0, 3) }
            }
        }
    }
}
