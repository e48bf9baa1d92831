import Proof
import Testing

@Suite("Distribution of loads")
struct LoadDistributionTests {
    @Test("quantiles are the nearest rank of the sorted loads")
    func quantiles() {
        let loads = LoadDistribution((1...1000).map { Double($0) / 1000 }.shuffled())
        #expect(loads.count == 1000)
        #expect(loads.quantile(0.5) == 0.5)
        #expect(loads.quantile(0.999) == 0.999)
        #expect(loads.quantile(1) == 1)
        #expect(loads.worst == 1)
        #expect(abs(loads.mean - 0.5005) < 1e-9)
    }

    @Test("without blocks everything is 0")
    func empty() {
        let loads = LoadDistribution([])
        #expect([loads.mean, loads.worst, loads.quantile(0.5)] == [0, 0, 0])
    }

    @Test("each load is in one interval, and the last one has all higher loads")
    func intervals() {
        let loads = LoadDistribution([0, 0.05, 0.1, 0.95, 1, 7])
        #expect(loads.counts(intervals: 10, upTo: 1) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 3])
    }
}
