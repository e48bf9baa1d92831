import CRealtime
import Engine
import LV2
import Pipelines
import PluginComparison
import Processing
import Realtime

/// Renders a pipeline of plugins in the engine, with MIDI and time from the test.
final class EventPlayer {
    /// A MIDI message at a frame of a call.
    struct Message: Equatable {
        var frame: Int
        var bytes: [UInt8]
    }

    let engine: Engine
    /// The messages from the MIDI outputs, by frames since the start.
    private(set) var given: [Message] = []
    private(set) var reports: [Report] = []
    private let inputCount: Int
    private let outputCount: Int
    private var frame = 0

    /// Creates a pipeline with the test plugins.
    init(_ text: String, blockFrames: Int = 64) throws {
        let catalogue = Catalogue(effects: [], plugins: HostileBundle.world)
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "test.json", catalogue: catalogue)
        let schedule = try Schedule(
            preparing: pipeline, catalogue: catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: blockFrames))
        (inputCount, outputCount) = (schedule.inputChannels, schedule.outputChannels)
        engine = Engine(playing: schedule)
    }

    /// Creates a pipeline of one test plugin, its MIDI input `keys`, its MIDI output `notes`, and
    /// one output.
    ///
    /// The node has further keys in addition to id, type, URI and events, written as in a file.
    static func playing(
        _ name: String, channels: Int, blockFrames: Int = 64, _ node: String = ""
    ) throws -> EventPlayer {
        try EventPlayer(
            """
            { "version": 1, "inputs": { "keys": { "kind": "midi" } }, "outputs": {
                "out": { "channels": \(channels), "limiter": false }, "notes": { "kind": "midi" } },
              "nodes": [{ "id": "plugin", "type": "lv2", "uri": "urn:stompline-test:\(name)",
                "events": "keys"\(node) }] }
            """, blockFrames: blockFrames)
    }

    /// Returns the output of one engine call for the given sound and messages; inputs without sound
    /// are silent.
    func render(
        _ frames: Int, sound: [Float] = [], _ messages: [Message] = [],
        transport: RTTransport? = nil, isFreewheeling: Bool = false
    ) -> [[Float]] {
        let bytes = Buffer<Buffer<UInt8>>(count: messages.count) { Buffer(messages[$0].bytes) }
        return withExtendedLifetime(bytes) {
            let list = messages.enumerated().map { index, message in
                RTMessage(
                    frame: Int32(message.frame), byteCount: Int32(message.bytes.count),
                    bytes: bytes[index].start)
            }
            return render(
                frames, sound, list, transport: transport, isFreewheeling: isFreewheeling)
        }
    }

    private func render(
        _ frames: Int, _ sound: [Float], _ list: [RTMessage], transport: RTTransport?,
        isFreewheeling: Bool
    ) -> [[Float]] {
        var time = transport ?? RTTransport()
        return list.withUnsafeBufferPointer { list in
            withUnsafePointer(to: &time) { time in
                var input = RTMessages(
                    first: list.baseAddress, count: Int32(list.count), startFrame: 0)
                var sink = RTMessageSink(
                    receive: receiveMessage, context: Unmanaged.passUnretained(self).toOpaque(),
                    startFrame: 0)
                return withUnsafePointer(to: &input) { input in
                    withUnsafePointer(to: &sink) { sink in
                        var engineCall = RTEngineCall(
                            messages: input, inputCount: 1, sinks: sink, sinkCount: 1,
                            isFreewheeling: isFreewheeling,
                            transport: transport == nil ? nil : time)
                        return render(frames, sound, &engineCall)
                    }
                }
            }
        }
    }

    private func render(
        _ frames: Int, _ sound: [Float], _ engineCall: UnsafePointer<RTEngineCall>
    ) -> [[Float]] {
        withSilentChannels(inputs: inputCount, outputs: outputCount, frames: max(1, frames)) {
            inputs, outputs in
            for channel in inputs { channel.update(from: sound, count: min(sound.count, frames)) }
            let control = rt_float_control()
            engine.audio.render(
                frameCount: frames, inputs: inputs.map { UnsafePointer($0) }, outputs: outputs,
                engineCall: engineCall)
            rt_restore_float_control(control)
            frame += frames
            while let report = engine.nextReport() { reports.append(report) }
            return outputs.dropLast().map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
        }
    }

    fileprivate func receive(_ frame: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        given.append(Message(frame: self.frame + Int(frame), bytes: Array(bytes)))
    }
}

private func receiveMessage(
    _ context: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ count: Int32
) -> Bool {
    Unmanaged<EventPlayer>.fromOpaque(context).takeUnretainedValue()
        .receive(frame, UnsafeBufferPointer(start: bytes, count: Int(count)))
    return true
}
