internal import CRealtime
@testable internal import LV2
internal import Processing
internal import Realtime
internal import Synchronization

extension FuzzTarget {
    /// The memory shared with an isolated plugin's process, overwritten by a hostile plugin between
    /// runs.
    ///
    /// The first byte selects how the plugin runs. Then follow steps: a kind, and its arguments.
    static let pluginShare = FuzzTarget(
        name: "plugin-share",
        run: { bytes in
            var source = ByteSource(bytes)
            let plugin = HostilePlugin(&source)
            while !source.isEmpty { plugin.step(&source) }
            plugin.step(&source)
        },
        seeds: {
            [
                [0, 0, 64, 1, 0, 64, 1, 0, 64], [1, 0, 16, 3, 0, 0x3F, 0, 0, 64, 4, 0, 8],
                [2, 2, 9, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 32], [0, 6, 0xFF, 0, 64, 5, 0, 64, 1],
                [1, 2, 12, 0, 0, 0, 0, 0, 0, 0, 24, 2, 13, 0, 0, 0, 8, 0, 0, 0, 64, 0, 64],
            ]
        })
}

/// The host's end of an isolated plugin, together with an attacker that writes into its memory.
private final class HostilePlugin {
    private static let inputs = 2, outputs = 2, maximumFrames = 64, parameters = 3
    private static let size = LV2.PluginShare.Size(
        inputCount: inputs, outputCount: outputs, ringFrames: 4_096, reportCount: 3,
        messageBytes: 4_096, requestBytes: 0)
    private let memory: ShareMemory
    private var share: LV2.PluginShare { memory.share.pointee }
    private let owned: IsolatedMemory
    private var core: IsolatedCore
    private let samples: Buffer<Float>
    private let inputs: Buffer<UnsafePointer<Float>>
    private let outputs: Buffer<UnsafeMutablePointer<Float>>
    private let note = Buffer<UInt8>([0x90, 60, 100])
    /// The sum of the received bytes.
    private let sum = Buffer<Int>(count: 1, repeating: 0)
    private var transport = RTTransport()

    init(_ source: inout ByteSource) {
        guard let (memory, _) = ShareMemory.make(Self.size, { _, _ in }) else {
            fatalError("there is no memory to share")
        }
        self.memory = memory
        let isolation: Isolation = source.byte() % 8 == 1 ? .sameCycle : .process
        let request = ProcessorRequest(
            // The format is live, so that every wait is limited.
            format: AudioFormat(
                sampleRate: 48_000, maximumBlockFrames: Self.maximumFrames, isLive: true),
            inputChannels: Self.inputs, outputChannels: Self.outputs,
            parameters: [Float](repeating: 0.5, count: Self.parameters), isolation: isolation)
        owned = IsolatedMemory(
            parameters: request.parameters, reportCount: Self.size.reportCount,
            messageBytes: Self.size.messageBytes)
        core = IsolatedCore(owned, request, share: memory.share)
        let count = Self.inputs + Self.outputs
        samples = Buffer(count: count * Self.maximumFrames, repeating: 0.1)
        let first = samples.start
        inputs = Buffer(count: Self.inputs) { UnsafePointer(first + $0 * Self.maximumFrames) }
        outputs = Buffer(count: Self.outputs) { first + (Self.inputs + $0) * Self.maximumFrames }
    }

    func step(_ source: inout ByteSource) {
        switch source.below(8) {
        case 1:
            // A correct plugin reports that all posted runs are done.
            share.handledCount.pointee.store(
                share.posted.pointee.load(ordering: .relaxed), ordering: .relaxed)
            let played = share.playedFrames.pointee.load(ordering: .relaxed)
            share.playedFrames.pointee.store(played &+ UInt64(source.byte()), ordering: .relaxed)
        case 2: writeWord(&source)
        case 3:
            let offset = 512 + Int(source.word(3)) % (share.bytes - 512)
            (share.memory + offset).storeBytes(of: source.byte(), as: UInt8.self)
        case 4: core.set(Int32(truncatingIfNeeded: source.word(1)) - 3, to: Float(source.byte()))
        case 5: core.reset()
        case 6:
            (share.memory + 512).initializeMemory(
                as: UInt8.self, repeating: source.byte(), count: share.bytes - 512)
        case 7: writeMessage(&source)
        default: run(frames: 1 + source.below(Self.maximumFrames), &source)
        }
    }

    /// Overwrites eight bytes of one of the words by which the processes report their progress.
    private func writeWord(_ source: inout ByteSource) {
        // The words follow the size, each on its own cache line.
        let lines = (0..<20).map { share.memory + 512 + 64 * $0 }
        let words =
            lines + [
                UnsafeMutableRawPointer(share.playedFrames), share.messagesIn, share.messagesOut,
                share.messagesOut + 8, share.messagesOut + 64,
                UnsafeMutableRawPointer(share.reports),
            ]
        let word = source.pick(words)
        word.storeBytes(of: source.word(8), as: UInt64.self)
    }

    /// Writes a message into the ring to the host, as a plugin with MIDI output does, with any
    /// length and frame.
    private func writeMessage(_ source: inout ByteSource) {
        let ring = share.messagesOut
        let written = ring.load(as: Int.self)
        ring.storeBytes(of: written &+ Int(source.byte()) * 8, as: Int.self)
        let offset = 64 + written & (Self.size.messageBytes - 1) & ~7
        let header = source.word(2) << 32 | source.word(2)
        (ring + offset).storeBytes(of: header, as: UInt64.self)
    }

    private func run(frames: Int, _ source: inout ByteSource) {
        note[1] = source.byte() & 127
        var message = RTMessage(frame: 0, byteCount: 3, bytes: note.start)
        withUnsafeMutablePointer(to: &message) { message in
            withUnsafePointer(to: &transport) { transport in
                var beside = RTContext(
                    messages: RTMessages(first: message, count: 1, startFrame: 0),
                    sink: RTMessageSink(
                        receive: receiveMessage, context: sum.start, startFrame: 0),
                    transport: transport)
                withUnsafePointer(to: &beside) { beside in
                    var block = RTBlock(
                        frameCount: Int32(frames), inputCount: Int32(Self.inputs),
                        outputCount: Int32(Self.outputs), inputs: inputs.start,
                        outputs: outputs.start)
                    block.context = beside
                    core.run(&block)
                }
            }
        }
        require(owned.missedOutput[0] <= 1, "missedOutput is \(owned.missedOutput[0])")
        let latency = owned.status[0].latencyFrames
        require(latency >= 0, "the plugin is \(latency) frames late")
    }
}

/// Reads every byte of a message, as its receiver does.
private func receiveMessage(
    _ context: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ count: Int32
) -> Bool {
    require(frame >= 0 && count >= 0, "a message of \(count) bytes at frame \(frame)")
    let sum = UnsafeBufferPointer(start: bytes, count: Int(count)).reduce(0) { $0 &+ Int($1) }
    context.assumingMemoryBound(to: Int.self).pointee &+= sum
    return true
}
