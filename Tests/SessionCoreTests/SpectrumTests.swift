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

    /// Returns the frequency of the highest level in the newest spectrum of a node, in Hz.
    private func peakHertz(_ stage: Stage, of node: String) -> Double? {
        let spectra = stage.events.compactMap { event -> NodeSpectrum? in
            guard case .spectrum(let spectrum) = event, spectrum.node == node else { return nil }
            return spectrum
        }
        guard let levels = spectra.last?.levels, let highest = levels.max() else { return nil }
        return highest > -20 ? levels.firstIndex(of: highest).map(hertz) : nil
    }

    /// Plays a sine, and waits until a spectrum is due.
    private func play(_ stage: Stage, _ hertz: Double, _ sampleRate: Double) {
        for _ in 0..<2 {
            _ = stage.play(
                sineWave(hertz, frames: Int(sampleRate / 4), sampleRate: sampleRate))
            usleep(50_000)
            _ = stage.session.advance()
        }
    }

    @Test("a node is measured after an edit before it, and at another sample rate")
    func follows() throws {
        let ends =
            "\"inputs\": {\"in\": {}}, \"outputs\": {\"out\": {\"channels\": 1}}, \"nodes\": "
        let one = ends + "[{\"id\": \"thru\", \"type\": \"gain\"}]"
        let two =
            ends
            + "[{\"id\": \"first\", \"type\": \"gain\"}, {\"id\": \"thru\", \"type\": \"gain\"}]"
        let stage = try Stage(one)
        #expect(stage.session.perform(.measureSpectra(ofNodes: ["thru"])) == .done)
        play(stage, 1000, 48_000)
        let first = try #require(peakHertz(stage, of: "thru"))
        #expect(abs(first / 1000 - 1) < 0.05)
        try stage.edit(two)
        play(stage, 3000, 48_000)
        #expect(abs(try #require(peakHertz(stage, of: "thru")) / 3000 - 1) < 0.05)
        stage.session.follow(AudioFormat(sampleRate: 96_000, maximumBlockFrames: 64))
        play(stage, 1000, 96_000)
        #expect(abs(try #require(peakHertz(stage, of: "thru")) / 1000 - 1) < 0.05)
        #expect(stage.session.perform(.measureSpectra(ofNodes: [])) == .done)
        play(stage, 1000, 96_000)
        let count = stage.events.count { if case .spectrum = $0 { true } else { false } }
        play(stage, 1000, 96_000)
        #expect(stage.events.count { if case .spectrum = $0 { true } else { false } } == count)
    }
}
