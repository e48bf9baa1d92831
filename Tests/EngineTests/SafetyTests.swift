import CRealtime
import Engine
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("Safety")
struct SafetyTests {
    @Test(
        "a node that outputs NaN or infinity is muted for as long and reported; the others play on",
        arguments: [Float(1), 2])
    func nonFiniteIsContained(fault: Float) throws {
        var graph = Graph()
        graph.add("bad", "poison", from: ["in"])
        graph.add("good", "late", from: ["in"])
        graph.output("bad", from: ["bad"])
        graph.output("good", from: ["good"])
        let playing = try Playing(graph.pipeline)
        playing.set(node: 0, target: 0, fault, frame: 6400)
        playing.set(node: 0, target: 0, 0, frame: 12_800)
        let sound = sineWave(440, frames: 48_000, sampleRate: 48_000)
        let out = playing.render([sound])
        #expect(out[1] == sound)
        #expect(out[0].allSatisfy { $0.isFinite })
        #expect(out[0][6400..<12_800].allSatisfy { $0 == 0 })
        #expect(Array(out[0][20_000...]) == Array(sound[20_000...]))
        #expect(
            playing.reports().contains { if case .nonFinite(node: 0) = $0 { true } else { false } })
    }

    @Test("a NaN in an input becomes zero and affects only its own frame")
    func nonFiniteInput() throws {
        var graph = Graph()
        graph.add("fx", "late", from: ["in"])
        graph.output(from: ["fx"])
        var sound = whiteNoise(frames: 1000)
        sound[100] = .nan
        sound[500] = .infinity
        let out = try Playing(graph.pipeline).render([sound])[0]
        sound[100] = 0
        sound[500] = 0
        #expect(out == sound)
    }

    @Test(
        "the limiter passes everything up to -0.3 dBFS unchanged",
        arguments: [44_100.0, 48_000, 96_000])
    func limiterIsTransparent(sampleRate: Double) throws {
        var graph = Graph(inputs: ["in": 2])
        graph.output(from: ["in"], hasLimiter: true)
        let sound = sineWave(997, amplitude: 0.966, frames: 20_000, sampleRate: sampleRate)
        let playing = try Playing(graph.pipeline, sampleRate: sampleRate)
        #expect(playing.render([sound, sound]) == [sound, sound])
    }

    @Test(
        "nothing exceeds -0.3 dBFS, channels keep their balance, and the level recovers exactly"
    )
    func limiterLimits() throws {
        var graph = Graph(inputs: ["in": 2])
        graph.output(from: ["in"], hasLimiter: true)
        let ceiling = 0.966_050_878_989_813  // 10^(-0.3 / 20)
        let loud = sineWave(100, amplitude: 4, frames: 24_000, sampleRate: 48_000)
        let quiet = sineWave(100, amplitude: 0.5, frames: 48_000, sampleRate: 48_000)
        let left = loud + quiet
        let right = left.map { $0 / 2 }
        let playing = try Playing(graph.pipeline)
        let out = playing.render([left, right])
        #expect(out.joined().allSatisfy { Double(abs($0)) <= ceiling })
        for frame in 0..<left.count where left[frame] != 0 {
            #expect(abs(out[1][frame] / out[0][frame] - 0.5) < 1e-6)
        }
        #expect(Array(out[0].suffix(24_000)) == Array(left.suffix(24_000)))
        // After the attack a steady sound has a constant gain, so it is not distorted.
        let gains = Set(
            (4800..<20_000).filter { abs(left[$0]) > 1 }.map {
                (out[0][$0] / left[$0] * 1000).rounded()
            })
        #expect(gains.count == 1)
        #expect(
            playing.reports().contains {
                if case .limited(output: 0, _) = $0 { true } else { false }
            })
    }

    @Test(
        "the sound recovers within a second after one sample of any size",
        arguments: [Float(10), 1e3, 1e10, 3e38])
    func limiterRecovers(spike: Float) throws {
        var graph = Graph()
        graph.output(from: ["in"], hasLimiter: true)
        let quiet = sineWave(100, amplitude: 0.5, frames: 48_000, sampleRate: 48_000)
        var sound = quiet
        sound[100] = spike
        let out = try Playing(graph.pipeline).render([sound])[0]
        #expect(out.allSatisfy { abs($0) <= 0.966_050_86 })
        #expect(out[36_000...] == quiet[36_000...])
    }

    @Test("the engine starts from silence, fades in, fades out to silence and reports it")
    func fades() throws {
        var graph = Graph()
        graph.output(from: ["in"])
        let ones = [Float](repeating: 1, count: 9600)
        let playing = try Playing(graph.pipeline, fadingIn: true)
        #expect(playing.render([ones])[0].allSatisfy { $0 == 0 })
        _ = playing.engine.fadeIn(seconds: 0.05)
        let rise = playing.render([ones])[0]
        #expect(zip(rise, rise.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 0.001 })
        #expect(rise[2400...].allSatisfy { $0 == 1 })
        _ = playing.engine.fadeOut(seconds: 0.05)
        let fall = playing.render([ones])[0]
        #expect(zip(fall, fall.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.001 })
        #expect(fall[2400...].allSatisfy { $0 == 0 })
        #expect(playing.reports().contains { if case .faded = $0 { true } else { false } })
    }
}
