internal import CRealtime
internal import Realtime

// The processing of one frame, in the order of its stages.
extension StretchEngine {
    /// Plans a hop at rate 1: the input unchanged, once the angles have returned to 0.
    @_noLocks
    mutating func planSteady(mayAlign: Bool) {
        steadyHops = 0
        inputFrame = rt_floor(inputFrame + 0.5)
        hop.centreFrame = Int(inputFrame)
        guard hasPrevious, settlingHops > 0 else {
            hop.kind = .pass
            return
        }
        let isFirst = settlingHops == StretchEngine.settleHops
        settlingHops -= 1
        hop.kind = settlingHops == 0 ? .pass : isFirst && mayAlign ? .land : .settle
    }

    /// Plans a hop at any other rate.
    @_noLocks
    mutating func planMoving() {
        settlingHops = StretchEngine.settleHops
        chooseWindow()
        hop.kind = hasPrevious ? .turn : .pass
        hop.centreFrame = Int(rt_floor(inputFrame + 0.5))
        guard hop.advanceFrames > 0 else { return }
        hop.anchorSlot = slots.nearest(to: inputFrame, reachFrames: hop.advanceFrames / 2)
        guard hop.anchorSlot >= 0 else { return }
        // Centres the frame so that the surroundings of the attack keep their timing.
        let attackFrame = slots.attacks[hop.anchorSlot].inputFrame
        let late =
            (Double(attackFrame) - inputFrame) * Double(lengths.hopFrames) / hop.advanceFrames
        hop.centreFrame = attackFrame - Int(rt_floor(late + 0.5))
    }

    /// Chooses a short window if the sound changes fast, so that nothing smears, and a long one if
    /// it is steady, so that close partials are separated.
    @_noLocks
    mutating func chooseWindow() {
        window = change < (window == 0 ? lengths.longLimit : lengths.shortLimit) ? 0 : 1
        steadyHops = window == 0 && hasPrevious ? steadyHops + 1 : 0
    }

    @_noLocks
    func analyseNow(_ channel: Int) {
        let now = memory.now(channel)
        transform.forward(memory.frame(channel), real: now.real, imaginary: now.imaginary)
    }

    @_noLocks
    func measure(_ channel: Int) {
        if channel == 0 { rt_clear(memory.power, Int64(memory.stride)) }
        let now = memory.now(channel)
        SplitSpectrum(now).addPower(to: memory.power, count: memory.stride)
    }

    /// Analyses the input again, one output hop earlier.
    @_noLocks
    func analyseBefore(_ channel: Int) {
        let before = memory.before(channel)
        transform.forward(
            memory.frame(channel), real: before.real, imaginary: before.imaginary)
    }

    @_noLocks
    func match(_ channel: Int) {
        if channel == 0 { memory.clearMatch() }
        let (before, count) = (memory.before(channel), Int64(memory.stride))
        let previous = memory.previous(channel)
        rt_add_match(memory.match.array, previous, before, count)
        SplitSpectrum(previous).addPower(
            to: memory.powerPrevious.start, count: memory.stride)
        SplitSpectrum(before).addPower(to: memory.powerBefore.start, count: memory.stride)
        closePartials.compare(
            memory.now(channel), before, isFirst: channel == 0, isNew: steadyHops <= 1)
    }

    @_noLocks
    mutating func findPeaks() {
        let sums = rt_power_sums(
            memory.power, memory.powerBefore.start, Int64(memory.stride))
        change = sums.total > 1e-12 ? 1 - 2 * sums.common / sums.total : 0
        peaks.find(memory.power, turned: closePartials.turned(isSteady: isSteady))
    }

    @_noLocks
    func writeTurns() {
        let anchor = hop.anchorSlot
        peaks.writeTurns(
            memory.match.array, power: memory.power, part: hop.kind == .turn ? .whole : .half,
            attackShare: anchor >= 0 ? UnsafePointer(slots.share(anchor)) : nil,
            shareScale: Float(lengths.attackTransformFrames) / Float(lengths.transformFrames))
    }

    /// Whether close partials are separated: the sound has been steady for some time, and no attack
    /// begins.
    var isSteady: Bool {
        @_noLocks get {
            hop.kind == .turn && hop.anchorSlot < 0 && steadyHops >= StretchEngine.steadyHopCount
        }
    }

    /// Whether the levels of the frame are kept.
    var hasLevels: Bool { @_noLocks get { hop.kind == .turn && hop.anchorSlot < 0 } }

    /// Compensates the loss of frames with little coherence; a frame with an attack keeps its
    /// level.
    @_noLocks
    mutating func level() {
        closePartials.forget()
        guard hasLevels else { return }
        levels.apply(memory, turns: peaks.turns.array, window: window)
        if isSteady { closePartials.find(peaks, power: memory.power) }
    }

    @_noLocks
    mutating func turn(_ channel: Int) {
        let (now, previous) = (memory.now(channel), memory.previous(channel))
        if hop.kind == .pass {
            rt_copy(previous.real, now.real, Int64(memory.stride))
            rt_copy(previous.imaginary, now.imaginary, Int64(memory.stride))
        } else {
            rt_turn(previous, now, peaks.turns.array, Int64(memory.stride))
            closePartials.part(previous, now: now, before: memory.before(channel))
        }
        limitBand(of: previous, share: bandShare, bins: transform.bins, hasSlope: true)
        hasPrevious = true
    }

    @_noLocks
    func synthesise(_ channel: Int) {
        let previous = memory.previous(channel)
        transform.inverse(
            real: previous.real, imaginary: previous.imaginary, output: memory.frame(channel))
    }

    /// Reads a channel's frame around an input frame, without attacks, under the window.
    @_noLocks
    mutating func read(_ ring: borrowing CaptureRing, centre: Int, channel: Int) {
        let (offset, count) = (windows.offset(window), windows.frames(window))
        let start = centre - count / 2
        let frame = memory.frame(channel)
        rt_clear(frame, Int64(offset))
        rt_clear(frame + (offset + count), Int64(offset))
        ring.read(channel, from: start, count: count, into: frame + offset)
        slots.subtract(from: frame + offset, channel: channel, start: start, count: count)
        rt_multiply(frame + offset, frame + offset, windows.table(window), Int64(count))
        unreadFrame = max(unreadFrame, start + count)
    }
}
