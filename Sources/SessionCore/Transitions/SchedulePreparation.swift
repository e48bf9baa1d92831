internal import Engine
internal import Pipelines
internal import Processing

/// The preparation of one schedule: the one in progress, or the last one.
struct SchedulePreparation {
    private let catalogue: Catalogue
    private let preparer: Preparer
    /// Whether a stand-in replaces a node that cannot be prepared.
    private let isTolerant: Bool
    /// The active schedule when the last preparation of another pipeline or of new processors
    /// began.
    private weak var base: Schedule?
    private var restart: Restart?

    /// The edited pipeline of the last preparation of an edit.
    private(set) var edit: Pipeline?

    /// The state at the beginning of the preparation of a restart.
    struct Restart {
        /// The values.
        let values: ParameterValues
        /// The edited pipeline; `nil` if it is the active one.
        let edit: Pipeline?
    }

    /// Creates an idle preparation.
    ///
    /// - Parameters:
    ///   - catalogue: The catalogue that the songs were checked with.
    ///   - preparer: Prepares schedules.
    ///   - isTolerant: Whether a stand-in replaces a node of a new song that cannot be prepared.
    init(catalogue: Catalogue, preparer: Preparer, isTolerant: Bool) {
        self.catalogue = catalogue
        self.isTolerant = isTolerant
        self.preparer = preparer
    }

    // MARK: State

    /// Whether no schedule is being prepared, and no result waits.
    var isIdle: Bool { preparer.purpose == nil }

    /// Whether an edited pipeline is being prepared with the processors of the active one.
    var isForEdit: Bool { preparer.purpose == .edit }

    /// Whether the schedule that is being prepared has another pipeline than the active one.
    var hasEdit: Bool {
        switch preparer.purpose {
        case .edit: true
        case .restart: restart?.edit != nil
        case .song, .settle, .variants, nil: false
        }
    }

    /// Whether the schedule that is being prepared continues the active one.
    var isForActive: Bool {
        switch preparer.purpose {
        case .edit, .settle, .restart: true
        case .song, .variants, nil: false
        }
    }

    /// The last restart; `nil` before the first one.
    var lastRestart: Restart? { restart }

    /// Returns whether a schedule was active when the last preparation began, except that of a
    /// song.
    ///
    /// If not, the result must not replace the schedule.
    func isBased(on active: Schedule) -> Bool { base === active }

    /// Removes and returns the result; `nil` if no result is ready.
    func popResult() -> Preparer.Result? { preparer.popResult() }

    // MARK: Start

    /// Prepares a song, with the values that it was left with.
    ///
    /// - Parameters:
    ///   - index: The index of the song.
    ///   - songs: All songs.
    ///   - active: The active schedule; if it has the same outer level, only the song's own nodes
    ///     are prepared.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    ///   - ports: The engine ports.
    func prepareSong(
        _ index: Int, of songs: SongList, after active: Schedule, format: AudioFormat,
        ports: EnginePorts
    ) {
        let song = songs.songs[index]
        let isTolerant = isTolerant
        if song.pipeline.continuingOuterNodes(of: active.pipeline) != nil {
            return prepareNodes(ofSong: index, of: songs, format: format)
        }
        prepare(
            for: .song(index), song, songs, songs.beginning(of: index),
            mayReplace: { _ in isTolerant }
        ) { [catalogue] (pipeline) throws(PreparationError) in
            let schedule = try Schedule(
                preparing: pipeline, catalogue: catalogue, format: format, ports: ports)
            try schedule.prepareVariants(catalogue: catalogue, isTolerant: isTolerant)
            return schedule
        }
    }

    /// Prepares the song's own nodes, without the nodes of the outer level.
    private func prepareNodes(ofSong index: Int, of songs: SongList, format: AudioFormat) {
        let (song, pipeline) = (songs.songs[index], songs.beginning(of: index))
        let isTolerant = isTolerant
        preparer.prepare(for: .song(index)) { [catalogue] () throws(PreparationError) in
            let nodes = try TolerantPreparation.nodes(
                of: song, pipeline, mayReplace: { _ in isTolerant }
            ) { (pipeline) throws(PreparationError) in
                let nodes = try PreparedSong(
                    preparing: pipeline, catalogue: catalogue, format: format)
                try nodes.variants.prepare(
                    for: nodes.pipeline, catalogue: catalogue, format: format)
                if !isTolerant, let failure = nodes.variants.failures.first {
                    throw failure.error
                }
                return nodes
            }
            return .song(nodes)
        }
    }

