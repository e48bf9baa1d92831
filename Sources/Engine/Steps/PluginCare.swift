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

    /// Whether it runs, and nothing stands in for it.
    var isSteady: Bool {
        @_noLocks get { !watchdog.hasStopped && !mayBeAway && !absence.isOn }
    }
}

extension NodeStep {
    /// Runs the plugin where it may run, and stands in for it where it is away.
    @_noLocks
    mutating func runPlugin(
        _ care: inout PluginCare, _ frames: Int, _ cycle: UnsafePointer<RTCycle>
    ) {
        if care.watchdog.hasStopped, isToldToPass(cycle.pointee.events) { care.watchdog.forgive() }
        guard !care.watchdog.hasStopped else {
            setOnly(cycle.pointee.events)
            return standIn(&care, frames, hasStopped: true)
        }
        runAll(frames, cycle)
        checkGuards(care.guardOffset)
        if wiring.isOnDuty.pointee, !care.mayBeAway { judge(&care, frames, rt_ticks()) }
        if !care.isSteady { standIn(&care, frames, hasStopped: false) }
    }

    /// Judges a plugin that runs and is here.
    ///
    /// - Returns: The time: reading the clock costs as much as all else that is done beside the run.
    @_noLocks
    @inline(__always)
    mutating func judgeSteady(_ care: inout PluginCare, _ frames: Int) -> UInt64 {
        let now = rt_ticks()
        guard wiring.isOnDuty.pointee else { return now }
        judge(&care, frames, now)
        if care.watchdog.hasStopped {
            isSteady = false
            standIn(&care, frames, hasStopped: false)
        }
        return now
    }

    /// Stands in for a plugin that is away, and takes in its sound while it is there.
    @_noLocks
    @inline(never)
    private mutating func standIn(_ care: inout PluginCare, _ frames: Int, hasStopped: Bool) {
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

    /// Stops a plugin that took too long until now; one in a process of its own holds up nobody.
    @_noLocks
    private mutating func judge(_ care: inout PluginCare, _ frames: Int, _ now: UInt64) {
        let periods = care.watchdog.judge(now &- wiring.lap.pointee, frames: frames)
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
    @inline(__always)
    mutating func checkGuards(_ offset: Int) {
        for channel in 0..<outputCount where !rt_are_silent_16(outputs[channel] + offset) {
            rt_clear(outputs[channel] + offset, 16)
            measurement.wroteBeyond = true
        }
    }
}
