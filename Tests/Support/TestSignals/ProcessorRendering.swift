internal import CRealtime
public import Processing

/// A partition of a signal into blocks.
public enum Partition: Sendable, CustomStringConvertible {
    /// Every block has this many frames, except the last one.
    case even(Int)
    /// Blocks of 1 through 4096 frames, the same for the same seed.
    case random(seed: UInt64)

    /// The partition in words.
    public var description: String {
        switch self {
        case .even(let frames): "blocks of \(frames)"
        case .random(let seed): "random blocks \(seed)"
        }
    }

    /// Returns the lengths of the blocks, which sum to `frames`.
    func blocks(frames: Int) -> [Int] {
        var state: UInt64 =
            if case .random(let seed) = self { seed &* 2_654_435_761 | 1 } else { 1 }
        var lengths: [Int] = []
        var left = frames
        while left > 0 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let wanted =
                if case .even(let count) = self { count } else { Int(state >> 33) % 4096 + 1 }
            lengths.append(min(wanted, left))
            left -= min(wanted, left)
        }
        return lengths
    }
}

/// A change of a parameter's value at a frame.
public struct Move: Sendable {
    /// The frame of the change.
    public var frame: Int
    /// The parameter's index in the description.
    public var parameter: Int32
    /// The new value.
    public var value: Float

    /// Creates a move of a parameter.
    public init(_ parameter: Int32, to value: Float, at frame: Int) {
        self.frame = frame
        self.parameter = parameter
        self.value = value
    }
}

/// A MIDI message for a render.
public struct PlayedMessage: Sendable {
    /// The frame at which it arrives.
    public var frame: Int
    /// The message.
    public var bytes: [UInt8]

    /// Creates a message at a frame.
    public init(_ bytes: [UInt8], at frame: Int) {
        self.frame = frame
        self.bytes = bytes
    }
}

extension Processor {
    /// Renders whole signals with flush-to-zero on, as on the audio thread.
    ///
    /// - Parameters:
    ///   - inputs: One signal per channel; their lengths are equal.
    ///   - partition: The blocks; a block is split further if a parameter moves within it.
    ///   - moves: The moves, sorted by frame.
    ///   - messages: The MIDI messages, sorted by frame.
    /// - Returns: One signal per output channel.
    public func render(
        _ inputs: [[Float]], partition: Partition = .even(64), moves: [Move] = [],
        messages: [PlayedMessage] = []
    ) -> [[Float]] {
        render(
            inputs, frames: inputs.first?.count ?? 0, partition: partition, moves: moves,
            messages: messages)
    }

    /// Renders a processor without inputs, with flush-to-zero on.
    ///
    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - partition: The blocks; a block is split further if a parameter moves within it.
    ///   - moves: The moves, sorted by frame.
    /// - Returns: One signal per output channel.
    public func render(
        frames: Int, partition: Partition = .even(64), moves: [Move] = []
    ) -> [[Float]] {
        render([], frames: frames, partition: partition, moves: moves, messages: [])
    }

    private func render(
        _ inputs: [[Float]], frames: Int, partition: Partition, moves: [Move],
        messages: [PlayedMessage]
    ) -> [[Float]] {
        let midi = MIDIInput(messages)
        let signals = inputs.map { signal in
            let place = UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames))
            place.initialize(from: signal, count: frames)
            return place
        }
        // A value that no processor would write marks samples that were not written.
        let results = (0..<outputCount).map { _ in
            let place = UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames))
            place.initialize(repeating: 12_345, count: frames)
            return place
        }
        defer {
            signals.forEach { $0.deallocate() }
            results.forEach { $0.deallocate() }
        }
        let control = rt_float_control()
        rt_flush_denormals()
        var pending = moves[...]
        var first = 0
        for length in partition.blocks(frames: frames) {
            let end = first + length
            while first < end {
                while let move = pending.first, move.frame <= first {
                    kernel.set(move.parameter, to: move.value)
                    pending.removeFirst()
                }
                let stop = min(end, pending.first?.frame ?? end)
                midi.withContext(from: first, to: stop) { context in
                    runBlock(signals, results, first: first, count: stop - first, context)
                }
                first = stop
            }
        }
        rt_restore_float_control(control)
        return results.map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
    }

    private func runBlock(
        _ signals: [UnsafeMutablePointer<Float>], _ results: [UnsafeMutablePointer<Float>],
        first: Int, count: Int, _ context: UnsafePointer<RTContext>?
    ) {
        // One extra pointer, because an empty array has no base address.
        let inputs = (signals + results.prefix(1)).map { UnsafePointer($0 + first) }
        let outputs = results.map { $0 + first }
        inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                guard let inputBase = inputs.baseAddress, let outputBase = outputs.baseAddress
                else { return }
                var block = RTBlock(
                    frameCount: Int32(count), inputCount: Int32(signals.count),
                    outputCount: Int32(outputs.count), inputs: inputBase, outputs: outputBase)
                block.context = context
                kernel.run(&block)
            }
        }
    }

    /// Resets the processor's state.
    public func resetState() { kernel.reset() }
}

/// The memory of the messages of a render.
private final class MIDIInput {
    private let messages: [RTMessage]
    private let bytes: [UnsafeMutablePointer<UInt8>]

    init(_ played: [PlayedMessage]) {
        let bytes = played.map { message in
            let place = UnsafeMutablePointer<UInt8>.allocate(capacity: message.bytes.count + 1)
            place.initialize(from: message.bytes, count: message.bytes.count)
            return place
        }
        self.bytes = bytes
        messages = zip(played, bytes).map { message, place in
            RTMessage(
                frame: Int32(message.frame), byteCount: Int32(message.bytes.count), bytes: place)
        }
    }

    deinit { bytes.forEach { $0.deallocate() } }

    /// Calls a function with the context of a block; without one if the render has no messages.
    func withContext(from first: Int, to end: Int, _ body: (UnsafePointer<RTContext>?) -> Void) {
        guard !messages.isEmpty else { return body(nil) }
        var transport = RTTransport()
        messages.filter { first..<end ~= Int($0.frame) }.withUnsafeBufferPointer { due in
            withUnsafePointer(to: &transport) { transport in
                var context = RTContext(
                    messages: RTMessages(
                        first: due.baseAddress, count: Int32(due.count), startFrame: Int32(first)),
                    sink: RTMessageSink(), transport: transport)
                body(&context)
            }
        }
    }
}
