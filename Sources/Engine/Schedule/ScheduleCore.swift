internal import CRealtime
internal import Synchronization

/// The data that the audio thread runs: a flat table of functions and states, and the addresses of
/// inputs and outputs.
///
/// `PlayingSchedule` runs it in place. Do not pass it as a whole on the audio thread: a copy takes a
/// noticeable part of the time of a small pipeline.
struct ScheduleCore: BitwiseCopyable {
    /// One entry of the table.
    typealias Entry = ScheduleEntry

    let entries: UnsafeMutablePointer<Entry>
    let entryCount: Int
    /// The tasks of several cores, and the number of entries before them; `nil` for one core.
    let tasks: TaskTable?
    let preludeCount: Int
    /// The state of each runner; set before each cycle.
    let runners: UnsafeMutablePointer<RunnerState>
    let runnerCount: Int
    /// The pipeline's own nodes, then those that ring out.
    let nodes: UnsafeMutablePointer<UnsafeMutablePointer<NodeStep>>
    let nodeCount: Int
    let allNodeCount: Int
    /// The nodes that play their complete version and have a cheaper one, in the order in which they
    /// give way.
    let reducible: UnsafePointer<ReducibleNode>
    let reducibleCount: Int
    /// The wiring of each node and each delayed path in this schedule.
    let wirings: UnsafeMutablePointer<NodeWiring>
    let lines: UnsafeMutablePointer<LineWiring>
    let lineCount: Int
    /// The input channels of the cycle, in the pipeline's order; filled before each cycle.
    let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    /// The engine slot of each input channel.
    let inputSlots: UnsafeMutablePointer<Int32>
    let inputCount: Int
    /// The signal of each output channel.
    let outputs: UnsafeMutablePointer<UnsafePointer<Float>>
    /// The engine slot of each output channel.
    let outputSlots: UnsafeMutablePointer<Int32>
    let outputCount: Int
    /// All outputs of the engine from this schedule on.
    let groups: UnsafeMutablePointer<OutputChannelGroup>
    let groupCount: Int
    /// One more than the highest engine slot in use, for inputs and for outputs.
    let inputSlotCount: Int
    let outputSlotCount: Int
    /// The longest silence, with silent input, after which any node may still produce output, in
    /// frames.
    let gapFrames: Int
    /// The values that nodes report.
    let reports: UnsafeMutablePointer<ReportedValue>
    let reportCount: Int
    /// The processors whose output depends on data from other threads.
    let arrivals: UnsafeMutablePointer<ArrivalSource>
    let arrivalCount: Int
    /// The processors that note their state.
    let states: UnsafeMutablePointer<StateSource>
    let stateCount: Int
    /// The processors that note the sound that they keep.
    let sounds: UnsafeMutablePointer<SoundSource>
    let soundCount: Int
    /// The current or target value of bypass, mix and each parameter of every node.
    let values: NodeValues
    let bindings: BindingTable
    /// The slot of the MIDI output for controller feedback; -1 if the engine has no feedback
    /// output.
    let feedbackSlot: Int
    let scenes: UnsafeMutablePointer<SceneCore>
    let sceneCount: Int
    /// The values that nodes receive at the first frame of the schedule, and at the frame at which
    /// its crossfade begins.
    let valuesAtStart: SceneCore
    let valuesAtCrossfade: SceneCore
    /// The scene in effect when the schedule becomes active; set before it is handed over.
    var firstScene = FirstScene.unchanged
    /// The scenes whose messages go out in the first frame of a splice, in order; set before the
    /// schedule is handed over.
    var sentScenes: UnsafePointer<Int32>?
    var sentSceneCount = 0
    /// The number of the schedule among those that a capture has seen; set before it is handed over.
    var number: UInt64 = 0
    /// The number of frames that the engine had rendered after the last captured cycle; `nil` only
    /// before the schedule is complete.
    var playedFrame: UnsafeMutablePointer<Atomic<UInt64>>?
    /// The MIDI messages that the song and its scenes send.
    let messages: MessageLists
    /// The slot of the MIDI input whose clock the tempo follows; -1 without one.
    let clockInput: Int
    /// The slots of the MIDI outputs that send a clock.
    let clockOutputs: UnsafeMutablePointer<Int32>
    let clockOutputCount: Int
    let maximumFrames: Int
    let rate: RateFigures
    let beatsPerMinute: Double
    /// The gain of all outputs, an amplitude factor.
    let outputGain: Float
    /// The levels that the scenes of the song, and of the song before it, move.
    let levels: SceneLevels
    /// The measurement that all steps share; set before each cycle.
    let stepMeter: UnsafeMutablePointer<StepMeter>
    let activeNode: UnsafeMutablePointer<ActiveNodeMarker>
    /// The deadlines: whether there are any, and how often the machine has missed them; set before
    /// each cycle.
    let deadlines: UnsafeMutablePointer<CycleDeadlines>
    /// The level of the inputs, with its ramps.
    let inputLevel: UnsafeMutablePointer<InputLevel>
    /// The progress of the transition from the previous schedule.
    let transition: UnsafeMutablePointer<Transition>

    /// A value that a node reports.
    struct ReportedValue: BitwiseCopyable {
        let node: Int32
        let report: Int32
        let pointer: UnsafePointer<Float>
    }

    /// The changes of a scene.
    struct SceneCore: BitwiseCopyable {
        let changes: UnsafeMutablePointer<SceneChange>
        let count: Int
        /// The gain of the scene, in dB, and how the level of the song moves to it.
        let gainDecibels: Float
        let gainFade: Fade
        /// Whether the scene changes settings, so that only the session can apply it.
        let needsExchange: Bool
        /// Identifies the scene in an edited pipeline, in which its index may differ.
        let key: UInt64
        let follow: SceneFollow
    }

    /// One value that a scene sets.
    struct SceneChange: BitwiseCopyable {
        let node: Int32
        let target: Int32
        let value: Float
        var fade: Fade
    }

    /// Lets the changes at the crossfade take the times of a scene that contains them.
    ///
    /// Call it before the schedule is handed over; it allocates memory.
    func useFadesAtCrossfade(ofScene index: Int) {
        let scene = scenes[index]
        var fades: [SIMD2<Int32>: Fade] = [:]
        for index in 0..<scene.count {
            let change = scene.changes[index]
            fades[[change.node, change.target]] = change.fade
        }
        for index in 0..<valuesAtCrossfade.count {
            let change = valuesAtCrossfade.changes[index]
            if let fade = fades[[change.node, change.target]] {
                valuesAtCrossfade.changes[index].fade = fade
            }
        }
    }
}

/// A node that can give way to its cheaper variant.
struct ReducibleNode: BitwiseCopyable {
    /// The index of the node.
    let node: Int32
    /// The share of its load that the variant is assumed to save.
    let saving: Double
    /// Whether the variant is prepared; the control side changes it.
    let isReady: UnsafePointer<Atomic<Bool>>
}

/// The wiring of a delayed path in a schedule.
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
