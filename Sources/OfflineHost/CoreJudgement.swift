internal import Engine

/// The answer to the question whether more cores help a pipeline.
public enum CoreJudgement: Sendable, Equatable {
    /// The machine has one core, so several were not measured.
    case notMeasured
    /// More cores save too little time.
    case noGain
    /// The times of the nodes predict a gain by this factor, but the measurement shows none: other
    /// programs may use the other cores.
    case onlyPredicted(factor: Double)
    /// More cores make a block shorter, but one core is fast enough.
    case oneCoreIsEnough
    /// More cores help.
    case gain

    /// The share of the time on one core that several cores must save, so that they help.
    private static let leastGain = 0.1

    /// Judges the times of a block.
    ///
    /// Numbers of cores that the machine does not have were only simulated, and do not count.
    ///
    /// - Parameters:
    ///   - rows: The times on one core and on several cores, in ascending order.
    ///   - periodNanoseconds: The duration of a block, in ns.
    public init(of rows: [CoreBench.Row], periodNanoseconds: Double) {
        let measured = rows.dropFirst().filter { $0.measuredNanoseconds != nil }
        guard let alone = rows.first?.measuredNanoseconds,
            let best = measured.compactMap(\.measuredNanoseconds).min(),
            let predicted = measured.map(\.predictedNanoseconds).min()
        else {
            self = .notMeasured
            return
        }
        let most = (1 - Self.leastGain) * alone
        if best > most {
            self =
                predicted > most ? .noGain : .onlyPredicted(factor: alone / max(1, predicted))
        } else {
            self =
                CoreChoice.isLong(nodes: [alone], periodNanoseconds: periodNanoseconds)
                ? .gain : .oneCoreIsEnough
        }
    }
}
