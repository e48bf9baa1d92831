import CRealtime
import Engine
import LV2
import Pipelines
import Processing

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
        let bytes = messages.map { message in
            let place = UnsafeMutablePointer<UInt8>.allocate(capacity: message.bytes.count)
            place.initialize(from: message.bytes, count: message.bytes.count)
            return place
        }
        defer { for place in bytes { place.deallocate() } }
        let list = zip(messages, bytes).map { message, place in
            RTMessage(
                frame: Int32(message.frame), byteCount: Int32(message.bytes.count), bytes: place)
        }
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
        let inputs = channels(inputCount, frames), outputs = channels(outputCount, frames)
        defer { for channel in inputs + outputs { channel.deallocate() } }
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

    /// Allocates silent buffers, one more than needed so that there is always one.
    private func channels(_ count: Int, _ frames: Int) -> [UnsafeMutablePointer<Float>] {
        (0...count).map { _ in
            let channel = UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames))
            channel.initialize(repeating: 0, count: max(1, frames))
            return channel
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
