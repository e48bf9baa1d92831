import Engine
import Pipelines
import Processing
import SessionCore
import Testing

@Suite("Schedule transitions")
struct ScheduleTransitionsTests {
    private static let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)

    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private let songs: SongList
    private let ports: EnginePorts

    init() throws {
        let songs = try ["one", "two", "three"].map { try Self.song(name: $0) }
        var ports = EnginePorts()
        for song in songs { _ = ports.add(song.pipeline) }
        let first = try Schedule(
            preparing: songs[0].pipeline, catalogue: Stage.catalogue, format: Self.format,
            ports: ports)
        let engine = Engine(playing: first)
        let commands = CommandQueue(for: engine)
        self.ports = ports
        self.songs = SongList(.init(name: "songs", songs: songs, isSetlist: true))
        pool = SchedulePool(active: first, engine: engine, commands: commands)
        transitions = ScheduleTransitions(
            from: pool, catalogue: Stage.catalogue, format: Self.format,
            preparer: Preparer(isThreaded: false, wake: {}), engine: engine, commands: commands)
    }

    private static func song(name: String, nodes: Int = 1) throws -> Song {
        let texts = (0..<nodes).map { "{ \"id\": \"n\($0)\", \"type\": \"gain\" }" }
        return try Stage.song("\"nodes\": [ \(texts.joined(separator: ", ")) ]", name: name)
    }

    private func context(song index: Int = 0) -> ScheduleTransitions.Context {
        var songs = songs
        songs.select(index)
        return .init(
            songs: songs, values: LiveValues(atStartOf: pool.active.pipeline), ports: ports)
    }

    /// Returns a separate schedule of a song.
    private func schedule(ofSong index: Int) throws -> Schedule {
        try Schedule(
            preparing: songs.songs[index].pipeline, catalogue: Stage.catalogue,
            format: Self.format, ports: ports)
    }

    /// Prepares the most urgent schedule, and uses the result.
    private func step(song index: Int = 0) -> ScheduleTransitions.Outcome? {
        transitions.prepareNext(context(song: index))
            ?? transitions.useResult(context(song: index))
    }

    @Test("prepare the neighbour of the current song, and play it when it is requested")
    func neighbour() {
        let first = pool.active
        guard case .unchanged? = step() else {
            Issue.record("the neighbour is not prepared")
            return
        }
        #expect(pool.readySong(1) != nil && pool.count == 2)
        #expect(transitions.playRequestedSong(context()) == nil)
        transitions.request(song: 1)
        guard case .song(1)? = transitions.playRequestedSong(context()) else {
            Issue.record("the song is not played")
            return
        }
        #expect(pool.active !== first && pool.readySong(1) == nil)
        #expect(transitions.requestedSong == nil)
        #expect(pool.nextAnnounced()?.pipeline == pool.active.pipeline)
        #expect(pool.nextAnnounced() == nil)
    }

    @Test("prepare a requested song before a neighbour")
    func requestedSong() {
        transitions.request(song: 2)
        _ = step()
        #expect(pool.readySong(2) != nil && pool.readySong(1) == nil)
    }

    @Test("lead to an edited pipeline, and report the values at the request")
    func edit() throws {
        let edited = try Self.song(name: "one", nodes: 2).pipeline
        let values = context().values.snapshot
        transitions.request(edited, values: values)
        #expect(transitions.hasEdit)
        guard case .edit(let pipeline, let valuesAtRequest)? = step() else {
            Issue.record("the edit is not active")
            return
        }
        #expect(pipeline.nodes.count == 2 && valuesAtRequest == values)
        #expect(!transitions.hasEdit)
    }

    @Test("drop the result of an edit if another song has begun since")
    func outdatedEdit() throws {
        _ = step()
        transitions.request(song: 1)
        transitions.request(
            try Self.song(name: "one", nodes: 2).pipeline, values: context().values.snapshot)
        transitions.request(song: nil)
        #expect(transitions.prepareNext(context()) == nil)
        transitions.request(song: 1)
        guard case .song(1)? = transitions.playRequestedSong(context()) else {
            Issue.record("the song is not played")
            return
        }
        guard case .unchanged? = transitions.useResult(context(song: 1)) else {
            Issue.record("the edit is used")
            return
        }
        #expect(pool.active.pipeline.nodes.count == 1)
    }

    @Test("restart with the requested edit if the format changes")
    func format() throws {
        transitions.request(
            try Self.song(name: "one", nodes: 2).pipeline, values: context().values.snapshot)
        let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 128)
        #expect(transitions.request(format))
        #expect(!transitions.request(format))
        guard case .restart(let pipeline, _, isEdit: true)? = step() else {
            Issue.record("nothing is restarted")
            return
        }
        #expect(pipeline.nodes.count == 2)
        #expect(pool.active.plan.format == format)
    }

    @Test("silence a panic once, and restart when it is silent")
    func panic() {
        #expect(transitions.panic())
        #expect(!transitions.panic())
        transitions.receive(.silenced)
        guard case .restart(_, _, isEdit: false)? = step() else {
            Issue.record("nothing is restarted")
            return
        }
        #expect(transitions.panic())
    }

    @Test("plan again only if no ready song has to go for it")
    func planAgain() throws {
        let planned = pool.active
        for song in [1, 2] { pool.keep(.schedule(try schedule(ofSong: song)), forSong: song) }
        #expect(pool.count == SchedulePool.capacity - 1)
        #expect(transitions.planAgain())
        // The last place is used between the request and the preparation.
        pool.keep(.schedule(try schedule(ofSong: 0)), forSong: 0)
        #expect(!pool.hasRoom)
        #expect(!transitions.planAgain())
        #expect(step() == nil)
        #expect([0, 1, 2].allSatisfy { pool.readySong($0) != nil })
        #expect(pool.active === planned)
        pool.dropReadySong(0)
        guard case .settled? = step() else {
            Issue.record("no plan is made although there is room")
            return
        }
        #expect(pool.active !== planned)
        #expect([1, 2].allSatisfy { pool.readySong($0) != nil })
    }

    @Test("do not keep a request to plan again that came while there was no room")
    func noLaterPlan() throws {
        let planned = pool.active
        for song in 0...2 { pool.keep(.schedule(try schedule(ofSong: song)), forSong: song) }
        #expect(!transitions.planAgain())
        pool.dropReadySongs(except: [1])
        // The next preparation is that of the neighbour, which is ready.
        #expect(step() == nil)
        #expect(pool.active === planned)
    }

    @Test("report a song that cannot be prepared, and do not retry it automatically")
    func failure() throws {
        var songs = songs
        var broken = songs.songs
        var catalogue = Stage.catalogue
        catalogue.memory = MemoryBudget { .init(freeBytes: 0, limit: "a test's limit") }
        broken[1] = try Self.song(name: "two", nodes: 2)
        songs.replace(with: .init(name: "songs", songs: broken, isSetlist: true))
        let ring = FakeRing()
        let transitions = ScheduleTransitions(
            from: pool, catalogue: catalogue, format: Self.format,
            preparer: Preparer(isThreaded: false, wake: {}),
            engine: ring, commands: CommandQueue(for: ring))
        let context = ScheduleTransitions.Context(
            songs: songs, values: LiveValues(atStartOf: pool.active.pipeline), ports: ports)
        transitions.request(song: 1)
        #expect(transitions.prepareNext(context) == nil)
        guard case .failed(_, song: 1)? = transitions.useResult(context) else {
            Issue.record("the song is prepared without memory")
            return
        }
        #expect(transitions.requestedSong == nil)
    }
}
