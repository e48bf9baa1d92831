internal import Engine
internal import Pipelines
internal import Processing

/// The scenes that follow others during a render, at the frames at which the engine would apply
/// them live.
struct FollowScript {
    /// A scene, by its index in the pipeline, and the frame at which it begins.
    struct Beginning: Equatable {
        let frame: Int
        let scene: Int
    }

    private let pipeline: Pipeline
    private let sampleRate: Double
    /// The scenes that the request calls, in order.
    private var calls: ArraySlice<Beginning>
    /// Whether a scene has begun since the last call of `popBeginning`.
    private var hasBegun = false
    /// The scene whose follow is pending.
    private var current: Beginning?
    /// The frame at which the next scene is due; `nil` if it is not known yet.
    private var dueFrame: Int?
    /// The count of a player's ends when the scene began, which waits for another one.
    private var ends: (counter: UnsafePointer<UInt32>, count: UInt32)?

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline; its initial scene begins at frame 0.
    ///   - scenes: The scenes that the request calls.
    ///   - sampleRate: In Hz; each time is rounded to the nearest frame.
    init(for pipeline: Pipeline, _ scenes: [TimedScene], sampleRate: Double) {
        self.pipeline = pipeline
        self.sampleRate = sampleRate
        let first = pipeline.initialScene.map { [Beginning(frame: 0, scene: $0)] } ?? []
        let called = scenes.map {
            Beginning(frame: Int((max(0, $0.seconds) * sampleRate).rounded()), scene: $0.scene)
        }
        // The sort need not be stable, so the index decides between equal frames.
        calls =
            (first + called).enumerated()
            .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
            .map(\.element)[...]
    }

    /// Returns the scenes that follow before a frame, in order.
    ///
    /// At the same frame, a scene that the request calls takes precedence.
    mutating func advance(before end: Int, _ schedule: Schedule) -> [Beginning] {
        var followers: [Beginning] = []
        while true {
            let call = calls.first.flatMap { $0.frame < end ? $0 : nil }
            let due = dueFrame.flatMap { $0 < end ? $0 : nil }
            if let call, call.frame <= due ?? .max {
                calls.removeFirst()
                begin(call, schedule)
            } else if let due, let follow {
                let next = Beginning(frame: due, scene: follow.scene)
                followers.append(next)
                begin(next, schedule)
            } else {
                return followers
            }
        }
    }

    /// Makes the next scene due if the player has ended for which it waits; `frame` is the frame
    /// after the last block.
    mutating func noticeEnd(at frame: Int, _ schedule: Schedule) {
        guard let former = ends, let counter = endCounter(schedule) else { return }
        guard counter == former.counter else {
            // The player was exchanged.
            ends = (counter, counter.pointee)
            return
        }
        guard counter.pointee != former.count else { return }
        dueFrame = frame
        ends = nil
    }

    /// Returns whether a scene has begun since the last call.
    mutating func popBeginning() -> Bool {
        defer { hasBegun = false }
        return hasBegun
    }

    /// Cancels the follow that is pending, because the engine has applied another scene.
    mutating func cancel() { (current, dueFrame, ends) = (nil, nil, nil) }

    private var follow: Pipeline.Follow? {
        current.flatMap { pipeline.scenes[$0.scene].cue.follow }
    }

    private mutating func begin(_ beginning: Beginning, _ schedule: Schedule) {
        cancel()
        current = beginning
        hasBegun = true
        guard let follow else { return }
        switch follow.start {
        case .after(let seconds):
            dueFrame = beginning.frame + Schedule.frames(ofFollow: seconds, sampleRate: sampleRate)
        case .endOfNode:
            ends = endCounter(schedule).map { ($0, $0.pointee) }
        }
    }

    private func endCounter(_ schedule: Schedule) -> UnsafePointer<UInt32>? {
        guard case .endOfNode(let node)? = follow?.start else { return nil }
        return schedule.processors(ofNode: node).first?.endCount
    }
}
