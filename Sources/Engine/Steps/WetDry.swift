internal import CRealtime
internal import Realtime

/// Mixes a node's output with its dry signal, which is delayed by the node's latency, according to
/// its `mix` and `bypass`.
///
/// Fully wet and fully dry are bit-exact; in between the gains are `mix` and 1 - `mix`, and every
/// change is a crossfade.
///
/// In a node that is always bypassed according to its file, the dry signal is not delayed while the
/// node is bypassed. If the bypass is switched off live, the dry signal gets the latency of the node
/// after the crossfade, so that it remains aligned with the output of the effect.
struct WetDry: BitwiseCopyable {
    /// The maximum latency, in frames, up to which the dry signal remains aligned with a node that
    /// reports its latency at run time.
    static var maximumLatencyFrames: Int { 1 << 14 }

    /// The dry signal of one output channel.
    struct Channel: BitwiseCopyable {
        /// Room for one cycle of the dry signal.
        let samples: UnsafeMutablePointer<Float>
        var delay: FrameDelay
    }

    /// The sources of one output channel's dry signal in a schedule.
    struct Sources: BitwiseCopyable {
        /// The signals to sum, their gains, and their number.
        let signals: UnsafeMutablePointer<UnsafePointer<Float>>
        let gains: UnsafeMutablePointer<Float>
        let count: Int
    }

    private let channels: UnsafeMutablePointer<Channel>
    private let channelCount: Int
    /// Whether the dry signal is stored from cycle to cycle, because the node has latency.
    private var isDelayed: Bool
    /// The delay of the dry signal from the next cycle on; negative if it does not change.
    private var newDelayFrames = -1
    /// The delay of the dry signal, including that change.
    private var delayFrames: Int
    /// The delay before the last change because of bypass.
    private var formerDelayFrames = 0
    /// The share of the dry signal with the new delay.
    private var delayFade = SmoothRamp(1)
    /// The latency of the node.
    private var latencyFrames: Int
    /// Whether the dry signal is not delayed while the node is bypassed.
    private var skipsLatency: Bool
    private let crossfadeFrames: Int32
    private let gains: UnsafeMutablePointer<Float>
    private var wet: SmoothRamp
    private var mix: Float
    private var isBypassed: Bool
    /// Whether the node's own output is missing.
    private var isAway = false
    /// Whether the node is reduced to its dry signal, because the machine is too slow.
    private var isPaused = false

    init(
        channels: UnsafeMutablePointer<Channel>, channelCount: Int, latencyFrames: Int,
        crossfadeFrames: Int32, gains: UnsafeMutablePointer<Float>, mix: Float, isBypassed: Bool,
        skipsLatency: Bool
    ) {
        self.channels = channels
        self.channelCount = channelCount
        self.latencyFrames = latencyFrames
        self.skipsLatency = skipsLatency
        delayFrames = isBypassed && skipsLatency ? 0 : latencyFrames
        isDelayed = latencyFrames > 0
        self.crossfadeFrames = crossfadeFrames
        self.gains = gains
        self.mix = mix
        self.isBypassed = isBypassed
        wet = SmoothRamp(isBypassed ? 0 : mix)
    }

    /// Whether only the node's own output is audible, so that there is nothing to mix.
    var passesWet: Bool { @_noLocks get { !isDelayed && wet.isResting && wet.value == 1 } }

    /// Whether only the dry signal is audible, because of bypass.
    var isRestingDry: Bool { @_noLocks get { isBypassed && wet.isResting && wet.value == 0 } }

    /// Changes the latency of the node, and the delay of the dry signal from the next cycle on, with
    /// a crossfade of one cycle.
    @_noLocks
    mutating func setLatency(_ frames: Int) {
        latencyFrames = frames
        isDelayed = isDelayed || frames > 0
        guard wantedDelayFrames != delayFrames else { return }
        delayFrames = wantedDelayFrames
        newDelayFrames = delayFrames
    }

    /// Changes whether the dry signal is not delayed while the node is bypassed.
    @_noLocks
    mutating func setSkipsLatency(_ newSkipsLatency: Bool) { skipsLatency = newSkipsLatency }

    /// The delay that the dry signal should have.
    private var wantedDelayFrames: Int {
        @_noLocks get { isBypassed && skipsLatency ? 0 : latencyFrames }
    }

    /// Starts a crossfade to the delay that the dry signal should have.
    @_noLocks
    private mutating func updateDelay() {
        guard wantedDelayFrames != delayFrames, newDelayFrames < 0, delayFade.isResting else {
            return
        }
        formerDelayFrames = delayFrames
        delayFrames = wantedDelayFrames
        for index in 0..<channelCount { channels[index].delay.setDelay(delayFrames) }
        delayFade.move(from: 0, to: 1, frames: crossfadeFrames)
    }

    /// Changes the mix or the bypass.
    @_noLocks
    mutating func set(_ target: Int32, _ value: Float) {
        if target == RTTargetMix.rawTarget { mix = value }
        if target == RTTargetBypass.rawTarget { isBypassed = value >= 0.5 }
        updateWetGain()
    }

