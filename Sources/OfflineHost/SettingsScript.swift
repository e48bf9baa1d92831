internal import Engine
internal import Pipelines
internal import Processing

/// Exchanges nodes during a render, at the times at which scenes change their settings.
///
/// An exchange takes place at the start of a block. It waits until the crossfades of the previous
/// one have ended.
struct SettingsScript {
    private let catalogue: Catalogue
    private var changes: [TimedChange]
    private let plan: Plan
    private let keepsLatency: Bool
    private var steps: [(frame: Int, settings: TimedSettings)]
    /// The pipeline at load, with the settings so far.
    private var pipeline: Pipeline
    private var isFading = false
    private var hasSettled = true

    /// Creates a script of the settings that do not apply at load.
    ///
    /// - Parameters:
    ///   - loaded: The pipeline at load.
    ///   - request: The request.
    ///   - plan: The plan of the pipeline at load.
    ///   - catalogue: The catalogue that the pipeline was checked with.
    init(for loaded: Pipeline, _ request: RenderRequest, _ plan: Plan, _ catalogue: Catalogue) {
        self.catalogue = catalogue
        self.plan = plan
        keepsLatency = request.keepsLatency
        changes = request.changes
        pipeline = loaded
        steps = []
        let timed = request.settings.filter { $0.seconds > 0 }.sorted { $0.seconds < $1.seconds }
        for settings in timed {
            add(settings, atFrame: Int((settings.seconds * request.sampleRate).rounded()))
        }
    }

    /// Adds the settings and the changes of a scene that follows another one at a frame.
    mutating func add(_ settings: TimedSettings, _ changes: [TimedChange], atFrame frame: Int) {
        self.changes += changes
        add(settings, atFrame: frame)
    }

    private mutating func add(_ settings: TimedSettings, atFrame frame: Int) {
        guard !settings.settings.isEmpty else { return }
        let latency = settings.settings.map { plan.nodes[$0.node].inputLatencyFrames }.max() ?? 0
        let index = steps.firstIndex { $0.settings.seconds > settings.seconds }
        steps.insert(
            (frame + (keepsLatency ? 0 : latency), settings), at: index ?? steps.endIndex)
    }

    /// Exchanges the nodes whose settings change before a frame.
    ///
    /// - Parameters:
    ///   - schedule: The current schedule.
    ///   - engine: The engine that plays it.
    ///   - end: The frame after the next block.
    /// - Returns: The new schedule; `nil` if the current one continues.
    /// - Throws: `RenderError.preparation` if a node cannot be prepared.
    mutating func exchange(
        _ schedule: Schedule, on engine: Engine, before end: Int
    ) throws(RenderError) -> Schedule? {
        guard !isFading, let next = steps.first, next.frame < end else { return nil }
        steps.removeFirst()
        pipeline = pipeline.applyingSettings(next.settings.settings)
        // The changes of the same time follow as commands.
        let earlier = changes.filter { $0.seconds > 0 && $0.seconds < next.settings.seconds }
        let wanted = pipeline.applying(earlier.sorted { $0.seconds < $1.seconds }.map(\.change))
        do throws(PreparationError) {
            let new = try Schedule(
                preparing: wanted, catalogue: catalogue, ports: schedule.ports, after: schedule,
                hasSettled: hasSettled)
            guard engine.exchange(new, .splice) else {
                preconditionFailure("the ring has room for a command per block")
            }
            (isFading, hasSettled) = (new.isTransition, !new.isTransition)
            return new
        } catch {
            throw .preparation(error)
        }
    }

    /// Follows the progress of an exchange.
    mutating func receive(_ report: Report) {
        switch report {
        case .spliced: isFading = false
        case .settled: hasSettled = true
        default: break
        }
    }
}
