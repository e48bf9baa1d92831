internal import CRealtime
internal import Realtime

/// The sound of a looper: reads the loop with its seams, and writes the input at the position at
/// which it was heard.
///
/// Playback runs ahead. The input for a frame of playback arrives later, by the round trip, and is
/// written one fade after that, so that a recording can include the sound before it and a punch can
/// still fade: `lagFrames` after the frame was played.
///
/// ```
/// frame t                  t + round trip            t + round trip + fade
/// ──┬──────────────────────────┬─────────────────────────┬───────────────▶
///   the loop sounds;           the input that was        that input is written at
///   an entry notes where       played to it arrives,     the position in the entry
///   its input belongs          and is kept
/// ```
struct LoopTape: ~Copyable {
    let channelCount: Int
    let fade: LoopFade
    var store: LoopStore
    private let filter = HalfBandFilter()
    /// The writes of the frames that have been played, and those of punches that were cut off.
    private let writes: WriteLog
    private let releases: WriteLog
    private let inputs: FrameHistory
    private let heard: FrameHistory
    /// The rests of voices that fade out, by the frames in which they sound.
    private let leaving: FrameHistory
    /// The time from playback of a frame to the arrival of its input.
    private(set) var roundTripFrames: Int
    private let maximumRoundTripFrames: Int
    /// The last frame with a write.
    private(set) var lastWrite = -(1 << 40)

    /// - Parameters:
    ///   - sizes: The sizes of the memory.
    ///   - store: The memory of the loop.
    init(_ sizes: LoopSizes, _ store: consuming LoopStore) {
        channelCount = sizes.channelCount
        fade = LoopFade(sampleRate: sizes.sampleRate)
        self.store = store
        writes = WriteLog(frames: sizes.logFrames)
        releases = WriteLog(frames: sizes.logFrames)
        inputs = FrameHistory(channelCount: channelCount, frames: sizes.inputFrames)
        heard = FrameHistory(channelCount: channelCount, frames: sizes.logFrames)
        leaving = FrameHistory(channelCount: channelCount, frames: sizes.fadeFrames + 1)
        maximumRoundTripFrames = sizes.maximumRoundTripFrames
        roundTripFrames = 0
    }

    /// The time from playback of a frame to its write.
    var lagFrames: Int { @_noLocks get { roundTripFrames + fade.frameCount } }

    /// Returns whether all writes before a frame are done.
    @_noLocks
    func isIdle(at frame: Int) -> Bool { frame - lastWrite > lagFrames }

    /// Changes the round trip; only while no write is pending.
    @_noLocks
    mutating func setRoundTrip(_ frames: Int) {
        roundTripFrames = min(max(0, frames), maximumRoundTripFrames)
    }

    // MARK: Notes for a replay

