public import Engine
public import Pipelines
public import Processing

/// What plays tonight: songs, scenes, values, and the engine that plays them.
///
/// It is used by one thread, which calls `advance` several times a second and whenever it is woken. Whatever takes time
/// is prepared on other threads meanwhile; what plays goes on.
public final class Show {
    /// How it plays.
    public struct Options {
        /// Whether the outputs are silent until the engine is told to fade in.
        public var fadesIn = true
        /// Whether schedules are prepared on another thread; otherwise at once, for tests and tools.
        public var preparesBeside = true
        /// Called on any thread when `advance` has something to do.
        public var wake: @Sendable () -> Void = {}
        /// A semaphore that the audio thread posts when `advance` has something to do; see `Engine`.
        public var bell: UnsafeMutableRawPointer?

        /// The options of a show on stage.
        public init() {}
    }

    /// As many as may be alive: what plays, what rings out, and the songs around.
    static let mostSchedules = 4

    /// What plays it.
    public let engine: Engine
    let catalogue: Catalogue
    let preparer: Preparer
    /// What is played, in its order; one, or those of a setlist.
    public internal(set) var songs: [Song]
    /// The song that plays, by its place.
    public internal(set) var song: Int
    /// Its scene that was put on last; nil before the first.
    public internal(set) var scene: String?
    /// What plays, or will with the next cycle.
    public internal(set) var playing: Schedule
    /// What the server's format is; the next schedules are prepared for it.
    var format: AudioFormat
    /// The signals with the outside.
    public internal(set) var outside: Outside
    /// What all values of what plays are.
    var values: Values
    /// Songs that are ready to be played.
    var standby: [Int: Schedule] = [:]
    /// What was handed over and may still ring.
    var former: [Former] = []
    var wishes = Wishes()
    /// What the engine had no room for.
    var unsent = Unsent()
    /// Whether the engine has told that all that fades has arrived.
    var isSpliced = true
    /// What the values were when the edit was wished that is to come.
    var valuesAtWish: Values?
    /// What is being prepared takes the place of this one.
    weak var base: Schedule?
    /// What is prepared afresh, or was last.
    var fresh: Fresh?
    var events: [ShowEvent] = []
    var listeners: [ObjectIdentifier: @Sendable (Notice) -> Void] = [:]
    /// What was handed over and is not yet taken by the engine, in its order.
    var handedOver: [Handed] = []
    /// What the engine's reports are of.
    var reporting: Pipeline
    /// What the tuner hears by its place in `outside`; empty for nothing.
    var tunedInput = ""
    /// The address that is to be bound to the control that is moved next.
    var learning: String?
    /// The sample rate that the tuner was made for.
    let earRate: Double
    var tempo: Double
    var taps = TapTempo()
    var isMuted = false
    var gainDecibels = 0.0

    /// What is to be done as soon as it can be.
    struct Wishes {
        var song: Int?
        var edit: Pipeline?
        var freshens = false
        /// Whether a node has become earlier or later: paths beside it are to be as late as it is.
        var realigns = false
        var settles = false
        /// Whether the engine is to be silent until the fresh schedule is there.
        var panic = Panic.none

        enum Panic { case none, silencing, silent }
    }

    /// What a fresh schedule is made of.
    struct Fresh {
        /// Those of what played then.
        var values: Values
        /// The edited pipeline, where it is another than what played.
        var edit: Pipeline?
    }

    /// What is to be told of a schedule once it plays.
    struct Handed {
        var pipeline: Pipeline
        var plan: Plan
        var nodeIDs: [String]
    }

    /// A schedule that is gone once the engine lets go of it.
    struct Former {
        weak var schedule: Schedule?
    }

    /// Prepares the first song.
    ///
    /// - Parameters:
    ///   - songs: At least one.
    ///   - song: Where it begins.
    ///   - catalogue: The one that the songs were checked with.
    ///   - format: Sample rate, and the most frames of a cycle.
    ///   - options: How it plays.
    /// - Throws: `ShowFault` where a plugin does not load or the songs' signals do not go together.
    public init(
        playing songs: [Song], from song: Int = 0, catalogue: Catalogue, format: AudioFormat,
        options: Options = Options()
    ) throws(ShowFault) {
        self.songs = songs
        self.song = song
        self.catalogue = catalogue
        self.format = format
        outside = try Outside(of: songs)
        let pipeline = songs[song].pipeline
        do {
            playing = try Schedule(
                preparing: pipeline, catalogue: catalogue, format: format, outside: outside)
        } catch {
            throw .preparation(error)
        }
        reporting = playing.pipeline
        values = Values(of: pipeline)
        scene = pipeline.initialScene.map { pipeline.scenes[$0].name }
        tempo = pipeline.tempo
        engine = Engine(
            playing: playing, fadingIn: options.fadesIn,
            ear: catalogue.effect("tuner").flatMap {
                // A tuner has nothing that could be missing.
                try? $0.makeProcessor(ProcessorRequest(listeningAt: format, $0.description))
            }, bell: options.bell)
        earRate = format.sampleRate
        preparer = Preparer(isThreaded: options.preparesBeside, wake: options.wake)
    }

