internal import CRealtime
internal import Processing
internal import Realtime

/// One node while it plays: its processors, its dry path, and what was measured of it.
struct NodeStep: BitwiseCopyable {
    /// One processor of the node, with the buffers it works on.
    struct Unit: BitwiseCopyable {
        let run: RTRun
        let set: RTSet
        let state: UnsafeMutableRawPointer
        var block: RTBlock
        /// Room for the channel pointers of a part of the cycle.
        let partInputs: UnsafeMutablePointer<UnsafePointer<Float>>
        let partOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        /// Not 0 after a run that gave no sound; nil where that does not happen.
        let absence: UnsafePointer<UInt32>?
    }

    /// How long a change of `mix` or `bypass` takes, and coming back after a fault.
    static var crossfadeSeconds: Double { 0.02 }

    private(set) var wiring: NodeWiring
    /// Whether the last cycle left nothing under way: then this one is the processors' output and nothing else.
    var isSteady = false
    /// Whether a cycle may be split where a parameter changes.
    let isSplittable: Bool
    /// Places of this cycle's events of the node; -1 where there is none.
    var firstEvent: Int32 = -1
    var lastEvent: Int32 = -1
    let unitCount: Int
    let outputCount: Int
    /// Of a plugin: what is known of it beside its sound.
    let plugin: UnsafeMutablePointer<PluginCare>?
    var measurement = NodeMeasurement()
    var surroundings: NodeSurroundings
    /// Gain of the processors' output: 1, save after they failed.
    var presence = Swell(1)
    /// How it goes away.
    var departure: Departure
    var blend: WetDry
    let recoveryFrames: Int32
    /// What each value is or is on its way to, from bypass and mix on.
    let values: UnsafeMutablePointer<Float>

    /// A node that is wired before it runs.
    init(
        isSplittable: Bool, unitCount: Int, outputCount: Int, blend: WetDry,
        surroundings: NodeSurroundings, recoveryFrames: Int32, unwired: NodeWiring,
        plugin: UnsafeMutablePointer<PluginCare>?, values: UnsafeMutablePointer<Float>,
        claim: UnsafeMutablePointer<DepartureClaim>
    ) {
        departure = Departure(claim: claim)
        wiring = unwired
        self.isSplittable = isSplittable
        self.unitCount = unitCount
        self.outputCount = outputCount
        self.blend = blend
        self.surroundings = surroundings
        self.recoveryFrames = recoveryFrames
        self.plugin = plugin
        self.values = values
    }

    /// Takes its place in a schedule.
    @_noLocks
    mutating func wire(_ newWiring: NodeWiring) {
        wiring = newWiring
        isSteady = false
        surroundings.messageInput = newWiring.messageInput
        surroundings.messageOutput = newWiring.messageOutput
        if newWiring.isLeaving {
            departure.begin(tailFrames: newWiring.tailFrames)
        } else {
            departure.takeBack()
        }
    }

    /// Goes away with all that plays.
    @_noLocks
    mutating func leave(tailFrames: Int) {
        isSteady = false
        departure.begin(tailFrames: tailFrames)
    }

    /// Adds an event of this cycle behind those there are, and notes the value.
    @_noLocks
    mutating func add(_ events: UnsafeMutablePointer<RTEvent>, place: Int32) {
        if lastEvent >= 0 { events[Int(lastEvent)].next = place } else { firstEvent = place }
        lastEvent = place
        let event = events[Int(place)]
        if event.target >= RTTargetBypass.rawTarget, event.target < wiring.parameterCount {
            values[Int(event.target) + 2] = event.value
        }
    }

    var units: UnsafeMutablePointer<Unit> { @_noLocks get { wiring.units } }
    var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        @_noLocks get { wiring.outputs }
    }

    @_noLocks
    @inline(__always)
    mutating func run(_ cycle: UnsafePointer<RTCycle>) {
        if isSteady, firstEvent < 0 { runSteady(cycle) } else { runChanging(cycle) }
    }

    /// A cycle in which nothing is under way and nothing begins, as nearly all are: few cache lines are read for it.
    @_noLocks
    @inline(__always)
    private mutating func runSteady(_ cycle: UnsafePointer<RTCycle>) {
        let frames = Int(cycle.pointee.frameCount)
        wiring.whereabouts.pointee.enter(wiring.number)
        runUnitsAlone(cycle)
        if !areFinite(frames) { fail(frames) }
        guard let plugin else { return measure(until: rt_ticks()) }
        checkGuards(plugin.pointee.guardOffset)
        measure(until: judgeSteady(&plugin.pointee, frames))
    }

    @_noLocks
    @inline(never)
    private mutating func runChanging(_ cycle: UnsafePointer<RTCycle>) {
        let frames = Int(cycle.pointee.frameCount)
        if departure.hasEnded { return silence(frames) }
        wiring.whereabouts.pointee.enter(wiring.number)
        if let plugin {
            runPlugin(&plugin.pointee, frames, cycle)
        } else {
            runAll(frames, cycle)
        }
        if !blend.passesWet || firstEvent >= 0 { blendEvents(frames, cycle.pointee.events) }
        // What a plugin does once it knows cannot be heard any more.
        if surroundings.takesBypass, blend.isRestingDry { tellBypass(true) }
        if !departure.isIdle { departure.run(outputs, outputCount, frames) }
        isSteady =
            !surroundings.playsInTime && surroundings.news == nil && blend.passesWet
            && presence.isResting && departure.isIdle && plugin?.pointee.isSteady ?? true
        measure(until: rt_ticks())
    }

    /// Takes in what a cycle has cost.
    @_noLocks
    @inline(__always)
    private mutating func measure(until now: UInt64) {
        measurement.add(now &- wiring.lap.pointee)
        wiring.lap.pointee = now
    }

    /// The cycle holds what is no number.
    @_noLocks
    @inline(never)
    private mutating func fail(_ frames: Int) {
        isSteady = false
        silenceAll(frames)
        recover(frames)
    }

    /// What is there of a node that has gone.
    @_noLocks
    private func silence(_ frames: Int) {
        for channel in 0..<outputCount { rt_clear(outputs[channel], Int64(frames)) }
    }

    @_noLocks
    private mutating func blendEvents(_ frames: Int, _ events: UnsafePointer<RTEvent>) {
        var done = 0
        var place = firstEvent
        blend.takeDry(wiring.dry, frames)
        while place >= 0 {
            let event = events[Int(place)]
            if event.target < 0 {
                blend.apply(outputs, from: done, to: Int(event.frame))
                done = max(done, Int(event.frame))
                blend.set(event.target, event.value)
            }
            place = event.next
        }
        blend.apply(outputs, from: done, to: frames)
    }
}

// SAFETY: `ScheduleLayout` puts this function beside a state of this type alone.
@_noLocks
func runNodeStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: NodeStep.self).pointee.run(cycle)
}
