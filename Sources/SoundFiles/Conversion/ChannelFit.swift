/// A conversion from one number of channels to another.
struct ChannelFit {
    private let from: Int
    private let to: Int

    /// Creates a conversion; returns `nil` if there is no obvious mapping of the channels.
    init?(from: Int, to: Int) {
        guard from == to || from == 1 || to == 1 else { return nil }
        self.from = from
        self.to = to
    }

    /// Converts frames: one channel goes to all channels, and one output is the mean of all.
    func fit(
        _ frames: Int, _ samples: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>
    ) {
        for frame in 0..<frames {
            let sound = samples + frame * from
            for channel in 0..<to {
                output[frame * to + channel] =
                    from == to ? sound[channel] : from == 1 ? sound[0] : mean(sound)
            }
        }
    }

    private func mean(_ sound: UnsafePointer<Float>) -> Float {
        var sum: Float = 0
        for channel in 0..<from { sum += sound[channel] }
        return sum / Float(from)
    }
}
