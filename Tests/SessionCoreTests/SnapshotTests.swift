import Pipelines
import SessionCore
import Testing

@Suite("Snapshots of a session")
struct SnapshotTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)

    private func text(_ extra: String = "") -> String {
        """
        "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
        "nodes": [ { "id": "a", "type": "gain" }, { "id": "b", "type": "gain" } ],
        "scene": "full", "tempo": 100,
        "scenes": { "full": { "a.gain": 0 }, "soft": { "a.gain": -12, "b.gain": -3 } }\(extra)
        """
    }

    private func songs() throws -> [Song] {
        [
            try Stage.song(text(), name: "one"), try Stage.song(text(), name: "two"),
            try Stage.song(text(), name: "three"),
        ]
    }

    private func collection(_ songs: [Song]) -> SongCollection {
        SongCollection(name: "songs", songs: songs, isSetlist: true)
    }

    @Test("a snapshot contains only the values that differ from the file and the scene")
    func values() throws {
        let stage = try Stage(try songs())
        #expect(
            stage.session.snapshot == SessionSnapshot(song: "one", number: 1, scene: "full"))
        _ = stage.ask("scene", .text("soft"))
        #expect(
            stage.session.snapshot == SessionSnapshot(song: "one", number: 1, scene: "soft"))
        _ = stage.ask("a.gain", .number(-6))
        _ = stage.ask("b.bypass", .toggle(true))
        _ = stage.ask("tempo", .number(90))
        _ = stage.ask("mute", .toggle(true))
        _ = stage.ask("gain", .number(-9))
        #expect(
            stage.session.snapshot
                == SessionSnapshot(
                    song: "one", number: 1, scene: "soft",
                    values: [
                        AddressValue("a.gain", .number(-6)),
                        AddressValue("b.bypass", .toggle(true)),
                    ], tempo: 90, isMuted: true, gainDecibels: -9))
        _ = stage.ask("a.gain", .number(-12))
        #expect(stage.session.snapshot.values.map(\.address) == ["b.bypass"])
    }

    @Test("a snapshot contains the live values also while the saved ones sound")
    func comparing() throws {
        let stage = try Stage(try songs())
        _ = stage.ask("b.gain", .number(-6))
        let live = stage.session.snapshot
        #expect(live.values == [AddressValue("b.gain", .number(-6))])
        #expect(stage.ask("compare") == .compared(.saved))
        #expect(stage.value("b.gain") == .number(0))
        #expect(stage.session.snapshot == live)
    }

    @Test("a snapshot does not contain values that were saved into the file")
    func saved() throws {
        var song = try Stage.song(text(), name: "one")
        song.path = "one.json"
        let stage = try Stage([song])
        _ = stage.ask("b.gain", .number(-6))
        #expect(stage.ask("save") == .pending)
        #expect(stage.session.snapshot.values.map(\.address) == ["b.gain"])
        let revision = stage.session.snapshotRevision
        let order = try #require(
            stage.events.compactMap {
                if case .fileEditRequested(let order) = $0 { order } else { nil }
            }.last)
        let node = "\"id\": \"b\", \"type\": \"gain\""
        var edited = try Stage.song(
            text().replacing(node, with: node + ", \"parameters\": { \"gain\": -6 }"), name: "one")
        edited.path = song.path
        let edit = FileEdit(
            .saved(scene: nil), path: song.path, values: [AddressValue("b.gain", .number(-6))])
        stage.session.finishFileEdit(
            order.number, .done(edit),
            songs: SongCollection(name: "songs", songs: [edited], isSetlist: false))
        #expect(stage.value("b.gain") == .number(-6))
        #expect(stage.session.snapshot.values == [])
        #expect(stage.session.snapshotRevision != revision)
    }

    @Test("a session that resumes a snapshot begins in the same state, from the first frame on")
    func roundTrip() throws {
        let stage = try Stage(try songs())
        _ = stage.play(ones)
        #expect(stage.ask("song", .text("two")) == .playing(song: "two"))
        _ = stage.play(ones)
        _ = stage.ask("scene", .text("soft"))
        _ = stage.ask("b.gain", .number(-6.0206))
        _ = stage.ask("a.gain", .number(0))
        _ = stage.ask("tempo", .number(90))
        _ = stage.ask("gain", .number(-6.0206))
        let old = stage.play(ones)[0].last ?? 0
        let snapshot = stage.session.snapshot
        let (point, unused) = collection(try songs()).startingPoint(resuming: snapshot)
        #expect(unused == [])
        #expect(point.song == 1 && point.scene == 1)
        let resumed = try Stage(try songs(), from: point)
        #expect(resumed.session.snapshot == snapshot)
        let out = resumed.play(ones)[0]
        #expect(abs(old - 0.125) < 1e-4)
        #expect(out.allSatisfy { abs($0 - 0.125) < 1e-4 })
        #expect(resumed.value("song") == .text("two"))
        #expect(resumed.value("scene") == .text("soft"))
        #expect(resumed.value("tempo") == .number(90))
        #expect(resumed.value("gain") == .number(-6.0206))
        // Another song begins as its file says.
        #expect(resumed.ask("next-song") == .playing(song: "three"))
        #expect(resumed.value("b.gain") == .number(0))
    }

    @Test("a muted session resumes in silence")
    func mute() throws {
        let snapshot = SessionSnapshot(song: "one", number: 1, isMuted: true)
        let (point, _) = collection(try songs()).startingPoint(resuming: snapshot)
        let stage = try Stage(try songs(), from: point)
        #expect(stage.play(ones)[0].allSatisfy { $0 == 0 })
        #expect(stage.value("mute") == .toggle(true))
    }

    @Test("parts that no longer fit are named and left out, and the others apply")
    func outdated() throws {
        let snapshot = SessionSnapshot(
            song: "two", number: 9, scene: "gone",
            values: [
                AddressValue("a.gain", .number(1e300)), AddressValue("zebra.mix", .number(0)),
                AddressValue("a.gain", .number(.nan)), AddressValue("b.gain", .number(-3)),
                AddressValue("b.mute", .text("perhaps")), AddressValue("", .toggle(true)),
            ], tempo: 1e9, gainDecibels: -.infinity)
        let (point, unused) = collection(try songs()).startingPoint(resuming: snapshot)
        #expect(point.song == 1 && point.scene == nil)
        #expect(point.resumed?.changes.map(\.value) == [-3])
        #expect(point.resumed?.tempo == nil && point.resumed?.gainDecibels == 0)
        #expect(unused.count == 8)
        let stage = try Stage(try songs(), from: point)
        #expect(stage.value("b.gain") == .number(-3))
        #expect(stage.value("scene") == .text("full"))
    }

    @Test("a song that no longer exists leaves the master section alone")
    func missingSong() throws {
        let snapshot = SessionSnapshot(
            song: "four", number: 4, values: [AddressValue("a.gain", .number(-3))],
            gainDecibels: -9)
        let (point, unused) = collection(try songs()).startingPoint(resuming: snapshot)
        #expect(point.song == 0 && point.resumed?.changes == [])
        #expect(point.resumed?.gainDecibels == -9)
        #expect(unused == ["the song \"four\" does not exist any more or cannot play"])
    }

    @Test("of several songs with one name, the number decides")
    func sameNames() throws {
        var all = try songs()
        all[2].name = "one"
        let second = SessionSnapshot(song: "one", number: 3)
        #expect(collection(all).startingPoint(resuming: second).point.song == 2)
        let moved = SessionSnapshot(song: "two", number: 3)
        #expect(collection(all).startingPoint(resuming: moved).point.song == 1)
    }
}
