import Effects
import Engine
import Glibc
import Pipelines
import Processing
import SessionCore
import Testing
import TestSignals

@Suite struct SpectrumTests {
    private func hertz(_ index: Int) -> Double {
        let ratio = NodeSpectrum.highestHertz / NodeSpectrum.lowestHertz
        return NodeSpectrum.lowestHertz
            * pow(ratio, Double(index) / Double(NodeSpectrum.count - 1))
    }

    @Test(
        "a sine of full scale has 0 dB at its frequency, and nothing elsewhere",
        arguments: [44_100.0, 48_000, 96_000, 192_000])
    func sine(_ sampleRate: Double) {
        let analyser = SpectrumAnalyser(sampleRate: sampleRate)
        for index in [20, 40, 60, 80, 90] {
            let frames = sineWave(
                hertz(index), frames: analyser.frameCount, sampleRate: sampleRate
            ).map { 2 * $0 }
            let levels = analyser.levels(of: frames)
            #expect(levels.count == NodeSpectrum.count)
            // The window is at most 1.42 dB lower between two bins.
            #expect((-1.5...0.1).contains(levels[index]), "\(hertz(index)) Hz")
            // The window needs some bins to fall off.
            guard hertz(index) * Double(analyser.frameCount) / sampleRate > 30 else { continue }
            #expect(levels[..<(index - 12)].allSatisfy { $0 < -60 }, "\(hertz(index)) Hz")
            #expect(levels.dropFirst(index + 12).allSatisfy { $0 < -60 }, "\(hertz(index)) Hz")
        }
        #expect(
            analyser.levels(of: Array(repeating: 0, count: analyser.frameCount)).allSatisfy {
                $0 == -160
            })
    }
}
