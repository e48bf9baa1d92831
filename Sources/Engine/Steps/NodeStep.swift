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
        let block: RTBlock
        /// Room for the channel pointers of a part of the cycle.
        let partInputs: UnsafeMutablePointer<UnsafePointer<Float>>
        let partOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        /// Not 0 after a run that gave no sound; nil where that does not happen.
        let absence: UnsafePointer<UInt32>?
    }

    /// How long a change of `mix` or `bypass` takes, and coming back after a fault.
    static var crossfadeSeconds: Double { 0.02 }

    private(set) var wiring: NodeWiring
    /// Whether a cycle may be split where a parameter changes.
    let isSplittable: Bool
    let unitCount: Int
    let outputCount: Int
    var blend: WetDry
    var surroundings: NodeSurroundings
    /// Gain of the processors' output: 1, save after they failed.
    var presence = Swell(1)
    let recoveryFrames: Int32
    /// Places of this cycle's events of the node; -1 where there is none.
    var firstEvent: Int32 = -1
    var lastEvent: Int32 = -1
    var measurement = NodeMeasurement()
    /// Of a plugin: what is known of it beside its sound.
    let plugin: UnsafeMutablePointer<PluginCare>?
    /// How it goes away.
    var departure: Departure
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
        surroundings.messageInput = newWiring.messageInput
        surroundings.messageOutput = newWiring.messageOutput
        if newWiring.isLeaving {
            departure.begin(tailFrames: newWiring.tailFrames)
        } else {
            departure.takeBack()
        }
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

    private var units: UnsafeMutablePointer<Unit> { @_noLocks get { wiring.units } }
    var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        @_noLocks get { wiring.outputs }
    }

    @_noLocks
    mutating func run(_ cycle: UnsafePointer<RTCycle>) {
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
        let now = rt_ticks()
        measurement.add(now &- wiring.lap.pointee)
        wiring.lap.pointee = now
    }

    /// What is there of a node that has gone.
    @_noLocks
    private func silence(_ frames: Int) {
        for channel in 0..<outputCount { rt_clear(outputs[channel], Int64(frames)) }
    }

    /// Runs the processors, and sees to it that nothing but numbers comes out.
    @_noLocks
    mutating func runAll(_ frames: Int, _ cycle: UnsafePointer<RTCycle>) {
        if firstEvent < 0 { runUnits(cycle) } else { runUnits(cycle, cycle.pointee.events) }
        if let latency = surroundings.takeNewLatency() { blend.setDelay(Int(latency)) }
        silenceNonFinite(frames)
        if !presence.isResting { recover(frames) }
    }

    @_noLocks
    private mutating func runUnits(_ cycle: UnsafePointer<RTCycle>) {
        for place in 0..<unitCount {
            var block = units[place].block
            block.frameCount = cycle.pointee.frameCount
            if surroundings.playsInTime {
                runInTime(&block, unit: place, cycle)
            } else {
                rt_run(units[place].run, units[place].state, &block)
            }
        }
    }

    @_noLocks
    private mutating func runInTime(
        _ block: inout RTBlock, unit place: Int, _ cycle: UnsafePointer<RTCycle>
    ) {
        var beside = surroundings.ofRun(in: cycle, isFirst: place == 0)
        if departure.isOn { beside.messages = notes(isLast: place + 1 == unitCount) }
        withUnsafePointer(to: &beside) { beside in
            block.surroundings = beside
            rt_run(units[place].run, units[place].state, &block)
        }
    }

    /// What a plugin that goes away is played by: once the end of all notes, then nothing.
    @_noLocks
    private mutating func notes(isLast: Bool) -> RTMessages {
        guard !departure.hasReleasedNotes else { return RTMessages() }
        if isLast { departure.hasReleasedNotes = true }
        return wiring.releases.pointee
    }

    /// Runs the processors from one event's frame to the next where they allow it, else in one
    /// piece.
    @_noLocks
    private mutating func runUnits(
        _ cycle: UnsafePointer<RTCycle>, _ events: UnsafePointer<RTEvent>
    ) {
        let frames = Int(cycle.pointee.frameCount)
        var done = 0
        var place = firstEvent
        while place >= 0 {
            let event = events[Int(place)]
            if isSplittable, Int(event.frame) > done {
                runPart(from: done, to: Int(event.frame))
                done = Int(event.frame)
            }
            if event.target >= 0 { set(event.target, event.value) }
            if event.target == RTTargetBypass.rawTarget, event.value < 0.5 { tellBypass(false) }
            place = event.next
        }
        if done == 0 { runUnits(cycle) } else if done < frames { runPart(from: done, to: frames) }
    }

    @_noLocks
    func set(_ parameter: Int32, _ value: Float) {
        for place in 0..<unitCount {
            rt_set(units[place].set, units[place].state, parameter, value)
        }
    }

    /// Tells the processors whether they are heard, where they do not know.
    @_noLocks
    mutating func tellBypass(_ isBypassed: Bool) {
        guard surroundings.takesBypass, surroundings.isToldOfBypass != isBypassed else { return }
        surroundings.isToldOfBypass = isBypassed
        set(RTTargetBypass.rawTarget, isBypassed ? 1 : 0)
    }

    @_noLocks
    private func runPart(from start: Int, to end: Int) {
        for place in 0..<unitCount {
            let unit = units[place]
            for channel in 0..<Int(unit.block.inputCount) {
                unit.partInputs[channel] = unit.block.inputs[channel] + start
            }
            for channel in 0..<Int(unit.block.outputCount) {
                unit.partOutputs[channel] = unit.block.outputs[channel] + start
            }
            var block = RTBlock(
                frameCount: Int32(end - start), inputCount: unit.block.inputCount,
                outputCount: unit.block.outputCount, inputs: unit.partInputs,
                outputs: unit.partOutputs)
            rt_run(unit.run, unit.state, &block)
        }
    }

    /// Replaces a cycle that holds a NaN or an infinity by silence, and swells in again after it.
    @_noLocks
    private mutating func silenceNonFinite(_ frames: Int) {
        var isFinite = true
        for channel in 0..<outputCount {
            isFinite = rt_is_finite(outputs[channel], Int64(frames)) && isFinite
        }
        guard !isFinite else { return }
        for channel in 0..<outputCount { rt_clear(outputs[channel], Int64(frames)) }
        presence.move(from: 0, to: 1, frames: recoveryFrames)
        measurement.nonFiniteCycles &+= 1
    }

    @_noLocks
    private mutating func recover(_ frames: Int) {
        for frame in 0..<frames {
            let gain = presence.next()
            for channel in 0..<outputCount { outputs[channel][frame] *= gain }
        }
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
