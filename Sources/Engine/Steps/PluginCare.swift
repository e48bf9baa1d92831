internal import CRealtime
internal import Processing

/// The supervision of a plugin's node at run time.
struct PluginCare: BitwiseCopyable {
    var watchdog: Watchdog
    var absence: OutputSubstitute
    /// Whether the plugin runs in a separate process and may be absent temporarily; other plugins
    /// become absent once, for good.
    let mayBeAway: Bool
    /// The offset at which the silence behind each output buffer begins, in frames.
    let guardOffset: Int

    /// Whether the plugin runs, and its own output is used.
    var isSteady: Bool {
        @_noLocks get { !watchdog.hasStopped && !mayBeAway && !absence.isOn }
    }
}

extension NodeStep {
    /// Runs the plugin if it may run, and replaces its output if it is absent.
    @_noLocks
    mutating func runPlugin(
        _ care: inout PluginCare, _ frames: Int, _ cycle: UnsafePointer<RTCycle>
    ) {
        if care.watchdog.hasStopped, switchesBypassOff(cycle.pointee.events) {
            care.watchdog.forgive()
        }
        guard !care.watchdog.hasStopped else {
            setOnly(cycle.pointee.events)
            return substituteOutput(&care, frames, hasStopped: true)
        }
        runAll(frames, cycle)
        checkGuards(care.guardOffset)
        if wiring.duty.pointee.isOn, !care.mayBeAway { judge(&care, frames, rt_ticks()) }
        if !care.isSteady || isAway { substituteOutput(&care, frames, hasStopped: false) }
    }

    /// Checks the run time of a plugin in a steady cycle.
    ///
    /// - Returns: The current time, because reading the clock costs as much as everything else that
    ///   is done in addition to the run.
    @_noLocks
    @inline(__always)
    mutating func judgeSteady(_ care: inout PluginCare, _ frames: Int) -> UInt64 {
        let now = rt_ticks()
        if isAway {
            isSteady = false
            substituteOutput(&care, frames, hasStopped: false)
            return now
        }
        guard wiring.duty.pointee.isOn else { return now }
        judge(&care, frames, now)
        if care.watchdog.hasStopped {
            isSteady = false
            substituteOutput(&care, frames, hasStopped: false)
        }
        return now
    }

    /// Replaces the output of a plugin that is absent, and stores the output of one that is
    /// present.
    @_noLocks
    @inline(never)
    private mutating func substituteOutput(
        _ care: inout PluginCare, _ frames: Int, hasStopped: Bool
    ) {
        let wasOn = care.absence.isOn
        attend(&care.absence, isAway: hasStopped || isAway, frames)
        if care.mayBeAway, !wasOn, care.absence.isOn { measurement.wentAway = true }
        if !care.absence.isOn { care.absence.hold(outputs, frames) }
    }

    /// Crossfades to the dry signal if the plugin is absent, and back if the plugin is present and
    /// the crossfade to the dry signal has ended.
    @_noLocks
    private mutating func attend(_ absence: inout OutputSubstitute, isAway: Bool, _ frames: Int) {
        if isAway, !absence.isOn {
            absence.begin()
            blend.setAway(true)
        }
        guard absence.isOn else { return }
        guard !isAway, blend.isAllDry else { return absence.fill(outputs, frames) }
        absence.end()
        blend.setAway(false)
    }

    /// Whether one of the processors delivered no output.
    private var isAway: Bool {
        @_noLocks get {
            for index in 0..<unitCount {
                if let absence = wiring.units[index].absence, absence.pointee != 0 { return true }
            }
            return false
        }
    }

    /// Stops a plugin that has taken too long; a plugin in a separate process does not delay the
    /// engine and is not checked.
    @_noLocks
    private mutating func judge(_ care: inout PluginCare, _ frames: Int, _ now: UInt64) {
        let periods = care.watchdog.judge(
            now &- wiring.lap.pointee, frames: frames,
            machineOverruns: wiring.duty.pointee.machineOverruns)
        if care.watchdog.isOverrun { wiring.duty.pointee.hasPluginOverrun = true }
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
    private func setOnly(_ events: UnsafePointer<RTEvent>) {
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
