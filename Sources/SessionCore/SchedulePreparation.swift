internal import Engine
internal import Pipelines
internal import Processing

/// The preparation of one schedule: the one in progress, or the last one.
struct SchedulePreparation {
    private let catalogue: Catalogue
    private let preparer: Preparer
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
    init(catalogue: Catalogue, preparer: Preparer) {
        self.catalogue = catalogue
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
        case .song, .settle, nil: false
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

    /// Prepares a song.
    func prepareSong(_ index: Int, _ pipeline: Pipeline, format: AudioFormat, ports: EnginePorts) {
        prepareNew(pipeline, for: .song(index), format: format, ports: ports)
    }

    /// Prepares an edited pipeline that reuses processors of the active schedule.
    mutating func prepareEdit(_ edited: Pipeline, after active: Schedule, ports: EnginePorts) {
        edit = edited
        prepareSuccessor(
            edited, for: .edit, after: active, hasSettled: !active.isTransition, ports: ports)
    }

    /// Prepares the active pipeline without the nodes that have rung out.
    mutating func prepareSettled(after active: Schedule, ports: EnginePorts) {
        prepareSuccessor(
            active.pipeline, for: .settle, after: active, hasSettled: true, ports: ports)
    }

    /// Prepares new processors for the active pipeline or an edited one.
    ///
    /// - Parameters:
    ///   - edited: The edited pipeline; `nil` for the active one.
    ///   - values: The live values.
    ///   - active: The active schedule.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    ///   - ports: The engine ports.
    mutating func prepareRestart(
        with edited: Pipeline?, values: LiveValues, insteadOf active: Schedule,
        format: AudioFormat, ports: EnginePorts
    ) {
        restart = Restart(values: values.snapshot, edit: edited)
        base = active
        prepareNew(
            edited ?? values.pipelineWithValues, for: .restart, format: format, ports: ports)
    }

    /// Prepares a schedule that reuses processors of the active one.
    private mutating func prepareSuccessor(
        _ pipeline: Pipeline, for purpose: Preparer.Purpose, after active: Schedule,
        hasSettled: Bool, ports: EnginePorts
    ) {
        base = active
        preparer.prepare(for: purpose) { [catalogue] () throws(PreparationError) in
            try Schedule(
                preparing: pipeline, catalogue: catalogue, ports: ports, after: active,
                hasSettled: hasSettled)
        }
    }

    /// Prepares a schedule whose processors are all new.
    private func prepareNew(
        _ pipeline: Pipeline, for purpose: Preparer.Purpose, format: AudioFormat,
        ports: EnginePorts
    ) {
        preparer.prepare(for: purpose) { [catalogue] () throws(PreparationError) in
            try Schedule(
                preparing: pipeline, catalogue: catalogue, format: format, ports: ports)
        }
    }
}
