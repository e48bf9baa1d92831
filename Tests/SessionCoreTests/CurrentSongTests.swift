import Engine
import Pipelines
import SessionCore
import Testing

@Suite("The current song")
struct CurrentSongTests {
    private let ring = FakeRing()
    private let log = EventLog()
    private let master: MasterSection
    private let current: CurrentSong
    private let songs: [Song]

    init() throws {
        let ring = ring
        let commands = CommandQueue(for: ring)
        let events = EventStream()
        songs = try [Self.song("one", tempo: 100), Self.song("two", tempo: 140)]
        master = MasterSection(tempo: 100, commands: commands, events: events)
        current = CurrentSong(
            in: SongList(.init(name: "evening", songs: songs, isSetlist: true)),
            playing: songs[0].pipeline, master: master, engine: ring,
            commands: commands, events: events)
        events.watch(for: ObjectIdentifier(log)) { [log] in log.add($0) }
    }

    private static func song(_ name: String, tempo: Int, gain: Int = 0) throws -> Song {
        try Stage.song(
            """
            "tempo": \(tempo),
            "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(gain) } } ],
            "scenes": { "soft": { "a.gain": -12 }, "loud": { "a.gain": 3 } }
            """, name: name)
    }

    private var gain: Pipeline.Address { Pipeline.Address(node: 0, target: .parameter(0)) }

    @Test("stores and publishes a change of a value if the engine has room for it")
    func values() {
        current.move(.init(address: gain, value: -6))
        #expect(current.values[gain] == -6)
        #expect(ring.names == ["set"])
        #expect(log.all == [.valueChanged(.init("a.gain", .number(-6)))])
        ring.isFull = true
        current.move(.init(address: gain, value: -9))
        #expect(current.values[gain] == -6)
        #expect(log.all.count == 1)
    }

    @Test("stores and publishes the values of a scene, then its name")
    func scenes() {
        current.apply(scene: 1, of: songs[0].pipeline)
        #expect(ring.names == ["scene"])
        #expect(current.list.scene == songs[0].pipeline.scenes[1].name)
        #expect(log.all.count == 3)
        #expect(log.all.last == .scene(name: songs[0].pipeline.scenes[1].name))
        current.apply(scene: 0, of: songs[0].pipeline)
        #expect(current.list.scene == songs[0].pipeline.scenes[0].name)
    }

    @Test("begins with the values and the tempo of its file")
    func begin() {
        current.move(.init(address: gain, value: -6))
        log.forget()
        current.begin(1, playing: songs[1].pipeline)
        #expect(current.song.name == "two" && current.values[gain] == 0)
        #expect(master.tempo == 140)
        #expect(
            log.all == [
                .valueChanged(.init("tempo", .number(140))), .addressesChanged,
                .valueChanged(.init("song", .text("two"))), .song(number: 2, name: "two"),
                .overviewChanged(current.list.overview),
            ])
    }

    @Test("moves to edited values, and keeps those that are not edited")
    func edit() throws {
        current.move(.init(address: gain, value: -6))
        let edited = try Self.song("one", tempo: 100, gain: 2)
        let wanted = current.beginEdit(of: songs[0].pipeline, into: edited.pipeline)
        current.moveValues(to: wanted)
        #expect(current.values[gain] == 2)
        current.move(.init(address: gain, value: -3))
        let faster = try Self.song("one", tempo: 120, gain: 2)
        current.moveValues(to: current.beginEdit(of: edited.pipeline, into: faster.pipeline))
        #expect(current.values[gain] == -3 && master.tempo == 120)
    }
}
