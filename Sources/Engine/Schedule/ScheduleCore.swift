internal import CRealtime

/// What the audio thread runs: a flat table of functions and states, and where the sound goes in
/// and out.
struct ScheduleCore: BitwiseCopyable {
    /// One entry of the table.
    struct Entry: BitwiseCopyable {
        let run: RTStep
        let state: UnsafeMutableRawPointer
        /// What the step reads next after its own state: that of its processor.
        var inner: UnsafeRawPointer
    }

    let entries: UnsafeMutablePointer<Entry>
    let entryCount: Int
    /// The pipeline's own, then those that ring out.
    let nodes: UnsafeMutablePointer<UnsafeMutablePointer<NodeStep>>
    let nodeCount: Int
    let allNodeCount: Int
    /// How each node is wired here, and each path that is held back.
    let wirings: UnsafeMutablePointer<NodeWiring>
    let lines: UnsafeMutablePointer<LineWiring>
    let lineCount: Int
    /// Where the outside channels of the cycle are, as the pipeline counts them; filled before each.
    let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    /// The slot of each.
    let inputSlots: UnsafeMutablePointer<Int32>
    let inputCount: Int
    /// The sound of each channel of the outputs.
    let outputs: UnsafeMutablePointer<UnsafePointer<Float>>
    /// The slot that it goes to.
    let outputSlots: UnsafeMutablePointer<Int32>
    let outputCount: Int
    /// All outputs of the engine as they are from this schedule on.
    let groups: UnsafeMutablePointer<OutletGroup>
    let groupCount: Int
    /// Slots of the engine that are in use, all below these.
    let inputSlotCount: Int
    let outputSlotCount: Int
    /// How long all of it may be silent, its input too, and sound again after it.
    let gapFrames: Int
    /// The values that nodes report.
    let reports: UnsafeMutablePointer<ReportedValue>
    let reportCount: Int
    /// What each value is, or is on its way to.
    let values: LiveValues
    let bindings: BindingTable
    /// The MIDI output that tells controllers where their values are, by its slot; -1 for none.
    let feedbackSlot: Int
    let scenes: UnsafeMutablePointer<SceneCore>
    let sceneCount: Int
    let maximumFrames: Int
    let rate: RateFigures
    let beatsPerMinute: Double
    let lap: UnsafeMutablePointer<UInt64>
    let whereabouts: UnsafeMutablePointer<Whereabouts>
    /// Whether the clock counts; set before each cycle.
    let isOnDuty: UnsafeMutablePointer<Bool>
    /// What comes in, swelling or fading.
    let inputLevel: UnsafeMutablePointer<InputLevel>
    /// How far the schedule has taken the place of the one before.
    let transition: UnsafeMutablePointer<Transition>

    /// A value that a node reports.
    struct ReportedValue: BitwiseCopyable {
        let node: Int32
        let report: Int32
        let place: UnsafePointer<Float>
    }

    /// What a scene changes.
    struct SceneCore: BitwiseCopyable {
        let changes: UnsafeMutablePointer<SceneChange>
        let count: Int
    }

    /// One value that a scene sets.
    struct SceneChange: BitwiseCopyable {
        let node: Int32
        let target: Int32
        let value: Float
    }

    /// Takes over nodes and paths, which from now on run here.
    @_noLocks
    func begin() {
        for place in 0..<allNodeCount { nodes[place].pointee.wire(wirings[place]) }
        for place in 0..<lineCount { lines[place].connect() }
    }

    /// Runs one cycle of at most `maximumFrames` frames.
    @_noLocks
    func run(_ cycle: UnsafePointer<RTCycle>) {
        let frames = Int(cycle.pointee.frameCount)
        inputLevel.pointee.advance(frames)
        if !transition.pointee.isOver { transition.pointee.advance(frames) }
        lap.pointee = rt_ticks()
        for place in 0..<entryCount {
            // While this step runs, the next one's state comes nearer.
            let next = min(place + 1, entryCount - 1)
            rt_expect(entries[next].state)
            rt_expect(entries[next].inner)
            rt_step(entries[place].run, entries[place].state, cycle)
        }
        whereabouts.pointee.leave()
        if !transition.pointee.isOver {
            transition.pointee.settle(nodes + nodeCount, allNodeCount - nodeCount, frames)
        }
    }

    /// Hands an event of this cycle to its node; one for a node that is not there is dropped.
    @_noLocks
    func deliver(_ events: UnsafeMutablePointer<RTEvent>, place: Int32, node: Int32) {
        guard node >= 0, Int(node) < nodeCount else { return }
        nodes[Int(node)].pointee.add(events, place: place)
    }

    /// Forgets the events of the cycle that is over.
    @_noLocks
    func forgetEvents(node: Int32) {
        guard node >= 0, Int(node) < nodeCount else { return }
        nodes[Int(node)].pointee.firstEvent = -1
        nodes[Int(node)].pointee.lastEvent = -1
    }
}

/// How a path that is held back is wired in a schedule.
struct LineWiring: BitwiseCopyable {
    let step: UnsafeMutablePointer<DelayStep>
    let from: UnsafePointer<Float>
    let into: UnsafeMutablePointer<Float>

    @_noLocks
    func connect() {
        step.pointee.from = from
        step.pointee.into = into
    }
}
