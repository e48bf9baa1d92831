internal import CRealtime
internal import Processing
internal import Realtime

// Stops a node between two cycles, because the machine is too slow.

extension NodeStep {
    /// Stops the node from this cycle on: its last output, played backwards, fades into the dry signal.
    ///
    /// The state of the node is old from then on, so it does not run again, unless its variant cannot
    /// be prepared.
    ///
    /// - Returns: Whether the node is halted now and was not before.
    @_noLocks
    mutating func halt() -> Bool {
        guard !isHalted, !wiring.isPaused, let lastOutput = wiring.lastOutput else { return false }
        setHalted(true)
        if !lastOutput.pointee.isOn { lastOutput.pointee.begin() }
        blend.setPaused(true)
        return true
    }

    /// Lets a halted node run again, with its present values.
    @_noLocks
    mutating func resume() {
        guard isHalted else { return }
        setHalted(false)
        // It is also the replacement of a plugin's output. If that is still absent, the next cycle
        // begins another one.
        lastOutput?.pointee.end()
        blend.setAway(false)
        for target in 0..<wiring.parameterCount where hasValue(parameter: target) {
            set(target, value(target))
        }
        if value(RTTargetBypass.rawTarget) < 0.5 { sendBypass(false) }
        blend.setPaused(wiring.isPaused)
    }
}
