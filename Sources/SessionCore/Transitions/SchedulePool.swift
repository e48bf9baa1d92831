public import Engine
public import Pipelines
package import Processing

/// The live schedules: the active one, those that still ring out, and the songs that are ready to
/// play.
package final class SchedulePool {
    /// The maximum number of live schedules.
    package static let capacity = 4

    private let engine: Engine
    private let commands: CommandQueue
    private var ready: [Int: ReadySong] = [:]
    private var retired: [RetiredSchedule] = []
    private var announced: [ActiveSchedule] = []

    /// The schedule that is active, or will be from the next cycle on.
    package private(set) var active: Schedule
    /// Whether all crossfades of the active schedule have ended.
    package private(set) var isSpliced = true

    /// A schedule that is freed when the engine releases it.
    private struct RetiredSchedule {
        weak var schedule: Schedule?
    }

    /// A song that is ready to play.
    package enum ReadySong {
        /// A separate schedule.
        case schedule(Schedule)
        /// The nodes for a schedule that continues the outer level of the active one.
        case nodes(PreparedSong)
    }

    /// Creates a pool with the schedule that the engine plays.
    package init(active: Schedule, engine: Engine, commands: CommandQueue) {
        self.active = active
        self.engine = engine
        self.commands = commands
    }

    /// The number of live schedules.
    package var count: Int { 1 + ready.count + retired.count { $0.schedule != nil } }

    /// Whether one more schedule can be prepared while all others live.
    package var hasRoom: Bool { count < Self.capacity }

    /// Whether a schedule still rings out.
    package var hasTails: Bool { retired.contains { $0.schedule != nil } }

    /// Removes schedules that the engine has released.
    package func removeFinished() { retired.removeAll { $0.schedule == nil } }

    // MARK: Ready songs

    /// Whether any song is ready.
    package var hasReadySongs: Bool { !ready.isEmpty }

    /// Returns a ready song; `nil` if the song is not ready.
    package func readySong(_ index: Int) -> ReadySong? { ready[index] }

    /// Keeps a ready song until it is needed.
    package func keep(_ song: ReadySong, forSong index: Int) { ready[index] = song }

    /// Removes a song from the ready songs, for example because it is active now.
    package func dropReadySong(_ index: Int) { ready[index] = nil }

    /// Removes all ready songs except those with the given indices.
    package func dropReadySongs(except kept: [Int] = []) {
        ready = ready.filter { kept.contains($0.key) }
    }

    /// Makes room for one more schedule: removes ready songs, and if that is not enough, ends the
    /// tails of schedules that ring out.
    ///
    /// - Parameter song: The index of the current song.
    /// - Returns: Whether there is room now. If not, there is room when the tails have ended.
    package func makeRoom(keepingNearSong song: Int) -> Bool {
        // The next song is removed last: the user is most likely to request it.
        let order = ready.keys.sorted { abs($0 - song - 1) > abs($1 - song - 1) }
        for index in order where count >= Self.capacity { ready[index] = nil }
        guard count >= Self.capacity else { return true }
        commands.send(.endTails)
        return false
    }

    // MARK: Exchange

    /// Makes a schedule the active one.
    ///
    /// - Returns: Whether the engine had room for the command. Its ring may be full for a moment
    ///   after thousands of commands.
    package func activate(_ schedule: Schedule, _ manner: Command.Exchange) -> Bool {
        guard engine.exchange(schedule, manner) else { return false }
        retired.append(RetiredSchedule(schedule: active))
        active = schedule
        isSpliced = !schedule.isTransition
        announced.append(ActiveSchedule(schedule))
        return true
    }

    /// Notes that all crossfades of the active schedule have ended.
    package func markSpliced() { isSpliced = true }

    /// The number of activated schedules that the engine has not begun to play yet.
    package var unannouncedCount: Int { announced.count }

    /// Returns the schedule that the engine has just begun to play; `nil` if no activation is
    /// pending.
    package func nextAnnounced() -> ActiveSchedule? {
        announced.isEmpty ? nil : announced.removeFirst()
    }
}

/// The part of a schedule that reports refer to.
public struct ActiveSchedule: Sendable {
    /// The pipeline that the engine plays.
    public let pipeline: Pipeline
    /// The order and the latencies of its nodes.
    public let plan: Plan
    /// The ids of its nodes, including those that only ring out.
    public let nodeIDs: [String]
    /// The texts that each node reports; `nil` for nodes without texts.
    package let reportTexts: [Processor.ReportTexts?]

    /// Creates a description of a schedule.
    package init(_ schedule: Schedule) {
        pipeline = schedule.pipeline
        plan = schedule.plan
        nodeIDs = schedule.nodeIDs
        reportTexts = schedule.pipeline.nodes.indices.map {
            schedule.processors(ofNode: $0).first?.reportTexts
        }
    }
}
