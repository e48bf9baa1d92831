internal import CRealtime
internal import Processing
internal import Realtime

/// A node at run time: its processors, its dry path, and its measurements.
struct NodeStep: BitwiseCopyable {
    /// One processor of the node, with its buffers.
    struct Unit: BitwiseCopyable {
        let kernel: KernelReference
        var block: RTBlock
        /// Room for the channel pointers of a part of the cycle.
        let partInputs: UnsafeMutablePointer<UnsafePointer<Float>>
        let partOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        /// Not 0 after a run that delivered no output; `nil` if that cannot happen.
        let missedOutput: UnsafePointer<UInt32>?
    }

    /// The duration of a change of `mix` or `bypass`, and of the ramp back after an error.
    static var crossfadeSeconds: Double { 0.02 }

    private(set) var wiring: NodeWiring
    /// Whether nothing was changing in the last cycle, so that only the processors need to run in
    /// this one.
    var isSteady = false
    /// The last output, while the node can be halted or is halted; otherwise `nil`.
    private(set) var lastOutput: UnsafeMutablePointer<OutputSubstitute>?
    /// Whether the callback has stopped the node, because the machine is too slow.
    private(set) var isHalted = false
    /// Whether the control side knows that the node is halted in this schedule.
    var hasReportedHalt = false
    /// Whether a cycle may be split where a parameter changes.
    let isSplittable: Bool
    /// The indices of the node's first and last event of this cycle; -1 if the node has no events.
    var firstEvent: Int32 = -1
    var lastEvent: Int32 = -1
    let unitCount: Int
    let outputCount: Int
    /// Supervision of a plugin; `nil` for built-in effects.
    let plugin: UnsafeMutablePointer<PluginSupervision>?
    var measurement = NodeMeasurement()
    /// The levels of the outputs since the last report, while they are measured.
    let levels: UnsafeMutablePointer<Meters.Level>
    var context: NodeContext
    /// The gain of the processors' output: 1, except after their output was not finite.
    var recovery = SmoothRamp(1)
    /// The state of the node's removal.
    var removal: NodeRemoval
    var blend: WetDry
    let recoveryFrames: Int32
    /// The current or target value of bypass, mix and each parameter, in this order.
    let values: UnsafeMutablePointer<Float>
    /// Which parameters are triggers, and therefore have no value.
    private let isTrigger: UnsafePointer<Bool>
    /// The slot in the `FadeTable` of each of `values`; -1 for a value that does not fade.
    private let fadeSlots: UnsafeMutablePointer<Int32>

    /// Creates a node; `wire` must be called before it runs.
    init(
        isSplittable: Bool, unitCount: Int, outputCount: Int, blend: WetDry,
        context: NodeContext, recoveryFrames: Int32, unwired: NodeWiring,
        plugin: UnsafeMutablePointer<PluginSupervision>?, values: UnsafeMutablePointer<Float>,
        isTrigger: UnsafePointer<Bool>, fadeSlots: UnsafeMutablePointer<Int32>,
        levels: UnsafeMutablePointer<Meters.Level>, claim: UnsafeMutablePointer<NodeRemovalClaim>
    ) {
        self.levels = levels
        removal = NodeRemoval(claim: claim)
        wiring = unwired
        self.isSplittable = isSplittable
        self.unitCount = unitCount
        self.outputCount = outputCount
        self.blend = blend
        self.context = context
        self.recoveryFrames = recoveryFrames
        self.plugin = plugin
        self.values = values
        self.isTrigger = isTrigger
        self.fadeSlots = fadeSlots
    }

    /// Applies the wiring of a schedule.
    @_noLocks
    mutating func wire(_ newWiring: NodeWiring) {
        wiring = newWiring
        isSteady = false
        context.messageInput = newWiring.messageInput
        context.messageOutput = newWiring.messageOutput
        blend.setSkipsLatency(newWiring.isAlwaysBypassed)
        lastOutput = newWiring.lastOutput ?? (isHalted ? lastOutput : nil)
        hasReportedHalt = false
        // The state of a halted node is old, whatever the schedule knows of it.
        blend.setPaused(newWiring.isPaused || isHalted)
        if newWiring.isLeaving {
            removal.begin(tailFrames: newWiring.tailFrames)
            if newWiring.endsTail { removal.endTail() }
        } else {
            removal.cancel()
        }
    }

    /// Starts the removal of the node together with its schedule.
    @_noLocks
    mutating func leave(tailFrames: Int) {
        isSteady = false
        removal.begin(tailFrames: tailFrames)
    }

    /// Notes whether the callback has stopped the node.
    @_noLocks
    mutating func setHalted(_ newIsHalted: Bool) {
        isHalted = newIsHalted
        isSteady = false
        hasReportedHalt = false
    }

    /// Returns whether a parameter of the node has a value, so that it is no trigger.
    @_noLocks
    func hasValue(parameter: Int32) -> Bool { !isTrigger[Int(parameter)] }

    /// Appends an event of this cycle, and stores its value.
    @_noLocks
    mutating func add(_ events: UnsafeMutablePointer<RTEvent>, index: Int32) {
        if lastEvent >= 0 { events[Int(lastEvent)].next = index } else { firstEvent = index }
        lastEvent = index
        let event = events[Int(index)]
        store(event.target, event.value)
    }

    /// Returns whether the node has a target: bypass, mix or a parameter.
    @_noLocks
    func has(_ target: Int32) -> Bool {
        target >= RTTargetBypass.rawTarget && target < wiring.parameterCount
    }

    /// Stores the current or target value of a target; a trigger has none.
    @_noLocks
    func store(_ target: Int32, _ value: Float) {
        guard has(target), target < 0 || !isTrigger[Int(target)] else { return }
        values[Int(target) + 2] = value
    }

