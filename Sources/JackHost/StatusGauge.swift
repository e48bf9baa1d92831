internal import Engine

/// Gathers the engine's reports until a status is due.
struct StatusGauge {
    private let ports: [String]
    private var peaks: [Double]
    private var meanSum = 0.0
    private var meanCount = 0
    private var worstLoad = 0.0
    private var limiterGain = 1.0
    /// The highest of the whole session.
    private(set) var highestPeak = 0.0
    /// The worst of the whole session.
    private(set) var highestLoad = 0.0

    /// - Parameter ports: The short names of the audio output ports.
    init(ports: [String]) {
        self.ports = ports
        peaks = Array(repeating: 0, count: ports.count)
    }

    /// Takes in what a report says of levels and load; others say nothing here.
    mutating func add(_ report: Report) {
        switch report {
        case .outputLevel(let channel, let peak, _):
            peaks[Int(channel)] = max(peaks[Int(channel)], Double(peak))
            highestPeak = max(highestPeak, Double(peak))
        case .totalLoad(let mean, let worst):
            meanSum += Double(mean)
            meanCount += 1
            worstLoad = max(worstLoad, Double(worst))
            highestLoad = max(highestLoad, Double(worst))
        case .limited(_, let gain): limiterGain = min(limiterGain, Double(gain))
        default: break
        }
    }

    /// The status since the last call, and starts anew.
    mutating func take(
        xruns: Int, latencyFrames: Int, roundTripFrames: Int, sampleRate: Double
    ) -> SessionStatus {
        defer {
            peaks = Array(repeating: 0, count: ports.count)
            (meanSum, meanCount, worstLoad, limiterGain) = (0, 0, 0, 1)
        }
        return SessionStatus(
            outputs: zip(ports, peaks).map { SessionStatus.Level(port: $0, peak: $1) },
            meanLoad: meanSum / Double(max(1, meanCount)), worstLoad: worstLoad, xruns: xruns,
            latencyFrames: latencyFrames, roundTripFrames: roundTripFrames, sampleRate: sampleRate,
            limiterGain: limiterGain)
    }
}
