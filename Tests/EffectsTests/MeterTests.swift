import Processing
import Testing
import TestSignals

@Suite("Meter")
struct MeterTests {
    @Test("passes everything unchanged")
    func transparent() {
        let signals = [whiteNoise(frames: 5000), whiteNoise(frames: 5000, seed: 2)]
        #expect(effect("meter").processor(channels: 2).render(signals) == signals)
    }

    @Test("reports peak and RMS of a sine", arguments: [44_100.0, 48_000, 96_000])
    func sine(_ sampleRate: Double) {
        let processor = effect("meter").processor(sampleRate: sampleRate)
        let second = sineWave(997, frames: Int(sampleRate), sampleRate: sampleRate)
        _ = processor.render([second])
        let levels = reports(of: processor)
        #expect(abs(levels.peak + 6.02) < 0.01)
        #expect(abs(levels.rms + 9.03) < 0.01)
    }

    @Test("falls to its floor of -160 dB once two windows are silent")
    func floor() {
        let processor = effect("meter").processor()
        #expect(reports(of: processor) == (-160, -160))
        _ = processor.render([[Float](repeating: 1, count: 100)])
        #expect(reports(of: processor) == (0, 0))
        _ = processor.render([[Float](repeating: 0, count: 8000)])
        #expect(reports(of: processor) == (-160, -160))
    }

    @Test("misses no sample between two readings a twelfth of a second apart")
    func everyPeak() {
        let processor = effect("meter").processor()
        for look in 0..<30 {
            var window = [Float](repeating: 0.001, count: 4000)
            window[look * 131 % 4000] = 1
            _ = processor.render([window], partition: .even(61))
            #expect(reports(of: processor).peak == 0)
        }
    }

    @Test("treats samples that are not finite as silence")
    func nonFinite() {
        let processor = effect("meter").processor()
        _ = processor.render([[.nan, 0.5, .infinity, -0.5]])
        let levels = reports(of: processor)
        #expect(abs(levels.peak + 6.02) < 0.01)
        #expect(abs(levels.rms + 9.03) < 0.01)
    }

    private func reports(of processor: Processor) -> (peak: Float, rms: Float) {
        guard let reports = processor.reports else { return (.nan, .nan) }
        return (reports[0], reports[1])
    }
}
