/// The scene that follows another one automatically, in the form that the audio thread reads.
struct SceneFollow: BitwiseCopyable {
    /// The index of the scene that follows; -1 for none.
    let scene: Int32
    /// The time from the beginning of the scene before it, in frames; -1 if it follows at the end
    /// of a player.
    let frames: Int64
    /// How often the player has ended; `nil` if it never ends.
    ///
    /// Valid as long as the schedule.
    let endCount: UnsafePointer<UInt32>?

    /// No scene follows.
    static var none: SceneFollow { SceneFollow(scene: -1, frames: -1, endCount: nil) }

    private init(scene: Int32, frames: Int64, endCount: UnsafePointer<UInt32>?) {
        self.scene = scene
        self.frames = frames
        self.endCount = endCount
    }

    /// Creates a follow after a time in frames.
    init(scene: Int32, frames: Int64) {
        self.init(scene: scene, frames: max(0, frames), endCount: nil)
    }

    /// Creates a follow at the end of a player.
    init(scene: Int32, endCount: UnsafePointer<UInt32>?) {
        self.init(scene: scene, frames: -1, endCount: endCount)
    }

    /// Returns the number of frames that is nearest to a time; at least one for a time above 0, so
    /// that a loop of scenes takes time.
    static func frames(seconds: Double, sampleRate: Double) -> Int64 {
        guard seconds > 0 else { return 0 }
        return max(1, Int64(exactly: (seconds * sampleRate).rounded()) ?? .max / 4)
    }

    /// Returns a number that identifies a scene by its name: FNV-1a of its UTF-8 bytes.
    static func key(_ name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// The scene in effect when a schedule becomes active.
enum FirstScene: BitwiseCopyable {
    /// The scene that is in effect already.
    case unchanged
    case noScene
    case scene(Int32)
}

/// Measures the time until the next scene follows, in frames of the engine.
struct FollowTimer: BitwiseCopyable {
    /// The scene whose follow is pending, as an index in the current schedule; -1 for none.
    private var scene: Int32 = -1
    /// The scene that follows.
    private var next: Int32 = -1
    /// Identifies `scene` in another schedule of the same song.
    private var key: UInt64 = 0
    /// The engine's frame at which `scene` began; negative after a change of the sample rate near
    /// the engine's start.
    private var beginFrame: Int64 = 0
    /// The engine's frame at which the next scene is due; `.max` if it is not known yet.
    private var dueFrame = Int64.max
    /// The number of the player's ends when `scene` began.
    private var endCount: UInt32 = 0

    // MARK: Scenes

    /// Starts the time of a scene that begins; a follow that was pending is cancelled.
    ///
    /// - Parameters:
    ///   - index: The index of the scene in the current schedule.
    ///   - frame: The engine's frame at which it begins.
    ///   - core: The current schedule.
    @_noLocks
    mutating func begin(_ index: Int32, at frame: UInt64, of core: ScheduleCore) {
        cancel()
        guard index >= 0, Int(index) < core.sceneCount,
            core.scenes[Int(index)].follow.scene >= 0
        else { return }
        scene = index
        key = core.scenes[Int(index)].key
        beginFrame = Int64(truncatingIfNeeded: frame)
        measure(core.scenes[Int(index)].follow)
    }

    /// Cancels the follow that is pending.
    @_noLocks
    mutating func cancel() {
        (scene, next) = (-1, -1)
        dueFrame = .max
    }

    @_noLocks
    private mutating func measure(_ follow: SceneFollow) {
        next = follow.scene
        dueFrame = follow.frames >= 0 ? beginFrame &+ follow.frames : .max
        endCount = follow.endCount?.pointee ?? 0
    }

    // MARK: Time

    /// Returns the next scene if it is due before a frame, and the frame at which it is due.
    @_noLocks
    func due(before end: UInt64) -> (scene: Int32, frame: UInt64)? {
        guard next >= 0, dueFrame < Int64(truncatingIfNeeded: end) else { return nil }
        return (next, UInt64(max(0, dueFrame)))
    }

    /// Makes the next scene due if the player has ended for which it waits.
    ///
    /// - Parameters:
    ///   - frame: The engine's frame after the last piece.
    ///   - core: The current schedule.
    @_noLocks
    mutating func noticeEnd(at frame: UInt64, of core: ScheduleCore) {
        guard scene >= 0, dueFrame == .max,
            let count = core.scenes[Int(scene)].follow.endCount, count.pointee != endCount
        else { return }
        dueFrame = Int64(truncatingIfNeeded: frame)
    }

    // MARK: Schedules

    /// Begins with the first schedule of an engine.
    mutating func begin(_ core: ScheduleCore) {
        if case .scene(let index) = core.firstScene { begin(index, at: 0, of: core) }
    }

    /// Continues with another schedule, or begins with its first scene.
    ///
    /// A pending follow that was edited counts with its new time from the beginning of the scene.
    /// It is cancelled if the scene does not exist any more or nothing follows it.
    ///
    /// - Parameters:
    ///   - core: The new schedule.
    ///   - former: The replaced schedule.
    ///   - frame: The engine's frame at which the new schedule begins.
    @_noLocks
    mutating func follow(_ core: ScheduleCore, after former: ScheduleCore, at frame: UInt64) {
        switch core.firstScene {
        case .noScene: cancel()
        case .scene(let index): begin(index, at: frame, of: core)
        case .unchanged: keep(core, after: former, at: Int64(truncatingIfNeeded: frame))
        }
    }

    @_noLocks
    private mutating func keep(_ core: ScheduleCore, after former: ScheduleCore, at frame: Int64) {
        guard scene >= 0 else { return }
        guard let index = index(of: key, in: core), core.scenes[index].follow.scene >= 0 else {
            return cancel()
        }
        let waitsForEnd = former.scenes[Int(scene)].follow.frames < 0
        let endedFrame = waitsForEnd ? dueFrame : .max
        scene = Int32(index)
        let elapsed = Double(frame &- beginFrame)
        let rates = Double(core.rate.sampleRate) / Double(former.rate.sampleRate)
        if rates != 1 { beginFrame = frame &- Int64(elapsed * rates) }
        measure(core.scenes[index].follow)
        // The player ended in the last piece.
        if dueFrame == .max { dueFrame = endedFrame }
    }

    @_noLocks
    private func index(of key: UInt64, in core: ScheduleCore) -> Int? {
        for index in 0..<core.sceneCount where core.scenes[index].key == key { return index }
        return nil
    }
}
