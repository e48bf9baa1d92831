internal import CRealtime

// How frames become output.
extension StretchEngine {
    /// The output of a channel, from a frame on that is not older than `pastFrames` before the last hop but one.
    @_noLocks
    public func output(_ channel: Int, from frame: Int) -> UnsafePointer<Float> {
        // Channels that have laid their frame down are a hop ahead.
        let endFrame = madeFrames + (channel < laidChannels ? lengths.hopFrames : 0)
        return UnsafePointer(ready + (channel + 1) * readyStride) + (frame - endFrame)
    }

    /// Lays a channel's frame down and hands out the part that is finished.
    @_noLocks
    mutating func lay(_ channel: Int) {
        if channel == 0 { layShared() }
        let (count, hopFrames) = (lengths.transformFrames, lengths.hopFrames)
        let overlap = memory.overlap(channel)
        layFrame(memory.frame(channel), on: overlap)
        let place = ready + channel * readyStride
        rt_move(place, place + hopFrames, Int64(readyStride - hopFrames))
        let out = place + (readyStride - hopFrames)
        rt_multiply(out, overlap, memory.weightScales, Int64(hopFrames))
        slots.add(to: out, channel: channel, start: madeFrames, count: hopFrames)
        rt_move(overlap, overlap + hopFrames, Int64(count - hopFrames))
        rt_clear(overlap + (count - hopFrames), Int64(hopFrames))
        laidChannels = channel + 1
    }

    /// Does what all channels share when a frame is laid down.
    @_noLocks
    private func layShared() {
        let (count, hopFrames) = (lengths.transformFrames, lengths.hopFrames)
        layWeights()
        rt_move(memory.weights, memory.weights + hopFrames, Int64(count - hopFrames))
        rt_clear(memory.weights + (count - hopFrames), Int64(hopFrames))
        slots.lay(
            inputFrame: inputFrame, outputFrame: madeFrames + centreLeadFrames,
            advanceFrames: hop.advanceFrames)
    }

    /// Moves on to the next hop.
    @_noLocks
    mutating func finishHop() {
        stage = 0
        laidChannels = 0
        madeFrames += lengths.hopFrames
        inputFrame += hop.advanceFrames
        slots.forget(
            inputBefore: Int(inputFrame) - lengths.transformFrames / 2 - 2 * lengths.hopFrames,
            outputBefore: madeFrames)
    }

    /// Adds a frame under its window to what it overlaps.
    @_noLocks
    private func layFrame(_ frame: UnsafePointer<Float>, on overlap: UnsafeMutablePointer<Float>) {
        let offset = windows.offset(window)
        rt_add_product(
            overlap + offset, frame + offset, windows.table(window), Int64(windows.frames(window)))
    }

    /// Adds the window's square to the weights, and writes what the next hop of output is to be multiplied by.
    @_noLocks
    private func layWeights() {
        let (offset, table) = (windows.offset(window), windows.table(window))
        rt_add_product(
            memory.weights + offset, table, table, Int64(windows.frames(window)))
        // Where too few frames overlap, after a start, it fades in.
        let scale = 1 / Float(lengths.transformFrames)
        for frame in 0..<lengths.hopFrames {
            memory.weightScales[frame] = scale / max(memory.weights[frame], 0.25)
        }
    }
}
