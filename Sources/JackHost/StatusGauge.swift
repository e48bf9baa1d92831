internal import Engine
internal import Pipelines

/// Gathers the engine's reports until a status is due.
struct StatusGauge {
    /// The short name of the port at each slot; nil where there is none.
    private var ports: [String?] = []
    private var peaks: [Double] = []
    private var meanSum = 0.0
    private var meanCount = 0
    private var worstLoad = 0.0
    private var limiterGain = 1.0
    /// The highest of the whole session.
    private(set) var highestPeak = 0.0
    /// The worst of the whole session.
    private(set) var highestLoad = 0.0

    /// Takes the audio outputs that there are from now on.
    mutating func follow(_ outputs: [SignalPorts]) {
        ports = []
        for signal in outputs where signal.signal.kind == .audio {
            for (slot, name) in zip(signal.signal.slots, signal.wantedNames) {
                ports += Array(repeating: nil, count: max(0, slot + 1 - ports.count))
                ports[slot] = name
            }
        }
        peaks = Array(repeating: 0, count: ports.count)
    }

    /// Takes in what a report says of levels and load; others say nothing here.
    mutating func add(_ report: Report) {
        switch report {
        case .outputLevel(let channel, let peak, _) where peaks.indices.contains(Int(channel)):
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
            outputs: zip(ports, peaks).compactMap { port, peak in
                port.map { SessionStatus.Level(port: $0, peak: peak) }
            },
            meanLoad: meanSum / Double(max(1, meanCount)), worstLoad: worstLoad, xruns: xruns,
            latencyFrames: latencyFrames, roundTripFrames: roundTripFrames, sampleRate: sampleRate,
            limiterGain: limiterGain)
    }
}
