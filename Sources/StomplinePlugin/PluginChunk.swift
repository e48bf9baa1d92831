internal import CRealtime

/// A few frames of a plugin's channels, as its kernel takes them.
struct PluginChunk: BitwiseCopyable {
    private let channelCount: Int
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    private let samples: UnsafeMutablePointer<Float>
    private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    /// Where each channel's frames go.
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    static var frames: Int { @_noLocks get { 64 } }

    init(channelCount: Int) {
        self.channelCount = channelCount
        samples = .allocate(capacity: channelCount * PluginChunk.frames)
        inputs = .allocate(capacity: channelCount)
        outputs = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            let place = samples + channel * PluginChunk.frames
            (inputs + channel).initialize(to: UnsafePointer(place))
            (outputs + channel).initialize(to: place)
        }
    }

    func deallocate() {
        samples.deallocate()
        inputs.deallocate()
        outputs.deallocate()
    }

    /// Where a channel's input is copied to.
    @_noLocks
    func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
        samples + channel * PluginChunk.frames
    }

    @_noLocks
    func block(frameCount: Int) -> RTBlock {
        RTBlock(
            frameCount: Int32(frameCount), inputCount: Int32(channelCount),
            outputCount: Int32(channelCount), inputs: inputs, outputs: outputs)
    }
}