    /// Prepares the nodes that the scenes of the active pipeline need.
    ///
    /// - Parameters:
    ///   - active: The active schedule.
    ///   - requested: Further nodes to prepare.
    func prepareVariants(of active: Schedule, requested: [Pipeline.Node]) {
        let (variants, pipeline, format) = (active.variants, active.pipeline, active.plan.format)
        preparer.prepare(for: .variants) { [catalogue] () throws(PreparationError) in
            try variants.prepare(
                for: pipeline, catalogue: catalogue, format: format, requested: requested)
            return .variants
        }
    }

    /// Prepares an edited pipeline that reuses processors of the active schedule.
    mutating func prepareEdit(
        _ edited: Pipeline, of songs: SongList, after active: Schedule, ports: EnginePorts
    ) {
        edit = edited
        prepareSuccessor(
            edited, for: .edit, of: songs, after: active, hasSettled: !active.isTransition,
            ports: ports)
    }

    /// Prepares the active pipeline without the nodes that have rung out.
    mutating func prepareSettled(of songs: SongList, after active: Schedule, ports: EnginePorts) {
        prepareSuccessor(
            active.pipeline, for: .settle, of: songs, after: active, hasSettled: true,
            ports: ports)
    }

    /// Prepares new processors for the active pipeline or an edited one.
    ///
    /// - Parameters:
    ///   - edited: The edited pipeline; `nil` for the active one.
    ///   - values: The live values.
    ///   - songs: All songs; the current one owns the pipeline.
    ///   - active: The active schedule.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    ///   - ports: The engine ports.
    mutating func prepareRestart(
        with edited: Pipeline?, values: LiveValues, of songs: SongList,
        insteadOf active: Schedule, format: AudioFormat, ports: EnginePorts
    ) {
        restart = Restart(values: values.snapshot, edit: edited)
        base = active
        // With the former format, the active schedule can continue instead.
        let mayReplaceAll = isTolerant && active.plan.format != format
        let replaced = active.pipeline.standInIDs
        prepare(
            for: .restart, songs.current, songs, edited ?? values.pipelineWithValues,
            after: active, mayReplace: { mayReplaceAll || replaced.contains($0) }
        ) { [catalogue] (pipeline) throws(PreparationError) in
            try Schedule(preparing: pipeline, catalogue: catalogue, format: format, ports: ports)
        }
    }

    /// Prepares a schedule that reuses processors of the active one.
    ///
    /// A node that already has a stand-in keeps it if it still cannot be prepared.
    private mutating func prepareSuccessor(
        _ pipeline: Pipeline, for purpose: Preparer.Purpose, of songs: SongList,
        after active: Schedule, hasSettled: Bool, ports: EnginePorts
    ) {
        base = active
        let replaced = active.pipeline.standInIDs
        prepare(
            for: purpose, songs.current, songs, pipeline, after: active,
            mayReplace: { replaced.contains($0) }
        ) { [catalogue] (pipeline) throws(PreparationError) in
            try Schedule(
                preparing: pipeline, catalogue: catalogue, ports: ports, after: active,
                hasSettled: hasSettled)
        }
    }

    private func prepare(
        for purpose: Preparer.Purpose, _ song: Song, _ songs: SongList, _ pipeline: Pipeline,
        after active: Schedule? = nil, mayReplace: @escaping @Sendable (String) -> Bool,
        _ prepare: @escaping @Sendable (Pipeline) throws(PreparationError) -> Schedule
    ) {
        let isSetlist = songs.isSetlist
        preparer.prepare(for: purpose) { () throws(PreparationError) in
            .schedule(
                try TolerantPreparation.schedule(
                    of: song, isSetlist: isSetlist, pipeline, after: active,
                    mayReplace: mayReplace, prepare))
        }
    }
}

extension Schedule {
    /// Prepares the nodes that the scenes of the pipeline need.
    ///
    /// - Parameters:
    ///   - catalogue: The catalogue that the pipeline was checked with.
    ///   - isTolerant: Whether the song plays without the nodes that cannot be prepared.
    /// - Throws: `PreparationError`.
    func prepareVariants(
        catalogue: Catalogue, isTolerant: Bool
    ) throws(PreparationError) {
        try variants.prepare(for: pipeline, catalogue: catalogue, format: plan.format)
        if !isTolerant, let failure = variants.failures.first { throw failure.error }
    }
}

extension Pipeline {
    /// The ids of the nodes with stand-ins.
    fileprivate var standInIDs: Set<String> { Set(nodes.filter(\.isStandIn).map(\.id)) }
}
