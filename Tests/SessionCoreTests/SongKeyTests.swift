import Pipelines
import SessionCore
import Testing

@Suite("Gain, tempo, notes and color of songs")
struct SongKeyTests {
    private let through =
        "\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": { \"from\": \"in\", \"limiter\": false } }"

    private func stage(_ change: (inout [Song]) -> Void) throws -> Stage {
        var songs = try ["one", "two"].map { try Stage.song(through, name: $0) }
        change(&songs)
        return try Stage(songs)
    }

    private let tenths = [Float](repeating: 0.01, count: 9_600)

    @Test("a song plays with its gain, and a change of songs moves to the other one without a step")
    func gain() throws {
        let stage = try stage { $0[1].pipeline.gainDecibels = 20 }
        #expect(stage.play(tenths)[0].allSatisfy { $0 == 0.01 })
        _ = stage.ask("next-song")
        let out = stage.play(tenths)[0]
        #expect(abs((out.last ?? 0) - 0.1) < 1e-6)
        #expect(largestStep(out) < 0.002)
    }

    @Test("the first song starts with its gain")
    func firstGain() throws {
        let stage = try stage { $0[0].pipeline.gainDecibels = 20 }
        let out = stage.play(tenths)[0]
        #expect(abs((out.last ?? 0) - 0.1) < 1e-6)
    }

    @Test("an edit of the gain moves to the new gain while the song plays")
    func editedGain() throws {
        let stage = try stage { _ in }
        _ = stage.play(tenths)
        var songs = stage.session.songs
        songs[0].pipeline.gainDecibels = 20
        stage.session.follow(songs)
        let out = stage.play(tenths + tenths)[0]
        #expect(abs((out.last ?? 0) - 0.1) < 1e-6)
        #expect(largestStep(out) < 0.002)
        #expect(zip(out, out.dropFirst()).allSatisfy { $0 <= $1 + 1e-7 })
    }

    @Test("the addresses `notes` and `color` contain the setlist's texts about the current song")
    func display() throws {
        let stage = try stage {
            $0[0].notes = "capo 2"
            $0[1].color = "#ff8800"
        }
        _ = stage.play(tenths)
        #expect(stage.value("notes") == .text("capo 2"))
        #expect(stage.value("color") == .text(""))
        _ = stage.ask("next-song")
        _ = stage.play(tenths)
        #expect(stage.value("notes") == .text(""))
        #expect(stage.value("color") == .text("#ff8800"))
        #expect(stage.events.contains(.valueChanged(AddressValue("color", .text("#ff8800")))))
        guard case .refused(let reason, _) = stage.ask("notes", .text("x")) else {
            Issue.record("the notes were set")
            return
        }
        #expect(reason == "\"notes\" can only be read")
    }

    @Test("a setlist without notes and colors has no such addresses in its list")
    func noDisplay() throws {
        let stage = try stage { _ in }
        guard case .values(let entries) = stage.session.perform(.dump) else {
            Issue.record("no list")
            return
        }
        #expect(!entries.contains { ["notes", "color"].contains($0.address) })
    }
}
