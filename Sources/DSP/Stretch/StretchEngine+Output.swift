internal import CRealtime
internal import Realtime

// The conversion of frames to output.
extension StretchEngine {
    /// Returns the output of a channel from a frame on.
    ///
    /// The frame must not be older than `pastFrames` before the last hop but one.
    @_noLocks
    public func output(_ channel: Int, from frame: Int) -> UnsafePointer<Float> {
        // Channels whose frame is already in the output are one hop ahead.
        let endFrame = madeFrames + (channel < addedChannels ? lengths.hopFrames : 0)
        return UnsafePointer(ready.start + (channel + 1) * readyStride) + (frame - endFrame)
    }

    /// Adds a channel's frame to the output and publishes the finished part.
    @_noLocks
    mutating func lay(_ channel: Int) {
        if channel == 0 { layShared() }
        let (count, hopFrames) = (lengths.transformFrames, lengths.hopFrames)
        let overlap = memory.overlap(channel)
        layFrame(memory.frame(channel), on: overlap)
        let sound = ready.start + channel * readyStride
        rt_move(sound, sound + hopFrames, Int64(readyStride - hopFrames))
        let out = sound + (readyStride - hopFrames)
        rt_multiply(out, overlap, memory.weightScales.start, Int64(hopFrames))
        slots.add(to: out, channel: channel, start: madeFrames, count: hopFrames)
        rt_move(overlap, overlap + hopFrames, Int64(count - hopFrames))
        rt_clear(overlap + (count - hopFrames), Int64(hopFrames))
        addedChannels = channel + 1
    }

    /// Performs the work that all channels share when a frame is added to the output.
    @_noLocks
    private func layShared() {
        let (count, hopFrames) = (lengths.transformFrames, lengths.hopFrames)
        layWeights()
        let weights = memory.weights.start
        rt_move(weights, weights + hopFrames, Int64(count - hopFrames))
        rt_clear(weights + (count - hopFrames), Int64(hopFrames))
        slots.lay(
            inputFrame: inputFrame, outputFrame: madeFrames + centreLeadFrames,
            advanceFrames: hop.advanceFrames)
    }

    /// Advances to the next hop.
    @_noLocks
    mutating func finishHop() {
        stage = 0
        addedChannels = 0
        madeFrames += lengths.hopFrames
        inputFrame += hop.advanceFrames
        slots.forget(
            inputBefore: Int(inputFrame) - lengths.transformFrames / 2 - 2 * lengths.hopFrames,
            outputBefore: madeFrames)
    }

    /// Adds a windowed frame to the overlapping output.
    @_noLocks
    private func layFrame(_ frame: UnsafePointer<Float>, on overlap: UnsafeMutablePointer<Float>) {
        let offset = windows.offset(window)
        rt_add_product(
            overlap + offset, frame + offset, windows.table(window), Int64(windows.frames(window)))
    }

    /// Adds the squared window to the weights and writes the factors of the next hop of output.
    @_noLocks
    private func layWeights() {
        let (offset, table) = (windows.offset(window), windows.table(window))
        rt_add_product(
            memory.weights.start + offset, table, table, Int64(windows.frames(window)))
        // After a start, too few frames overlap, and the output fades in.
        let scale = 1 / Float(lengths.transformFrames)
        let (weights, scales) = (memory.weights.start, memory.weightScales.start)
        for frame in 0..<lengths.hopFrames {
            scales[frame] = scale / max(weights[frame], 0.25)
        }
    }
}
