/// How one sound may take the place of another.
struct Law: Equatable {
    var shape: Shape
    var seconds: Double
    /// What comes is heard by a smooth curve as well, which lasts so long; 0 for none.
    var swellSeconds = 0.0

    /// The curve of the gain.
    enum Shape: Equatable {
        /// 3p² - 2p³.
        case smooth
        /// A straight line.
        case line
        /// A straight line in steps of so many frames.
        case stairs(Int)
    }

    /// What is built otherwise: nodes, outputs.
    static let structure = Law(shape: .smooth, seconds: 0.03)
    /// Songs and formats: nothing is shared between old and new.
    static let exchange = Law(shape: .smooth, seconds: 0.03, swellSeconds: 0.005)
    /// Gains, bypass and mix, mute and the master gain.
    static let level = Law(shape: .smooth, seconds: 0.02)
    /// The other parameters of our own effects that glide.
    static let parameter = Law(shape: .line, seconds: 0.02)
    /// Those that go from one sound to another.
    static let choice = Law(shape: .smooth, seconds: 0.02)
    /// The first sound, behind inputs that swell in, and the last.
    static let start = Law(shape: .smooth, seconds: 0.05, swellSeconds: 0.03)
    static let stop = Law(shape: .smooth, seconds: 0.05)
    /// Panic.
    static let silence = Law(shape: .smooth, seconds: 0.008)

    /// How it is written in the table.
    var text: String {
        switch shape {
        case .smooth: "\(Int(seconds * 1000)) ms smooth"
        case .line: "\(Int(seconds * 1000)) ms line"
        case .stairs: "\(Int(seconds * 1000)) ms steps"
        }
    }

    /// How far a sound has come some frames after it began.
    func share(atFrame frame: Int, sampleRate: Double) -> Float {
        let share = curve(frame, seconds * sampleRate)
        guard swellSeconds > 0 else { return share }
        return share * curve(frame, swellSeconds * sampleRate)
    }

    private func curve(_ frame: Int, _ frames: Double) -> Float {
        let p = Float(min(1, max(0, Double(frame) / frames)))
        switch shape {
        case .smooth: return p * p * (3 - 2 * p)
        case .line: return p
        case .stairs(let step):
            return Float(min(1, max(0, Double(frame / step * step) / frames)))
        }
    }

    /// The most by which the share grows from one frame to the next.
    func steepest(sampleRate: Double) -> Float {
        let most =
            switch shape {
            case .smooth: 1.5
            case .line: 1.0
            case .stairs(let step): Double(step)
            }
        return Float(most / (seconds * sampleRate))
    }

    /// One sound that takes the place of another from a frame on.
    func crossfade(_ old: [Float], _ new: [Float], from start: Int, sampleRate: Double) -> [Float] {
        old.indices.map { frame in
            let share = share(atFrame: frame - start, sampleRate: sampleRate)
            return old[frame] * (1 - share) + new[frame] * share
        }
    }
}
