internal import CRealtime
internal import Processing
internal import Realtime

// Runs the processors of a node, and handles output that is not finite.

extension NodeStep {
    /// Runs the processors, and ensures that the output is finite.
    @_noLocks
    mutating func runAll(_ frames: Int, _ cycle: UnsafePointer<RTCycle>) {
        if firstEvent < 0 { runUnits(cycle) } else { runUnits(cycle, cycle.pointee.events) }
        if let latency = context.popNewLatency() { blend.setLatency(Int(latency)) }
        if !areFinite(frames) { silenceAll(frames) }
        if !recovery.isResting { recover(frames) }
    }

    @_noLocks
    private mutating func runUnits(_ cycle: UnsafePointer<RTCycle>) {
        guard context.usesMIDIOrTransport || context.followsTransport else {
            return runUnitsWithoutMIDI(cycle)
        }
        for index in 0..<unitCount {
            var block = units[index].block
            block.frameCount = cycle.pointee.frameCount
            runWithMIDI(&block, unit: index, cycle)
        }
    }

    /// Runs processors that use neither MIDI nor transport.
    @_noLocks
    @inline(__always)
    func runUnitsWithoutMIDI(_ cycle: UnsafePointer<RTCycle>) {
        let units = units
        for index in 0..<unitCount {
            units[index].block.frameCount = cycle.pointee.frameCount
            units[index].kernel.run(&units[index].block)
        }
    }

    @_noLocks
    private mutating func runWithMIDI(
        _ block: inout RTBlock, unit index: Int, _ cycle: UnsafePointer<RTCycle>
    ) {
        var context = context.ofRun(in: cycle, isFirst: index == 0)
        if removal.isOn { context.messages = noteReleases(isLast: index + 1 == unitCount) }
        withUnsafePointer(to: &context) { context in
            block.context = context
            units[index].kernel.run(&block)
        }
    }

    /// Returns the MIDI for a node that is being removed: a release of all notes once, then
    /// nothing.
    @_noLocks
    private mutating func noteReleases(isLast: Bool) -> RTMessages {
        guard !removal.hasReleasedNotes else { return RTMessages() }
        if isLast { removal.hasReleasedNotes = true }
        return wiring.releases.pointee
    }

    /// Runs the processors from one event's frame to the next if they allow it, otherwise in one
    /// piece.
    @_noLocks
    private mutating func runUnits(
        _ cycle: UnsafePointer<RTCycle>, _ events: UnsafePointer<RTEvent>
    ) {
        let frames = Int(cycle.pointee.frameCount)
        var done = 0
        var index = firstEvent
        while index >= 0 {
            let event = events[Int(index)]
            if isSplittable, Int(event.frame) > done {
                runPart(from: done, to: Int(event.frame), cycle)
                done = Int(event.frame)
            }
            if event.target >= 0 || event.target == PlaybackTarget.stopSeconds {
                set(event.target, event.value)
            }
            if event.target == RTTargetBypass.rawTarget, event.value < 0.5 { sendBypass(false) }
            index = event.next
        }
        if done == 0 {
            runUnits(cycle)
        } else if done < frames {
            runPart(from: done, to: frames, cycle)
        }
    }

    @_noLocks
    func set(_ parameter: Int32, _ value: Float) {
        for index in 0..<unitCount { units[index].kernel.set(parameter, to: value) }
    }

    /// Informs the processors whether they are bypassed, if that has changed.
    @_noLocks
    mutating func sendBypass(_ isBypassed: Bool) {
        guard context.receivesBypass, context.hasSentBypass != isBypassed else { return }
        context.hasSentBypass = isBypassed
        set(RTTargetBypass.rawTarget, isBypassed ? 1 : 0)
    }

    @_noLocks
    private func runPart(from start: Int, to end: Int, _ cycle: UnsafePointer<RTCycle>) {
        var context = RTContext(
            messages: RTMessages(first: nil, count: 0, startFrame: Int32(start)),
            sink: RTMessageSink(), transport: cycle.pointee.transport)
        let followsTransport = self.context.followsTransport
        for index in 0..<unitCount {
            let unit = units[index]
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
            withUnsafePointer(to: &context) { context in
                if followsTransport { block.context = context }
                unit.kernel.run(&block)
            }
        }
    }

    /// Returns whether the output contains no NaN and no infinity.
    @_noLocks
    @inline(__always)
    func areFinite(_ frames: Int) -> Bool {
        for channel in 0..<outputCount where !rt_is_finite(outputs[channel], Int64(frames)) {
            return false
        }
        return true
    }

    /// Replaces a cycle that contains NaN or infinity by silence, and starts a ramp back to full
    /// level.
    @_noLocks
    mutating func silenceAll(_ frames: Int) {
        for channel in 0..<outputCount { rt_clear(outputs[channel], Int64(frames)) }
        recovery.move(from: 0, to: 1, frames: recoveryFrames)
        measurement.nonFiniteCycles &+= 1
    }

    @_noLocks
    mutating func recover(_ frames: Int) {
        for frame in 0..<frames {
            let gain = recovery.next()
            for channel in 0..<outputCount { outputs[channel][frame] *= gain }
        }
    }
}