    /// Writes the round trip, the last write and the layers.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(roundTripFrames)
        notes.pointee.put(lastWrite)
        store.note(to: notes)
    }

    /// Continues with a noted tape at a frame, which has another number than before if `isElsewhere`.
    ///
    /// Writes that are pending then are lost.
    @_noLocks
    mutating func follow(
        _ notes: UnsafeMutablePointer<StateNotes>, now: Int, isElsewhere: Bool
    ) {
        let former = roundTripFrames
        setRoundTrip(notes.pointee.pop(from: 0, through: maximumRoundTripFrames))
        lastWrite = notes.pointee.pop(from: -(1 << 40), through: now + (1 << 30))
        store.follow(notes, leastFrames: 2 * fade.frameCount)
        guard isElsewhere || roundTripFrames != former else { return }
        writes.clear()
        releases.clear()
        leaving.clear()
    }

    // MARK: Reading

    /// Returns the sample of a voice in a channel, without its fade.
    @_noLocks
    func sample(_ voice: LoopVoice, _ channel: Int) -> Float {
        let frame = voice.position >> 1
        switch abs(voice.step) {
        case 1 where voice.position & 1 == 1:
            var sum: Float = 0
            for index in 0..<HalfBandFilter.weightCount {
                sum +=
                    filter[index]
                    * (sample(voice, at: frame - index, channel)
                        + sample(voice, at: frame + 1 + index, channel))
            }
            return sum
        case 4:
            var sum: Float = 0
            for index in 0..<HalfBandFilter.weightCount {
                let distance = 2 * index + 1
                sum +=
                    filter[index]
                    * (sample(voice, at: frame - distance, channel)
                        + sample(voice, at: frame + distance, channel))
            }
            return 0.5 * (sample(voice, at: frame, channel) + sum)
        default: return sample(voice, at: frame, channel)
        }
    }

    /// Returns the loop at a frame, which may lie up to a cycle before or after this cycle.
    ///
    /// The last frames of a cycle fade into the sound that came before the loop's first frame, so
    /// the first frame follows without a step and at its full level.
    @_noLocks
    func sample(_ voice: LoopVoice, at frame: Int, _ channel: Int) -> Float {
        let length = voice.cycleFrames
        var frame = frame
        if frame < 0 { frame += length } else if frame >= length { frame -= length }
        let position = frame - (length - fade.frameCount)
        guard position >= 0 else { return store.sample(voice.layer, frame, channel) }
        let last = store.layer(voice.layer).pointee.lengthFrames - 1
        let tail = store.sample(voice.layer, min(frame, last), channel)
        let lead = store.sample(voice.layer, frame - length, channel)
        return tail + (lead - tail) * fade[position]
    }

    /// Returns the gain of a voice that fades in.
    @_noLocks
    func gain(_ voice: LoopVoice) -> Float {
        voice.age < fade.frameCount ? fade[voice.age] : 1
    }

    /// Returns the rest of the voices that fade out in a frame, and forgets it.
    @_noLocks
    func popLeaving(_ channel: Int, at frame: Int) -> Float {
        let rest = leaving[channel, frame]
        leaving[channel, frame] = 0
        return rest
    }

    /// Lets a voice fade out from a frame on, together with the punch of its overdub.
    ///
    /// The whole fade is rendered at once, so the pages of the voice are free afterwards.
    ///
    /// - Parameters:
    ///   - voice: The voice.
    ///   - frame: The first frame of the fade.
    ///   - punch: The punch to end; its layer must exist as long as the loop.
    @_noLocks
    mutating func release(_ voice: LoopVoice, at frame: Int, _ punch: Punch) {
        var voice = voice
        for index in 0..<fade.frameCount {
            let weight = (1 - fade[index]) * gain(voice)
            for channel in 0..<channelCount {
                leaving[channel, frame + index] += sample(voice, channel) * weight
            }
            releasePunch(voice, at: frame + index, punch.after(index + 1))
            _ = voice.advance()
            voice.age += 1
        }
    }

    /// Ends a punch from a frame on without a change of playback.
    @_noLocks
    mutating func releasePunches(_ voice: LoopVoice, at frame: Int, _ punch: Punch) {
        var voice = voice
        for index in 0..<fade.frameCount {
            releasePunch(voice, at: frame + index, punch.after(index + 1))
            _ = voice.advance()
        }
    }

    @_noLocks
    private mutating func releasePunch(_ voice: LoopVoice, at frame: Int, _ punch: Punch) {
        guard punch.frames > 0 else { return }
        releases[frame] = overdub(voice, punch)
        lastWrite = max(lastWrite, frame)
    }

    /// Forgets the input and the voices that fade out.
    @_noLocks
    func forgetSound() {
        inputs.clear()
        leaving.clear()
    }

    // MARK: Notes for the writer

    @_noLocks
    private func entry(_ kind: WriteEntry.Kind, _ layer: Int, position: Int) -> WriteEntry {
        var entry = WriteEntry()
        entry.kind = kind
        entry.layer = layer
        entry.generation = store.layer(layer).pointee.generation
        entry.chain = store.chain
        entry.position = position
        return entry
    }

    @_noLocks
    private func overdub(_ voice: LoopVoice, _ punch: Punch) -> WriteEntry {
        var entry = entry(.overdub, voice.layer, position: voice.position)
        entry.step = voice.step
        entry.cycleFrames = voice.cycleFrames
        entry.gain = fade.weight(after: punch.frames)
        entry.feedback = punch.feedback
        return entry
    }

    /// Notes that nothing is written at a frame.
    @_noLocks
    func noteNothing(at frame: Int) { writes[frame].kind = .nothing }

    /// Notes that the input of a frame belongs to a position of a layer.
    @_noLocks
    mutating func noteRecord(at frame: Int, _ layer: Int, position: Int) {
        writes[frame] = entry(.record, layer, position: position)
        lastWrite = max(lastWrite, frame)
    }

    /// Notes that the input of a frame is added at the position of a voice.
    @_noLocks
    mutating func noteOverdub(at frame: Int, _ voice: LoopVoice, _ punch: Punch) {
        writes[frame] = overdub(voice, punch)
        lastWrite = max(lastWrite, frame)
    }

    /// Notes the position of the sound that was heard in a frame, to which its input belongs.
    @_noLocks
    mutating func noteCopy(at frame: Int, _ layer: Int, position: Int, _ punch: Punch) {
        writes[frame] = entry(.copy, layer, position: position)
        writes[frame].gain = fade.weight(after: punch.frames)
        writes[frame].feedback = punch.feedback
        lastWrite = max(lastWrite, frame)
    }

    /// Notes that the input before a frame belongs to a recording that began earlier, or leads to
    /// its start.
    ///
    /// - Parameters:
    ///   - frame: The current frame.
    ///   - start: The frame at which the recording began, at most a round trip earlier.
    ///   - layer: The number of the layer.
    @_noLocks
    mutating func noteRecording(before frame: Int, from start: Int, _ layer: Int) {
        for time in start - fade.frameCount..<frame {
            noteRecord(at: time, layer, position: time - start)
        }
    }

    /// Notes that a layer fades, before a position, to the input before a frame.
    @_noLocks
    mutating func noteReplacement(before frame: Int, _ layer: Int, position: Int) {
        for index in 0..<fade.frameCount {
            let time = frame - fade.frameCount + index
            let earlier = writes[time]
            var entry = entry(.replace, layer, position: position - fade.frameCount + index)
            entry.gain = fade[index]
            if earlier.kind == .overdub {
                entry.feedback = earlier.feedback
                entry.overdubGain = earlier.gain
            }
            writes[time] = entry
            if earlier.kind != .nothing { releases[time] = earlier }
        }
        lastWrite = max(lastWrite, frame - 1)
    }

    /// Copies the end of a voice's cycle to the lead of a layer.
    @_noLocks
    mutating func copyLead(of voice: LoopVoice, to layer: Int) {
        for distance in 1...fade.frameCount {
            guard let frame = store.frame(layer, -distance) else { return }
            for channel in 0..<channelCount {
                frame[channel * store.channelStride] = sample(
                    voice, at: voice.cycleFrames - distance, channel)
            }
        }
    }

    // MARK: Writing

    /// Stores an input sample of a frame.
    @_noLocks
    func keepInput(_ sample: Float, _ channel: Int, at frame: Int) {
        inputs[channel, frame] = sample >= -1e12 && sample <= 1e12 ? sample : 0
    }

    /// Stores a sample of playback.
    @_noLocks
    func keepHeard(_ sample: Float, _ channel: Int, at frame: Int) {
        heard[channel, frame] = sample
    }

    /// Carries out the write that is due in a frame.
    @_noLocks
    mutating func write(at frame: Int) {
        let time = frame - lagFrames
        let (write, release) = (writes[time], releases[time])
        if write.kind != .nothing {
            writes[time].kind = .nothing
            perform(write, at: time, frame - fade.frameCount)
        }
        if release.kind != .nothing {
            releases[time].kind = .nothing
            perform(release, at: time, frame - fade.frameCount)
        }
    }

    /// - Parameters:
    ///   - entry: The write.
    ///   - time: The frame in which it was heard.
    ///   - input: The frame of the input.
    @_noLocks
    private mutating func perform(_ entry: WriteEntry, at time: Int, _ input: Int) {
        guard entry.chain == store.chain else { return }
        // A forgotten lower layer lives on in the lowest one.
        let layer = max(entry.layer, store.oldest)
        guard layer <= store.newest,
            layer != entry.layer || store.layer(layer).pointee.generation == entry.generation
        else { return }
        let gain = entry.gain
        let keep = 1 + (entry.feedback - 1) * gain
        switch entry.kind {
        case .nothing: return
        case .record: mix(layer, entry.position, keep: 0, gain: 1, .here, input)
        case .replace:
            let kept = 1 + (entry.feedback - 1) * entry.overdubGain
            mix(
                layer, entry.position, keep: kept * (1 - gain),
                gain: gain + entry.overdubGain * (1 - gain), .here, input)
        case .overdub: overdub(layer, entry, keep, input)
        case .copy:
            copy(layer, entry.position, keep, gain, time, input)
            // The end of the loop fades to its lead, which needs the overdub too.
            let length = store.layer(layer).pointee.lengthFrames
            if length > 0, entry.position >= length - fade.frameCount, entry.position < length {
                mix(layer, entry.position - length, keep: keep, gain: gain, .here, input)
            }
        }
    }

    /// Adds the input at the speed of playback.
    @_noLocks
    private mutating func overdub(
        _ layer: Int, _ entry: WriteEntry, _ keep: Float, _ input: Int
    ) {
        let frame = entry.position >> 1
        switch abs(entry.step) {
        case 1:
            guard entry.position & 1 == 0 else { return }
            add(layer, frame, entry, keep, .band, input)
        case 4:
            add(layer, frame, entry, keep, .here, input)
            add(layer, frame + entry.step.signum(), entry, keep, .between, input)
        default: add(layer, frame, entry, keep, .here, input)
        }
    }

    /// Adds the input at a frame of a cycle, and also to the lead if the frame fades to it.
    @_noLocks
    private mutating func add(
        _ layer: Int, _ frame: Int, _ entry: WriteEntry, _ keep: Float, _ tap: Tap, _ input: Int
    ) {
        let length = entry.cycleFrames
        var frame = frame
        if frame < 0 { frame += length } else if frame >= length { frame -= length }
        if frame < store.layer(layer).pointee.lengthFrames {
            mix(layer, frame, keep: keep, gain: entry.gain, tap, input)
        }
        if frame >= length - fade.frameCount {
            mix(layer, frame - length, keep: keep, gain: entry.gain, tap, input)
        }
    }

    @_noLocks
    private mutating func mix(
        _ layer: Int, _ position: Int, keep: Float, gain: Float, _ tap: Tap, _ input: Int
    ) {
        guard let frame = store.frame(layer, position) else { return }
        for channel in 0..<channelCount {
            let sample = frame + channel * store.channelStride
            sample.pointee = sample.pointee * keep + self.input(channel, tap, input) * gain
        }
    }

    @_noLocks
    private mutating func copy(
        _ layer: Int, _ position: Int, _ keep: Float, _ gain: Float, _ time: Int, _ input: Int
    ) {
        guard let frame = store.frame(layer, position) else { return }
        for channel in 0..<channelCount {
            frame[channel * store.channelStride] =
                heard[channel, time] * keep + inputs[channel, input] * gain
        }
    }

    /// The value of the input that is written.
    private enum Tap: BitwiseCopyable {
        /// The frame itself.
        case here
        /// The frame, limited to half of the band.
        case band
        /// The value half-way to the next frame.
        case between
    }

    @_noLocks
    private func input(_ channel: Int, _ tap: Tap, _ frame: Int) -> Float {
        if tap == .here { return inputs[channel, frame] }
        var sum: Float = 0
        for index in 0..<HalfBandFilter.weightCount {
            let distance = 2 * index + 1
            sum +=
                filter[index]
                * (tap == .band
                    ? inputs[channel, frame - distance] + inputs[channel, frame + distance]
                    : inputs[channel, frame - index] + inputs[channel, frame + 1 + index])
        }
        return tap == .band ? 0.5 * (inputs[channel, frame] + sum) : sum
    }
}
