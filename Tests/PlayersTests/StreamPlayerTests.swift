import Glibc
import Processing
import Synchronization
import Testing
import TestSignals

import Players

@Suite("A player of a stream")
struct StreamPlayerTests {
    private let scene = PlayerScene()

    private func player(
        _ stream: ScriptedStream, isLive: Bool = false, _ values: [String: Float] = [:],
        swell: Double = 0
    ) -> Processor {
        let effect = Player.effect(streams: StreamOpener { _, _, _ in stream })
        let request = ProcessorRequest(
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 4096, isLive: isLive),
            inputChannels: 0, outputChannels: 1,
            parameters: effect.description.parameters.map { values[$0.name] ?? $0.defaultValue },
            settings: ["url": .text("http://example.org/"), "swell": .number(swell)])
        do {
            return try effect.makeProcessor(request)
        } catch {
            fatalError(error.message)
        }
    }

    @Test(
        "plays from its first frame to its end, however the data arrives",
        arguments: [nil, 70_000])
    func whole(_ knownFrames: Int?) {
        let signal = ramp(70_000)
        let stream = ScriptedStream(signal, knownFrames: knownFrames)
        let player = player(stream)
        let played = player.play(71_000)[0]
        #expect(played == signal + [Float](repeating: 0, count: 1000))
        #expect(player.report("playing") == 0)
        #expect(player.report("duration") == Float(70_000) / 48_000)
    }

    @Test("seeks in a stream with an end")
    func seek() {
        let signal = ramp(200_000)
        let stream = ScriptedStream(signal, knownFrames: 200_000)
        let moves = [Move("position", to: 2, at: 5000), Move("position", to: 0.25, at: 20_000)]
        let played = player(stream).play(30_000, moves: moves)[0]
        #expect(Array(played[5960..<20_000]) == Array(signal[96_960..<111_000]))
        #expect(Array(played[20_960...]) == Array(signal[12_960..<22_000]))
    }

    @Test("continues an endless stream from the live position after a stop")
    func endless() {
        let signal = ramp(400_000)
        let player = player(ScriptedStream(signal, knownFrames: nil))
        let moves = [
            Move("position", to: 3, at: 1000), Move("playing", to: 0, at: 5000),
            Move("playing", to: 1, at: 9000), Move("trigger", to: 1, at: 20_000),
        ]
        let played = player.play(40_000, moves: moves)[0]
        #expect(Array(played[..<5000]) == Array(signal[..<5000]))
        #expect(Array(played[9000..<20_000]) == Array(signal[5960..<16_960]))
        let later = played[30_000]
        #expect(later > signal[26_000] && later < signal[30_000])
    }

    @Test("fades out while data is missing, and continues from there when there is enough")
    func rebuffering() {
        let stream = ScriptedStream([Float](repeating: 0.5, count: 900_000), knownFrames: nil)
        let player = player(stream, isLive: true)
        var playback = PatientPlayback(player)
        for _ in 0..<1000 where playback.played.last != 0.5 { playback.play(6000) }
        stream.isHeld.store(true, ordering: .releasing)
        for _ in 0..<1000 where playback.played.last != 0 { playback.play(6000) }
        #expect(playback.played.last == 0)
        #expect(player.report("playing") == 1)
        stream.isHeld.store(false, ordering: .releasing)
        for _ in 0..<1000 where playback.played.last != 0.5 { playback.play(6000) }
        #expect(playback.played.last == 0.5)
        let first = playback.played.firstIndex { $0 != 0 } ?? 0
        let steps = (first + 1..<playback.played.count).map {
            abs(playback.played[$0] - playback.played[$0 - 1])
        }
        #expect(steps.allSatisfy { $0 < 0.002 })
        #expect(player.incidents?.next() == .title("Held"))
    }
}

/// A stream under a test's control.
final class ScriptedStream: StreamingSource, @unchecked Sendable {
    // SAFETY: only the player's reader calls it; the values that a test changes are atomic.
    let channels = 1
    let frameCount: Int?
    let isHeld = Atomic(false)
    private let signal: [Float]
    private var position = 0
    private var turn = 0
    private var hasTold = false

    init(_ signal: [Float], knownFrames: Int?) {
        self.signal = signal
        frameCount = knownFrames
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> StreamRead {
        if isHeld.load(ordering: .acquiring) { return .waiting }
        turn += 1
        if turn % 3 == 0 { return .waiting }
        let count = min(frames, min(1 + turn * 37 % 700, signal.count - position))
        guard count > 0 else { return .ended }
        for frame in 0..<count { samples[frame] = signal[position + frame] }
        position += count
        return .frames(count)
    }

    func seek(to frame: Int) { position = frame }

    func nextNotice() -> StreamNotice? {
        guard !hasTold, isHeld.load(ordering: .acquiring) else { return nil }
        hasTold = true
        return .title("Held")
    }

    func close() {}
}
