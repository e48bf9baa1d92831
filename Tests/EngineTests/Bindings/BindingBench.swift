import CRealtime
import Engine
import Pipelines
import Processing

/// Applies bindings to the values of one node, with a controller at each of two MIDI inputs.
final class BindingBench {
    /// A change at its frame, counted from the first frame of the bench.
    struct Change: Equatable {
        var frame: Int
        var node: Int32
        var target: Int32
        var value: Float
        var binding: Int32
    }

    private(set) var values: [Float]
    private(set) var changes: [Change] = []
    /// The feedback sent to the controllers, call by call.
    let feedback = FeedbackRecorder()
    private(set) var learned: LearnedControl?
    private(set) var frame = 0
    private let pipeline: Pipeline
    private var songs: [Bindings] = []
    private var bindings = RTBindings()
    private let place: UnsafeMutablePointer<Float>
    private let nodes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ moves: [Pipeline.Binding], scenes: [Pipeline.Scene] = []) {
        pipeline = BindingBench.pipeline(moves, scenes)
        let node = pipeline.nodes[0]
        values = [0, 1] + node.values
        place = .allocate(capacity: values.count)
        place.initialize(from: values, count: values.count)
        nodes = .allocate(capacity: 1)
        nodes.initialize(to: place)
        beginSong()
    }

    deinit {
        place.deallocate()
        nodes.deallocate()
    }

    /// Continues with another schedule of the same pipeline.
    func beginSong() {
        let ports = EnginePorts(pipeline) ?? EnginePorts()
        songs.append(Bindings(pipeline, ports: ports, sampleRate: 48_000))
        bindings.follow(songs[songs.count - 1].table, NodeValues(nodes: nodes))
    }

    /// Sets a value from outside the bindings; targets are those of `RTTarget`.
    func set(_ target: Int32, _ value: Float) {
        place[Int(target) + 2] = value
        values[Int(target) + 2] = value
    }

    func value(_ target: Int32) -> Float { values[Int(target) + 2] }

    func sendAll() { bindings.sendAll() }
    func listen() { bindings.listen(true) }

    /// Presses a computer key before the next call.
    func press(key name: String) {
        bindings.press(key: Int32(ComputerKey(name)?.number ?? -1))
    }

    /// Sends one message to the first input, and renders a call of 64 frames.
    func send(_ bytes: [UInt8]) { play([Message(frame: frame, port: 0, bytes: bytes)], 64) }

    func controller(_ number: UInt8, _ value: UInt8, channel: UInt8 = 1) {
        send([0xB0 + channel - 1, number, value])
    }

    /// Plays messages, whose frames count from the start of the bench, in calls of these lengths.
    func play(_ messages: [Message], _ frames: Int, blocks: [Int] = [64]) {
        let end = frame + frames
        var turn = 0
        while frame < end {
            let length = min(blocks[turn % blocks.count], end - frame)
            playCall(messages.filter { (frame..<(frame + length)).contains($0.frame) }, length)
            turn += 1
        }
    }

    private func playCall(_ messages: [Message], _ length: Int) {
        let inputs = Inputs(messages, from: frame)
        let count = bindings.evaluate(inputs.inputs, 2, frames: length)
        for index in 0..<count { carryOut(bindings.changes[index]) }
        feedback.begin()
        bindings.sendFeedback(to: feedback.sink, frames: length)
        learned = bindings.popLearned() ?? learned
        frame += length
    }

    private func carryOut(_ change: BoundChange) {
        changes.append(
            Change(
                frame: frame + Int(change.frame), node: change.node, target: change.target,
                value: change.value, binding: change.binding))
        if change.node == BoundChange.scene {
            for change in pipeline.scenes[Int(change.target)].changes {
                set(BindingBench.target(change.address.target), change.value)
            }
        } else if change.node >= 0 {
            set(change.target, change.value)
        }
    }
}

/// A message with its frame, counted from the start of the bench, and its input.
struct Message {
    var frame: Int
    var port: Int
    var bytes: [UInt8]
}

/// The messages of one call, as the audio thread receives them.
private final class Inputs {
    let inputs: UnsafeMutablePointer<RTMessages>
    private var rooms: [UnsafeMutablePointer<RTMessage>] = []
    private var texts: [UnsafeMutablePointer<UInt8>] = []

    init(_ messages: [Message], from frame: Int) {
        inputs = .allocate(capacity: 2)
        inputs.initialize(repeating: RTMessages(), count: 2)
        for port in 0..<2 {
            let mine = messages.filter { $0.port == port }
            let room = UnsafeMutablePointer<RTMessage>.allocate(capacity: max(1, mine.count))
            for (index, message) in mine.enumerated() {
                let text = UnsafeMutablePointer<UInt8>.allocate(
                    capacity: max(1, message.bytes.count))
                text.initialize(from: message.bytes, count: message.bytes.count)
                texts.append(text)
                // The frames need not be relative to the call's first frame.
                (room + index).initialize(
                    to: RTMessage(
                        frame: Int32(message.frame - frame + 7),
                        byteCount: Int32(message.bytes.count), bytes: text))
            }
            rooms.append(room)
            inputs[port] = RTMessages(first: room, count: Int32(mine.count), startFrame: 7)
        }
    }

    deinit {
        inputs.deallocate()
        for room in rooms { room.deallocate() }
        for text in texts { text.deallocate() }
    }
}

/// Records the feedback to controllers.
final class FeedbackRecorder {
    private(set) var calls: [[[UInt8]]] = []
    /// The number of messages that fit into one call.
    var room = Int.max

    var all: [[UInt8]] { calls.flatMap(\.self) }

    func begin() { calls.append([]) }
    func forget() { calls = [] }

    var sink: RTMessageSink {
        RTMessageSink(
            receive: receiveMessage, context: Unmanaged.passUnretained(self).toOpaque(),
            startFrame: 0)
    }

    fileprivate func receive(_ bytes: [UInt8]) -> Bool {
        guard let last = calls.last, last.count < room else { return false }
        calls[calls.count - 1].append(bytes)
        return true
    }
}

private func receiveMessage(
    _ context: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ count: Int32
) -> Bool {
    Unmanaged<FeedbackRecorder>.fromOpaque(context).takeUnretainedValue()
        .receive((0..<Int(count)).map { bytes[$0] })
}
