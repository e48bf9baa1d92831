/// The allowed transition from one sound to another.
struct Law: Equatable {
    var shape: Shape
    var seconds: Double
    /// The length of an additional fade-in ramp on the new sound, in seconds; 0 for none.
    var swellSeconds = 0.0

    /// The curve of the gain.
    enum Shape: Equatable {
        /// 3p² - 2p³.
        case smooth
        /// A straight line.
        case line
        /// A straight line in steps of this many frames.
        case stairs(Int)
    }

    /// Structural changes: nodes, outputs.
    static let structure = Law(shape: .smooth, seconds: 0.03)
    /// Songs and formats, where old and new share nothing.
    static let exchange = Law(shape: .smooth, seconds: 0.03, swellSeconds: 0.005)
    /// Gains, bypass and mix, mute and the master gain.
    static let level = Law(shape: .smooth, seconds: 0.02)
    /// The other gliding parameters of the built-in effects.
    static let parameter = Law(shape: .line, seconds: 0.02)
    /// Parameters that switch from one sound to another.
    static let choice = Law(shape: .smooth, seconds: 0.02)
    /// The start of a session, with inputs that fade in, and its end.
    static let start = Law(shape: .smooth, seconds: 0.05, swellSeconds: 0.03)
    static let stop = Law(shape: .smooth, seconds: 0.05)
    /// All transitions of a looper.
    static let loop = Law(shape: .smooth, seconds: 0.005)
    /// Panic.
    static let silence = Law(shape: .smooth, seconds: 0.008)

    /// The law as the table shows it.
    var text: String {
        switch shape {
        case .smooth: "\(Int(seconds * 1000)) ms smooth"
        case .line: "\(Int(seconds * 1000)) ms line"
        case .stairs: "\(Int(seconds * 1000)) ms steps"
        }
    }

    /// Returns the new sound's share at a frame after the start of the transition.
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

    /// Returns the largest increase of the share from one frame to the next.
    func steepest(sampleRate: Double) -> Float {
        let most =
            switch shape {
            case .smooth: 1.5
            case .line: 1.0
            case .stairs(let step): Double(step)
            }
        return Float(most / (seconds * sampleRate))
    }

    /// Returns a crossfade from one sound to another that starts at a frame.
    func crossfade(_ old: [Float], _ new: [Float], from start: Int, sampleRate: Double) -> [Float] {
        old.indices.map { frame in
            let share = share(atFrame: frame - start, sampleRate: sampleRate)
            return old[frame] * (1 - share) + new[frame] * share
        }
    }
}
