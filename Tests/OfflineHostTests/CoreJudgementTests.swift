import OfflineHost
import Testing

@Suite("Judgement of several cores")
struct CoreJudgementTests {
    /// Judges a machine of two cores, on which a period lasts 2 ms, and one core takes 1 ms.
    private func judgement(
        predicted: Double, measured: Double?, simulated: Double = 900_000,
        periodNanoseconds: Double = 2e6
    ) -> CoreJudgement {
        CoreJudgement(
            of: [
                row(1, predicted: 1e6, measured: 1e6),
                row(2, predicted: predicted, measured: measured),
                row(4, predicted: simulated, measured: nil),
            ], periodNanoseconds: periodNanoseconds)
    }

    private func row(_ cores: Int, predicted: Double, measured: Double?) -> CoreBench.Row {
        .init(
            coreCount: cores, predictedNanoseconds: predicted, measuredNanoseconds: measured)
    }

    @Test("more cores help if they save a tenth of the time on one core")
    func gain() {
        #expect(judgement(predicted: 550_000, measured: 600_000) == .gain)
        #expect(judgement(predicted: 550_000, measured: 900_000) == .gain)
        // The measurement counts, not the prediction.
        #expect(judgement(predicted: 990_000, measured: 600_000) == .gain)
    }

    @Test("without a predicted gain, more cores do not help")
    func noGain() {
        #expect(judgement(predicted: 990_000, measured: 901_000) == .noGain)
        #expect(judgement(predicted: 901_000, measured: 1_200_000) == .noGain)
    }

    @Test("other programs are blamed if only the prediction shows a gain")
    func onlyPredicted() {
        #expect(judgement(predicted: 500_000, measured: 901_000) == .onlyPredicted(factor: 2))
        #expect(judgement(predicted: 500_000, measured: 1_500_000) == .onlyPredicted(factor: 2))
    }

    @Test("other programs are not blamed for cores that the machine does not have")
    func simulated() {
        #expect(judgement(predicted: 990_000, measured: 990_000, simulated: 250_000) == .noGain)
    }

    @Test("below a third of the period, one core is enough")
    func oneCore() {
        #expect(
            judgement(predicted: 550_000, measured: 600_000, periodNanoseconds: 4e6)
                == .oneCoreIsEnough)
        // It is not the reason if more cores do not help at all.
        #expect(
            judgement(predicted: 990_000, measured: 990_000, periodNanoseconds: 4e6) == .noGain)
    }

    @Test("a machine with one core measures nothing")
    func oneCoreMachine() {
        #expect(judgement(predicted: 500_000, measured: nil) == .notMeasured)
        #expect(CoreJudgement(of: [], periodNanoseconds: 2e6) == .notMeasured)
    }

    @Test("the best of several numbers of cores counts")
    func best() {
        let rows = [
            row(1, predicted: 1e6, measured: 1e6), row(2, predicted: 950_000, measured: 1e6),
            row(4, predicted: 500_000, measured: 600_000),
        ]
        #expect(CoreJudgement(of: rows, periodNanoseconds: 2e6) == .gain)
    }
}