    /// Returns the current or target value of a target that the node has.
    @_noLocks
    func value(_ target: Int32) -> Float { values[Int(target) + 2] }

    /// Returns the slot of the fade of a target that the node has; -1 if it does not fade.
    @_noLocks
    func fadeSlot(_ target: Int32) -> Int32 { fadeSlots[Int(target) + 2] }

    /// Records the slot of the fade of a target that the node has.
    @_noLocks
    func setFadeSlot(_ target: Int32, _ slot: Int32) { fadeSlots[Int(target) + 2] = slot }

    var units: UnsafeMutablePointer<Unit> { @_noLocks get { wiring.units } }
    var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        @_noLocks get { wiring.outputs }
    }

    @_noLocks
    @inline(__always)
    mutating func run(_ cycle: UnsafePointer<RTCycle>) {
        if isSteady, firstEvent < 0 { runSteady(cycle) } else { runChanging(cycle) }
    }

    /// Runs a cycle in which nothing changes, like nearly all cycles; it touches few cache lines.
    @_noLocks
    @inline(__always)
    private mutating func runSteady(_ cycle: UnsafePointer<RTCycle>) {
        let frames = Int(cycle.pointee.frameCount)
        let runner = Int(cycle.pointee.runner)
        wiring.activeNode[runner].enter(wiring.number)
        runUnitsWithoutMIDI(cycle)
        if !areFinite(frames) { fail(frames) }
        if wiring.stepMeter.pointee.isOn { measureOutputs(frames) }
        guard let plugin else {
            if let lastOutput { keepOutput(lastOutput, frames) }
            return measure(until: rt_ticks(), runner)
        }
        checkGuards(plugin.pointee.guardOffset)
        let now = judgeSteady(&plugin.pointee, frames, runner)
        if let lastOutput { keepOutput(lastOutput, frames) }
        measure(until: now, runner)
    }

    @_noLocks
    @inline(never)
    private mutating func runChanging(_ cycle: UnsafePointer<RTCycle>) {
        let frames = Int(cycle.pointee.frameCount)
        if removal.hasEnded { return silence(frames) }
        let runner = Int(cycle.pointee.runner)
        wiring.activeNode[runner].enter(wiring.number)
        // A node that has lost its variant by an edit runs again.
        if isHalted, wiring.lastOutput == nil, blend.isRestingPaused { resume() }
        if blend.isRestingPaused {
            // Only the dry signal is audible, so nothing needs to run.
        } else if isHalted {
            lastOutput?.pointee.fill(outputs, frames)
        } else {
            if let plugin {
                runPlugin(&plugin.pointee, frames, cycle)
            } else {
                runAll(frames, cycle)
            }
            if let lastOutput { keepOutput(lastOutput, frames) }
        }
        if !blend.passesWet || firstEvent >= 0 { blendEvents(frames, cycle.pointee.events) }
        // A plugin that is informed of its bypass may output anything, so its output must be
        // inaudible first.
        if context.receivesBypass, blend.isRestingDry { sendBypass(true) }
        if !removal.isIdle { removal.run(outputs, outputCount, frames) }
        if wiring.stepMeter.pointee.isOn { measureOutputs(frames) }
        isSteady =
            !context.usesMIDIOrTransport && !context.followsTransport && context.status == nil
            && blend.passesWet
            && recovery.isResting && removal.isIdle && plugin?.pointee.isSteady ?? true
        measure(until: rt_ticks(), runner)
    }

    /// Stores the output, because the node may be halted in the next cycle.
    @_noLocks
    @inline(__always)
    private func keepOutput(_ lastOutput: UnsafeMutablePointer<OutputSubstitute>, _ frames: Int) {
        if !lastOutput.pointee.isOn { lastOutput.pointee.hold(outputs, frames) }
    }

    /// Records the time of the cycle.
    @_noLocks
    @inline(__always)
    private mutating func measure(until now: UInt64, _ runner: Int) {
        measurement.add(now &- wiring.runners[runner].endTicks)
        wiring.runners[runner].endTicks = now
    }

    /// Adds the levels of the outputs in this cycle, and copies the outputs of a tapped node.
    @_noLocks
    @inline(never)
    private func measureOutputs(_ frames: Int) {
        let meter = wiring.stepMeter.pointee
        if meter.measuresLevels {
            for channel in 0..<outputCount { levels[channel].add(outputs[channel], frames) }
        }
        for slot in 0..<TapBuffers.count where meter.taps[slot] == wiring.number {
            meter.tap(slot, outputs, outputCount, frames)
        }
    }

    /// Handles a cycle that contains NaN or infinity.
    @_noLocks
    @inline(never)
    private mutating func fail(_ frames: Int) {
        isSteady = false
        silenceAll(frames)
        recover(frames)
    }

    /// Writes the output of a node that has ended: silence.
    @_noLocks
    private func silence(_ frames: Int) {
        for channel in 0..<outputCount { rt_clear(outputs[channel], Int64(frames)) }
    }

    @_noLocks
    private mutating func blendEvents(_ frames: Int, _ events: UnsafePointer<RTEvent>) {
        var done = 0
        var index = firstEvent
        blend.readDry(wiring.dry, frames)
        while index >= 0 {
            let event = events[Int(index)]
            if event.target < 0 {
                blend.apply(outputs, from: done, to: Int(event.frame))
                done = max(done, Int(event.frame))
                blend.set(event.target, event.value)
            }
            index = event.next
        }
        blend.apply(outputs, from: done, to: frames)
    }
}

// SAFETY: `ScheduleLayout` pairs this function only with a state of this type.
@_noLocks
func runNodeStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: NodeStep.self).pointee.run(cycle)
}
