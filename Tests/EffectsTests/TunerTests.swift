import Glibc
import Processing
import Testing
import TestSignals

@Suite("Tuner")
struct TunerTests {
    /// The reports of a tuner.
    private struct Reading {
        var hertz, cents, note, decibels: Float

        init(_ processor: Processor) {
            let reports = processor.reports.map { Array(UnsafeBufferPointer(start: $0, count: 4)) }
            let values = reports ?? [.nan, .nan, .nan, .nan]
            (hertz, cents, note, decibels) = (values[0], values[1], values[2], values[3])
        }
    }

    private func reading(
        _ signals: [[Float]], reference: Float = 440, sampleRate: Double = 48_000
    ) -> Reading {
        let processor = effect("tuner").processor(
            channels: signals.count, sampleRate: sampleRate, parameters: ["reference": reference])
        _ = processor.render(signals)
        return Reading(processor)
    }

    @Test("passes everything unchanged")
    func transparent() {
        let signals = [whiteNoise(frames: 5000), whiteNoise(frames: 5000, seed: 2)]
        #expect(effect("tuner").processor(channels: 2).render(signals) == signals)
    }

    @Test(
        "reports the nearest note and the deviation in cents",
        arguments: [44_100.0, 48_000, 96_000])
    func note(_ sampleRate: Double) {
        // The low E of a guitar, 12 cents sharp.
        let hertz: Double = 440 * exp2((40 - 69 + 0.12) / 12)
        let tone = sineWave(hertz, frames: Int(sampleRate / 2), sampleRate: sampleRate)
        let reading = reading([tone], sampleRate: sampleRate)
        #expect(reading.note == 40)
        #expect(abs(reading.cents - 12) < 0.1)
        #expect(abs(Double(reading.hertz) / hertz - 1) < 5e-5)
        #expect(abs(reading.decibels + 9.03) < 0.1)
    }

    @Test("uses the reference, even if it changes")
    func reference() {
        let tone = sineWave(415, frames: 24_000, sampleRate: 48_000)
        #expect(abs(reading([tone], reference: 415).cents) < 0.1)
        #expect(reading([tone], reference: 415).note == 69)
        #expect(reading([tone]).note == 68)
        let processor = effect("tuner").processor()
        _ = processor.render([tone], moves: [Move(0, to: 415, at: 23_999)])
        #expect(Reading(processor).note == 69)
    }

    @Test("reports only the level of silence and noise")
    func noPitch() {
        let silence = reading([[Float](repeating: 0, count: 24_000)])
        #expect((silence.hertz, silence.cents, silence.note) == (0, 0, 0))
        #expect(silence.decibels == -160)
        let noise = reading([whiteNoise(frames: 24_000)])
        #expect((noise.hertz, noise.cents, noise.note) == (0, 0, 0))
        #expect(noise.decibels > -30)
    }

    @Test("detects a note in only one of two channels")
    func oneChannel() {
        let tone = sineWave(196, frames: 24_000, sampleRate: 48_000)
        let reading = reading([[Float](repeating: 0, count: 24_000), tone])
        #expect(reading.note == 55)
    }

    @Test("detects the note again after samples that are not finite")
    func nonFinite() {
        let tone = sineWave(196, frames: 48_000, sampleRate: 48_000)
        let reading = reading([[.nan, .infinity, 1e38, -.infinity] + tone])
        #expect(abs(reading.hertz - 196) < 0.01)
    }
}
