internal import CRealtime
internal import Processing

/// The supervision of a plugin's node at run time.
struct PluginSupervision: BitwiseCopyable {
    var watchdog: Watchdog
    /// The replacement for the plugin's output, which the node uses too when it is halted.
    let substitute: UnsafeMutablePointer<OutputSubstitute>
    /// Whether the plugin runs in a separate process and may be absent temporarily; other plugins
    /// become absent once, for good.
    let mayBeAway: Bool
    /// The offset at which the silence behind each output buffer begins, in frames.
    let guardOffset: Int

    /// Whether the plugin runs, and its own output is used.
    var isSteady: Bool {
        @_noLocks get { !watchdog.hasStopped && !mayBeAway && !substitute.pointee.isOn }
    }
}

extension NodeStep {
    /// Runs the plugin if it may run, and replaces its output if it is absent.
    @_noLocks
    mutating func runPlugin(
        _ supervision: inout PluginSupervision, _ frames: Int, _ cycle: UnsafePointer<RTCycle>
    ) {
        if supervision.watchdog.hasStopped, switchesBypassOff(cycle.pointee.events) {
            supervision.watchdog.forgive()
        }
        guard !supervision.watchdog.hasStopped else {
            applyEventsOnly(cycle.pointee.events)
            return substituteOutput(&supervision, frames, hasStopped: true)
        }
        runAll(frames, cycle)
        checkGuards(supervision.guardOffset)
        if wiring.deadlines.pointee.isOn, !supervision.mayBeAway {
            judge(&supervision, frames, rt_ticks(), Int(cycle.pointee.runner))
        }
        if !supervision.isSteady || isAway {
            substituteOutput(&supervision, frames, hasStopped: false)
        }
    }

    /// Checks the run time of a plugin in a steady cycle.
    ///
    /// - Returns: The current time, because reading the clock costs as much as everything else that
    ///   is done in addition to the run.
    @_noLocks
    @inline(__always)
    mutating func judgeSteady(
        _ supervision: inout PluginSupervision, _ frames: Int, _ runner: Int
    ) -> UInt64 {
        let now = rt_ticks()
        if isAway {
            isSteady = false
            substituteOutput(&supervision, frames, hasStopped: false)
            return now
        }
        guard wiring.deadlines.pointee.isOn else { return now }
        judge(&supervision, frames, now, runner)
        if supervision.watchdog.hasStopped {
            isSteady = false
            substituteOutput(&supervision, frames, hasStopped: false)
        }
        return now
    }

    /// Replaces the output of a plugin that is absent, and stores the output of one that is
    /// present.
    @_noLocks
    @inline(never)
    private mutating func substituteOutput(
        _ supervision: inout PluginSupervision, _ frames: Int, hasStopped: Bool
    ) {
        let substitute = supervision.substitute
        let wasOn = substitute.pointee.isOn
        updateSubstitute(&substitute.pointee, isAway: hasStopped || isAway, frames)
        if supervision.mayBeAway, !wasOn, substitute.pointee.isOn { measurement.wentAway = true }
        // A node that can be halted stores its output itself.
        if lastOutput == nil, !substitute.pointee.isOn { substitute.pointee.hold(outputs, frames) }
    }

    /// Crossfades to the dry signal if the plugin is absent, and back if the plugin is present and
    /// the crossfade to the dry signal has ended.
    @_noLocks
    private mutating func updateSubstitute(
        _ substitute: inout OutputSubstitute, isAway: Bool, _ frames: Int
    ) {
        if isAway, !substitute.isOn {
            substitute.begin()
            blend.setAway(true)
        }
        guard substitute.isOn else { return }
        guard !isAway, blend.isAllDry else { return substitute.fill(outputs, frames) }
        substitute.end()
        blend.setAway(false)
    }

    /// Whether one of the processors delivered no output.
    private var isAway: Bool {
        @_noLocks get {
            for index in 0..<unitCount {
                if let missedOutput = wiring.units[index].missedOutput, missedOutput.pointee != 0 {
                    return true
                }
            }
            return false
        }
    }

    /// Stops a plugin that has taken too long; a plugin in a separate process does not delay the
    /// engine and is not checked.
    @_noLocks
    private mutating func judge(
        _ supervision: inout PluginSupervision, _ frames: Int, _ now: UInt64, _ runner: Int
    ) {
        let periods = supervision.watchdog.judge(
            now &- wiring.runners[runner].endTicks, frames: frames,
            machineOverruns: wiring.deadlines.pointee.machineOverruns)
        if supervision.watchdog.isOverrun { wiring.runners[runner].hasPluginOverrun = true }
        if periods > 0 { measurement.stopPeriods = Float(periods) }
    }

    /// Returns whether an event of this cycle switches bypass off.
    @_noLocks
    private func switchesBypassOff(_ events: UnsafePointer<RTEvent>) -> Bool {
        var index = firstEvent
        while index >= 0 {
            let event = events[Int(index)]
            if event.target == RTTargetBypass.rawTarget, event.value < 0.5 { return true }
            index = event.next
        }
        return false
    }

    /// Sets the parameters of this cycle's events, without a run.
    @_noLocks
    private func applyEventsOnly(_ events: UnsafePointer<RTEvent>) {
        var index = firstEvent
        while index >= 0 {
            let event = events[Int(index)]
            if event.target >= 0 { set(event.target, event.value) }
            index = event.next
        }
    }

    /// Detects and clears data that was written behind a buffer, because plugins that read there
    /// expect silence.
    @_noLocks
    @inline(__always)
    mutating func checkGuards(_ offset: Int) {
        for channel in 0..<outputCount where !rt_are_silent_16(outputs[channel] + offset) {
            rt_clear(outputs[channel] + offset, 16)
            measurement.wroteBeyond = true
        }
    }
}
