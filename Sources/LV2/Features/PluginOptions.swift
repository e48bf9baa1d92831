internal import CLilv
internal import Processing
internal import Realtime

/// The options with which a plugin is instantiated: the sample rate and the block sizes.
final class PluginOptions {
    /// The offered options, by URI.
    static let offered: Set<String> = [
        minimumBlockLength, maximumBlockLength, nominalBlockLength, sequenceSize, sampleRate,
    ]

    /// Bytes of an event buffer, unless the plugin requests more.
    static let sequenceBytes = 8192

    private static let minimumBlockLength = Namespace.bufferSize("minBlockLength")
    private static let maximumBlockLength = Namespace.bufferSize("maxBlockLength")
    private static let nominalBlockLength = Namespace.bufferSize("nominalBlockLength")
    private static let sequenceSize = Namespace.bufferSize("sequenceSize")
    private static let sampleRate = Namespace.parameters("sampleRate")

    /// The options, terminated by an empty one.
    ///
    /// They live as long as this object.
    let options: Buffer<LV2_Options_Option>
    private let integers: Buffer<Int32>
    private let rate: Buffer<Float>

    init(_ format: AudioFormat) {
        let frames = Int32(clamping: format.maximumBlockFrames)
        let lengths: [(uri: String, value: Int32)] = [
            (Self.minimumBlockLength, 1), (Self.maximumBlockLength, frames),
            (Self.nominalBlockLength, frames), (Self.sequenceSize, Int32(Self.sequenceBytes)),
        ]
        integers = Buffer(lengths.map(\.value))
        rate = Buffer(count: 1, repeating: Float(format.sampleRate))
        options = Buffer(count: lengths.count + 2, repeating: LV2_Options_Option())
        for (index, length) in lengths.enumerated() {
            options[index] = Self.option(length.uri, "Int", integers.start + index)
        }
        options[lengths.count] = Self.option(Self.sampleRate, "Float", rate.start)
    }

    private static func option(_ uri: String, _ type: String, _ value: UnsafeRawPointer)
        -> LV2_Options_Option
    {
        LV2_Options_Option(
            context: LV2_OPTIONS_INSTANCE, subject: 0, key: URIDTable.map(uri), size: 4,
            type: URIDTable.map(Namespace.atom(type)), value: value)
    }
}
