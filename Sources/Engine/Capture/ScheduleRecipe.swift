public import Pipelines
public import Processing

/// How a schedule was prepared: enough to prepare it again, with the same nodes in the same states.
///
/// A schedule that replaces another one is prepared after the same predecessor.
public struct ScheduleRecipe: Sendable, Codable {
    /// The relation to the schedule before it.
    public enum Origin: String, Sendable, Codable {
        /// All nodes are new.
        case new
        /// Nodes that stay keep their state.
        case splice
        /// Another song within the same outer level.
        case song
    }

    /// The scene in effect when the schedule becomes active.
    public enum FirstScene: Sendable, Codable, Equatable {
        /// The schedule's own choice: the initial scene of a new schedule, no change after a splice.
        case own
        case none
        case scene(Int)
        case kept
    }

    /// The relation to the schedule before it.
    public var origin: Origin
    /// The pipeline as it was given.
    public var pipeline: Pipeline
    /// The engine ports.
    public var ports: EnginePorts
    /// The changes of values that begin with the crossfade.
    public var changes: [Pipeline.Change] = []
    /// The nodes of the predecessor, by index, that had ended.
    public var ended: Set<Int> = []
    /// The nodes of the predecessor that rang out, by index, and could not end any more.
    public var held: Set<Int> = []
    /// Whether everything that rang out in the predecessor had ended.
    public var hasSettled = false
    /// Whether no node followed a change of its settings.
    public var keepsSettings = false
    /// The nodes that new processors were created for, by index, if they differ from the nodes of
    /// the pipeline: nodes that were prepared earlier, with other values.
    public var created: [Int: Pipeline.Node] = [:]
    /// The seeds of the random choices of nodes, by index: one for each of the node's processors.
    public var seeds: [Int: [UInt64]] = [:]
    /// The files that nodes opened for the schedule.
    public var files: [OpenedFile] = []
    /// In a replay: the files to open instead of others, by their paths.
    public var replacedFiles: [String: String] = [:]
    /// The scene in effect when the schedule becomes active.
    public var firstScene = FirstScene.own
    /// The scenes whose messages go out with the schedule.
    public var sentScenes: [Int] = []
    /// The frame of the engine at which it was prepared; 0 without a predecessor.
    public var preparedFrame: UInt64 = 0
    /// The largest number of frames in one run.
    public var maximumFrames = 0
    /// The sample rate in Hz.
    public var sampleRate = 0.0

    /// Creates the recipe of a schedule.
    init(_ origin: Origin, _ pipeline: Pipeline, ports: EnginePorts) {
        self.origin = origin
        self.pipeline = pipeline
        self.ports = ports
    }
}

extension Schedule {
    /// Prepares a schedule again.
    ///
    /// - Parameters:
    ///   - recipe: The recipe of a schedule that has played.
    ///   - catalogue: The effects and plugins.
    ///   - format: The format of the replay; sample rate and frames are those of the recipe.
    ///   - old: The schedule before it; `nil` for the first one, or if it is not known. Then all
    ///     nodes are new.
    /// - Throws: `PreparationError` if a node cannot be prepared.
    public convenience init(
        replaying recipe: ScheduleRecipe, catalogue: Catalogue, format: AudioFormat,
        after old: Schedule?
    ) throws(PreparationError) {
        var format = format
        format.sampleRate = recipe.sampleRate
        format.maximumBlockFrames = recipe.maximumFrames
        let catalogue = Catalogue(
            effects: catalogue.effects, plugins: catalogue.plugins, memory: .unlimited)
        if recipe.origin != .new, let old {
            try self.init(repeating: recipe, catalogue, after: old)
        } else {
            try self.init(first: recipe, catalogue, format)
        }
        switch recipe.firstScene {
        case .own: break
        case .none: begin(withScene: nil)
        case .scene(let index): begin(withScene: index)
        case .kept: keepScene()
        }
        if !recipe.sentScenes.isEmpty { sendMessages(ofScenes: recipe.sentScenes) }
    }
}
