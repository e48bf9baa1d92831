internal import DSP
internal import Processing
internal import Realtime

// How a player continues in a replay that does not begin with the session.
extension PlayerKernel {
    /// Notes once a second where the player is, or continues from there in a replay.
    ///
    /// It is noted only while one sound plays unchanged or is paused, or nothing plays: the state of
    /// a stretch engine is too large.
    @_noLocks
    mutating func followState(frames: Int) {
        let arrivals = playlist.cache.arrivals
        if arrivals.pointee.isRepeating { return repeatState() }
        guard arrivals.pointee.isNoting, !playlist.hasCues else { return }
        unnotedFrames += frames
        guard Double(unnotedFrames) >= traits.sampleRate, queue.count == 0, gain.isResting else {
            return
        }
        let playing = current
        for index in 0..<voices.count where index != playing && voices[index].isHeard { return }
        if playing < 0 {
            noteState(selected, step: 0, kind: 0)
        } else if let position = voices[playing].steadyPosition {
            noteState(
                position, step: voices[playing].stepPosition,
                kind: voices[playing].phase == .paused ? 1 : 2)
        }
    }

    @_noLocks
    private mutating func noteState(_ position: PlaylistPosition, step: Int, kind: Int32) {
        let arrivals = playlist.cache.arrivals
        let number = playlist.number(of: position.entry)
        guard number >= 0, position.frame <= Int(Int32.max), position.rounds <= Int(Int32.max)
        else { return }
        unnotedFrames = 0
        arrivals.pointee.note(.state, kind)
        arrivals.pointee.note(.state, Int32(truncatingIfNeeded: number))
        arrivals.pointee.note(.state, Int32(truncatingIfNeeded: position.frame))
        arrivals.pointee.note(.state, Int32(truncatingIfNeeded: position.rounds))
        arrivals.pointee.note(.state, Int32(truncatingIfNeeded: step))
    }

    @_noLocks
    private mutating func repeatState() {
        let arrivals = playlist.cache.arrivals
        guard let kind = arrivals.pointee.pop(.state), let number = arrivals.pointee.pop(.state),
            let frame = arrivals.pointee.pop(.state), let rounds = arrivals.pointee.pop(.state),
            let step = arrivals.pointee.pop(.state)
        else { return }
        guard arrivals.pointee.isBehind, number >= 0, Int(number) < playlist.itemCount else {
            return
        }
        var position = PlaylistPosition(entry: playlist.entry(withNumber: Int(number)))
        position.frame = max(0, min(Int(frame), playlist.frameCount(of: position.entry)))
        position.rounds = Int(rounds)
        arrivals.pointee.catchUp()
        queue.clear()
        for index in 0..<voices.count { voices[index].stopNow() }
        if kind == 0 {
            selected = position
        } else {
            startCount += 1
            voices[0].startNumber = startCount
            voices[0].set(rate: values.rate, semitones: values.semitones)
            voices[0].start(at: position, fadeInFrames: 0)
        }
        fetchPages()
        // Through `start`, because the subscript would exclude access to `playlist`.
        if kind != 0 {
            voices.start[0].resume(&playlist, step: Int(step), isPaused: kind == 1)
        }
        playlist.cache.isDue = true
    }
}

extension PlaybackVoice {
    /// The position in the playlist at which the current step began; `nil` while the sound fades or
    /// is stretched, and near the end of a sound.
    var steadyPosition: PlaylistPosition? {
        @_noLocks get {
            let isSteady =
                phase == .sounding && gate.value == 1 || phase == .paused && gate.value == 0
            let start = nextFrame - stepFrames
            guard isSteady, gate.isResting, supplyGain.isResting, supplyGain.value == 1,
                !isStretching, !stretch.isWanted, joinFrame < 0, start >= 0,
                position.blendFrames == nil, !position.hasEnded,
                let (entry, frame) = upcoming.origin(of: start), entry == position.entry,
                position.frame - frame == upcoming.writtenFrames - start
            else { return nil }
            var result = position
            result.frame = frame
            return result
        }
    }

    /// Continues in the middle of a step, after a start at the beginning of the step.
    @_noLocks
    mutating func resume(_ playlist: inout Playlist, step: Int, isPaused: Bool) {
        phase = isPaused ? .paused : .sounding
        gate = SmoothRamp(isPaused ? 0 : 1)
        guard makeStep(&playlist) else { return }
        stepPosition = max(0, min(step, stepFrames))
    }
}
