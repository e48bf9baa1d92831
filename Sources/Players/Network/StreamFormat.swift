/// The sample rate and the channels in which a stream is delivered.
public struct StreamFormat: Sendable, Equatable {
    /// The sample rate in Hz.
    public var sampleRate: Int
    /// The number of channels, from 1 through 8.
    public var channels: Int

    /// The supported numbers of channels.
    public static let allowedChannels = 1...8

    /// Creates a format.
    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
