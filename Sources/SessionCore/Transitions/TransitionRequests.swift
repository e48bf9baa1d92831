package import Pipelines

/// The transitions to another schedule that are requested and have not begun.
package struct TransitionRequests {
    /// A transition for which a schedule can be prepared.
    package enum Transition: Equatable {
        /// New processors.
        case restart
        /// Another song.
        case song(Int)
        /// An edited pipeline.
        case edit(Pipeline)
        /// The same pipeline, with parallel paths aligned again.
        case realignment
        /// The nodes that scenes need.
        case variants
        /// The same pipeline, planned again without the nodes that have rung out.
        case settlement
    }

    /// The index of the requested song; `nil` if none is requested.
    package private(set) var song: Int?
    /// The requested pipeline; `nil` if none is requested.
    package private(set) var edit: Pipeline?
    /// The values when the last edit was requested.
    package private(set) var valuesAtEdit: ParameterValues?
    /// Whether the same pipeline should be planned again.
    package private(set) var needsSettlement = false
    private var needsRestart = false
    /// Whether a node's latency has changed.
    private var needsRealignment = false
    /// Whether nodes for scenes may be missing.
    private var needsVariants = false
    private var panic = Panic.none

    /// The steps of a panic.
    private enum Panic { case none, silencing, silent }

    /// Creates a value without requests.
    package init() {}

    /// The transition to prepare first; `nil` if none is requested.
    package var mostUrgent: Transition? {
        if needsRestart { return .restart }
        if let song { return .song(song) }
        if let edit { return .edit(edit) }
        if needsRealignment { return .realignment }
        if needsVariants { return .variants }
        return needsSettlement ? .settlement : nil
    }

    // MARK: Songs

    /// Requests a song; `nil` cancels the request, so that the current song continues.
    package mutating func request(song index: Int?) { song = index }

    /// Withdraws the request for a song, unless another song is requested.
    package mutating func withdraw(song index: Int) { if song == index { song = nil } }

    /// Notes that the requested song is active, so that no request for the former one applies.
    package mutating func finishSong() {
        song = nil
        edit = nil
        needsRealignment = false
    }

    // MARK: Edits

    /// Requests an edited pipeline.
    ///
    /// - Parameters:
    ///   - edited: The pipeline.
    ///   - values: The values now; later changes to them are kept.
    package mutating func request(_ edited: Pipeline, values: ParameterValues) {
        edit = edited
        valuesAtEdit = values
    }

    /// Notes the values after an edited pipeline became active, because another edit may already be
    /// requested.
    package mutating func confirmEdit(values: ParameterValues) { valuesAtEdit = values }

    /// Requests an edited pipeline again, unless a newer edit is requested.
    package mutating func retry(_ edited: Pipeline?) { edit = edit ?? edited }

    /// Withdraws the request for an edited pipeline.
    package mutating func withdrawEdit() { edit = nil }

    /// Notes that the preparation of the requested pipeline has begun.
    package mutating func beginEdit() {
        edit = nil
        needsRealignment = false
    }

    /// Requests that parallel paths are aligned again.
    package mutating func requestRealignment() { needsRealignment = true }

    // MARK: Restarts

    /// Requests new processors.
    package mutating func requestRestart() { needsRestart = true }

    /// Notes that the preparation of new processors has begun.
    ///
    /// - Returns: The edited pipeline that they are for; `nil` if they are for the active one.
    package mutating func beginRestart() -> Pipeline? {
        defer { edit = nil }
        needsRestart = false
        needsRealignment = false
        return edit
    }

    // MARK: Variants

    /// Requests the nodes that scenes need.
    package mutating func requestVariants() { needsVariants = true }

    /// Notes that the preparation of the nodes for scenes has begun.
    package mutating func beginVariants() { needsVariants = false }

    /// Whether a transition is requested that changes the active pipeline in another way than a
    /// scene does.
    package var isBusy: Bool { needsRestart || edit != nil || song != nil || isPanicking }

    // MARK: Settlement

    /// Notes whether the active pipeline should be planned again: because nodes have rung out and
    /// can be removed, or because the times of the nodes have changed.
    package mutating func setSettlement(_ isNeeded: Bool) { needsSettlement = isNeeded }

    // MARK: Panic

    /// Whether a panic has begun and not ended.
    package var isPanicking: Bool { panic != .none }

    /// Whether the engine is silent in a panic.
    package var isSilent: Bool { panic == .silent }

    /// Notes that the engine has received the command to become silent.
    package mutating func beginPanic() { panic = .silencing }

    /// Notes that the engine is silent; requests new processors if a panic silenced it.
    package mutating func noteSilence() {
        guard panic == .silencing else { return }
        panic = .silent
        needsRestart = true
    }

    /// Ends the panic.
    ///
    /// - Returns: Whether there was one.
    package mutating func endPanic() -> Bool {
        defer { panic = .none }
        return isPanicking
    }
}