    /// The pipeline that plays, with the values of its file.
    public var pipeline: Pipeline { songs[song].pipeline }

    /// Takes in what has happened since the last call, and does what has become possible.
    ///
    /// - Returns: What befell the show, in its order.
    public func advance() -> [ShowEvent] {
        engine.collect()
        unsent.send(to: engine)
        while let report = engine.nextReport() { take(report) }
        if let result = preparer.take() { take(result) }
        former.removeAll { $0.schedule == nil }
        prepareNext()
        defer { events = [] }
        return events
    }

    /// Plays in another format from when it is prepared for it; what plays goes on until then.
    public func follow(_ newFormat: AudioFormat) {
        guard newFormat != format else { return }
        format = newFormat
        standby = [:]
        wishes.freshens = true
        prepareNext()
    }

    /// Sends a command, now or as soon as there is room for it.
    func send(_ command: Command) {
        if !unsent.isEmpty || !engine.send(command) { unsent.add(command) }
    }

    // MARK: What is under way

    /// How many schedules there are: what plays, what rings out, and the songs that are ready.
    package var aliveCount: Int { 1 + standby.count + former.count { $0.schedule != nil } }

    /// Begins what is most urgent, if nothing is under way.
    func prepareNext() {
        guard preparer.purpose == nil else { return }
        if wishes.freshens { return prepareAnew() }
        if let wanted = wishes.song { return prepareWanted(wanted) }
        if wishes.realigns, wishes.edit == nil { wish(for: playing.pipeline.holding(values)) }
        if let edited = wishes.edit { return prepareEdit(edited) }
        if wishes.settles, isSpliced { return prepareSettled() }
        prepareNeighbour()
    }

    private func take(_ result: Preparer.Result) {
        switch result.outcome {
        case .success(let schedule): use(schedule, for: result.purpose)
        case .failure(let fault): refuse(fault, for: result.purpose)
        }
    }

    private func refuse(_ fault: PreparationFault, for purpose: Preparer.Purpose) {
        events.append(.refused(fault))
        switch purpose {
        case .song(let place):
            if wishes.song == place { wishes.song = nil }
            refusedSongs.insert(place)
        case .edit: break
        case .settle: wishes.settles = false
        case .anew:
            if wishes.panic != .none { send(.resume) }
            wishes.panic = .none
        }
    }

    /// Songs that could not be prepared, until they are edited.
    var refusedSongs: Set<Int> = []

    private func use(_ schedule: Schedule, for purpose: Preparer.Purpose) {
        switch purpose {
        case .song(let place)
        where schedule.plan.format == format && songs.indices.contains(place)
            && schedule.pipeline == songs[place].pipeline.atLoad:
            standby[place] = schedule
        // Edited or asked for in another format since.
        case .song: break
        case .edit: takeOver(edited: schedule)
        case .settle: if wishes.settles { settle(into: schedule) }
        case .anew: takeOver(fresh: schedule)
        }
        if let wanted = wishes.song, standby[wanted] != nil { play(wanted) }
    }

    /// Hands a schedule to the engine.
    ///
    /// - Returns: Whether the engine has room for the command, which it lacks for a moment after thousands of others.
    func exchange(_ schedule: Schedule, _ manner: Command.Exchange) -> Bool {
        guard engine.exchange(schedule, manner) else { return false }
        former.append(Former(schedule: playing))
        playing = schedule
        isSpliced = !schedule.isTransition
        wishes.settles = false
        handedOver.append(
            Handed(pipeline: schedule.pipeline, plan: schedule.plan, nodeIDs: schedule.nodeIDs))
        return true
    }

    /// Has the session bring its ports in line.
    func use(_ newOutside: Outside) {
        guard newOutside != outside else { return }
        outside = newOutside
        onOutside?(newOutside)
    }

    /// Called when the signals with the outside change, before a schedule with others plays.
    public var onOutside: ((Outside) -> Void)?
}

extension ProcessorRequest {
    /// What an effect is asked for that only listens to one channel.
    fileprivate init(listeningAt format: AudioFormat, _ description: NodeDescription) {
        self.init(
            format: format, inputChannels: 1, outputChannels: 1,
            parameters: description.parameters.map(\.defaultValue))
    }
}

/// Why a show cannot begin.
public enum ShowFault: Error, Sendable, Equatable {
    case preparation(PreparationFault)
    /// A sentence without its full stop.
    case signals(String)
}

extension Outside {
    /// The signals of all songs.
    ///
    /// - Throws: `ShowFault.signals` where a name has two kinds, or there are too many channels.
    init(of songs: [Song]) throws(ShowFault) {
        self.init()
        for song in songs where !add(song.pipeline) {
            throw .signals(
                "the song \"\(song.name)\" has an input or output of a name that is of another kind in a song before it, or the songs have more than \(Outside.mostChannels) channels together"
            )
        }
    }
}
