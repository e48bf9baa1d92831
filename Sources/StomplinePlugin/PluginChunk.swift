internal import CRealtime
internal import Realtime

/// Memory for a few frames of a plugin's channels, and their block for the kernel.
struct PluginChunk: ~Copyable {
    private let samples: Buffer<Float>
    private let inputs: Buffer<UnsafePointer<Float>>
    /// The address of each channel's output.
    let outputs: Buffer<UnsafeMutablePointer<Float>>

    static var frames: Int { @_noLocks get { 64 } }

    init(inputCount: Int, outputCount: Int) {
        let count = max(inputCount, outputCount) * PluginChunk.frames
        let samples = Buffer<Float>(count: count, repeating: 0)
        let first = samples.start
        inputs = Buffer(count: inputCount) { UnsafePointer(first + $0 * PluginChunk.frames) }
        outputs = Buffer(count: outputCount) { first + $0 * PluginChunk.frames }
        self.samples = samples
    }

    /// The address of the copy of a channel's input.
    @_noLocks
    func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
        samples.start + channel * PluginChunk.frames
    }

    @_noLocks
    func block(frameCount: Int) -> RTBlock {
        RTBlock(
            frameCount: Int32(frameCount), inputCount: Int32(inputs.count),
            outputCount: Int32(outputs.count), inputs: inputs.start, outputs: outputs.start)
    }
}
