/// The form in which a stream's sound is wanted.
public struct StreamFormat: Sendable, Equatable {
    /// Frames a second.
    public var sampleRate: Int
    /// Channels of each frame, from 1 through 8.
    public var channels: Int

    /// The channels that can be asked for.
    public static let allowedChannels = 1...8

    /// A form.
    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
