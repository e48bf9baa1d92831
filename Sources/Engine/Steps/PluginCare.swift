internal import CRealtime
internal import Processing

/// What is watched of a plugin's node while it plays.
struct PluginCare: BitwiseCopyable {
    var watchdog: Watchdog
    var absence: Absence
    /// Whether its processors may be away by themselves, in a process of their own.
    let mayBeAway: Bool
    /// Where the silence behind each output buffer begins, in frames.
    let guardOffset: Int
}

extension NodeStep {
    /// Runs the plugin where it may run, and stands in for it where it is away.
    @_noLocks
    mutating func runPlugin(
        _ care: inout PluginCare, _ frames: Int, _ cycle: UnsafePointer<RTCycle>
    ) {
        if care.watchdog.hasStopped, isToldToPass(cycle.pointee.events) { care.watchdog.forgive() }
        let hasStopped = care.watchdog.hasStopped
        if hasStopped {
            setOnly(cycle.pointee.events)
        } else {
            runAll(frames, cycle)
            checkGuards(care.guardOffset)
            if wiring.isOnDuty.pointee { judge(&care, frames) }
        }
        guard hasStopped || care.mayBeAway || care.absence.isOn || care.watchdog.hasStopped else {
            return
        }
        let wasOn = care.absence.isOn
        attend(&care.absence, isAway: hasStopped || isAway, frames)
        if care.mayBeAway, !wasOn, care.absence.isOn { measurement.wentAway = true }
        if !care.absence.isOn { care.absence.hold(outputs, frames) }
    }

    /// Goes over to the dry signal where the plugin is away, and back once it is here and the way there is over.
    @_noLocks
    private mutating func attend(_ absence: inout Absence, isAway: Bool, _ frames: Int) {
        if isAway, !absence.isOn {
            absence.begin()
            blend.setAway(true)
        }
        guard absence.isOn else { return }
        guard !isAway, blend.isAllDry else { return absence.fill(outputs, frames) }
        absence.end()
        blend.setAway(false)
    }

    /// Whether one of the processors gave no sound.
    private var isAway: Bool {
        @_noLocks get {
            for place in 0..<unitCount {
                if let absence = wiring.units[place].absence, absence.pointee != 0 { return true }
            }
            return false
        }
    }

    /// Stops a plugin that took too long; in a process of its own it holds up nobody.
    @_noLocks
    private mutating func judge(_ care: inout PluginCare, _ frames: Int) {
        guard !care.mayBeAway else { return }
        let periods = care.watchdog.judge(rt_ticks() &- wiring.lap.pointee, frames: frames)
        if periods > 0 { measurement.stopPeriods = Float(periods) }
    }

    /// Whether bypass is taken off in this cycle.
    @_noLocks
    private func isToldToPass(_ events: UnsafePointer<RTEvent>) -> Bool {
        var place = firstEvent
        while place >= 0 {
            let event = events[Int(place)]
            if event.target == RTTargetBypass.rawTarget, event.value < 0.5 { return true }
            place = event.next
        }
        return false
    }

    /// Moves parameters without a run.
    @_noLocks
    private func setOnly(_ events: UnsafePointer<RTEvent>) {
        var place = firstEvent
        while place >= 0 {
            let event = events[Int(place)]
            if event.target >= 0 { set(event.target, event.value) }
            place = event.next
        }
    }

    /// Notes that something was written behind a buffer, and clears it for those who read there.
    @_noLocks
    private mutating func checkGuards(_ offset: Int) {
        for channel in 0..<outputCount where !rt_are_silent_16(outputs[channel] + offset) {
            rt_clear(outputs[channel] + offset, 16)
            measurement.wroteBeyond = true
        }
    }
}