    /// Crossfades to the dry signal alone, whatever mix and bypass are, or back to their setting.
    @_noLocks
    mutating func setAway(_ newIsAway: Bool) {
        isAway = newIsAway
        updateWetGain()
    }

    /// Crossfades to the dry signal alone, whatever mix and bypass are; after that the node need not
    /// run.
    @_noLocks
    mutating func setPaused(_ newIsPaused: Bool) {
        isPaused = newIsPaused
        updateWetGain()
    }

    /// Whether only the dry signal is audible, because the node is paused.
    var isRestingPaused: Bool { @_noLocks get { isPaused && isAllDry } }

    /// Whether only the dry signal is audible and no crossfade is running.
    var isAllDry: Bool { @_noLocks get { wet.isResting && wet.value == 0 } }

    @_noLocks
    private mutating func updateWetGain() {
        let share = isBypassed || isAway || isPaused ? 0 : mix
        if share != wet.target { wet.glide(to: share, frames: crossfadeFrames) }
    }

    /// Sums the dry signal of this cycle.
    @_noLocks
    mutating func readDry(_ sources: UnsafePointer<Sources>, _ frames: Int) {
        // When bypass ends, the delay changes after the crossfade, when the dry signal is softer.
        if isBypassed || wet.isResting { updateDelay() }
        var fade = delayFade
        for index in 0..<channelCount {
            let into = channels[index].samples
            sum(sources[index], into, frames)
            guard isDelayed else { continue }
            channels[index].delay.write(into, frames)
            channels[index].delay.read(into, frames)
            if !delayFade.isResting { fade = fadeDelay(index, into, frames) }
            if newDelayFrames >= 0 { changeDelay(index, into, frames) }
        }
        newDelayFrames = -1
        delayFade = fade
    }

    /// Crossfades from the former delay to the block with the current delay, which is in `samples`;
    /// returns the fade after the block.
    @_noLocks
    private func fadeDelay(
        _ index: Int, _ samples: UnsafeMutablePointer<Float>, _ frames: Int
    ) -> SmoothRamp {
        var fade = delayFade
        channels[index].delay.read(gains, frames, delayFrames: formerDelayFrames)
        for frame in 0..<frames {
            samples[frame] = gains[frame] + (samples[frame] - gains[frame]) * fade.next()
        }
        return fade
    }

    /// Crossfades from the block with the old delay, which is in `samples`, to the new delay.
    @_noLocks
    private func changeDelay(_ index: Int, _ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        channels[index].delay.setDelay(newDelayFrames)
        channels[index].delay.read(gains, frames)
        for frame in 0..<frames {
            let share = Float(frame + 1) / Float(frames)
            samples[frame] += (gains[frame] - samples[frame]) * share
        }
    }

    @_noLocks
    private func sum(_ channel: Sources, _ into: UnsafeMutablePointer<Float>, _ frames: Int) {
        guard channel.count > 0 else { return rt_clear(into, Int64(frames)) }
        let first = channel.signals[0]
        let gain = channel.gains[0]
        if gain == 1 {
            rt_copy(into, first, Int64(frames))
        } else {
            for frame in 0..<frames { into[frame] = first[frame] * gain }
        }
        for index in 1..<max(1, channel.count) {
            let source = channel.signals[index]
            let gain = channel.gains[index]
            for frame in 0..<frames { into[frame] += source[frame] * gain }
        }
    }

    /// Mixes the dry signal into a part of the node's output.
    @_noLocks
    mutating func apply(
        _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, from start: Int, to end: Int
    ) {
        var index = start
        while index < end, !wet.isResting {
            gains[index] = wet.next()
            index += 1
        }
        for channel in 0..<channelCount {
            let dry = UnsafePointer(channels[channel].samples)
            crossfade(outputs[channel], dry, start, index)
            settle(outputs[channel], dry, index, end)
        }
    }

    /// Mixes with one gain per frame.
    @_noLocks
    private func crossfade(
        _ out: UnsafeMutablePointer<Float>, _ dry: UnsafePointer<Float>, _ start: Int, _ end: Int
    ) {
        for frame in start..<max(start, end) {
            out[frame] = out[frame] * gains[frame] + dry[frame] * (1 - gains[frame])
        }
    }

    /// Mixes with the constant gain of the ramp: a copy, nothing, or both signals with one gain
    /// each.
    @_noLocks
    private func settle(
        _ out: UnsafeMutablePointer<Float>, _ dry: UnsafePointer<Float>, _ start: Int, _ end: Int
    ) {
        guard end > start, wet.value != 1 else { return }
        if wet.value == 0 { return rt_copy(out + start, dry + start, Int64(end - start)) }
        let (wetGain, dryGain) = (wet.value, 1 - wet.value)
        for frame in start..<end { out[frame] = out[frame] * wetGain + dry[frame] * dryGain }
    }
}

extension RTTarget {
    /// The number that represents the target in an event.
    var rawTarget: Int32 { @_noLocks get { rawValue } }
}
