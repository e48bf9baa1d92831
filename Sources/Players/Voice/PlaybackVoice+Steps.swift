internal import CRealtime
internal import DSP
internal import Realtime

// How a playback voice renders a step.
extension PlaybackVoice {
    /// Writes frames to the ring up to a ring frame; returns `false` if some are not available yet.
    @_noLocks
    mutating func fill(_ playlist: inout Playlist, to frame: Int) -> Bool {
        while upcoming.writtenFrames < frame {
            let wanted = min(frame - upcoming.writtenFrames, Self.scratchFrames)
            if position.hasEnded {
                upcoming.end()
                upcoming.writeSilence(wanted)
            } else if position.frame >= playlist.frameCount(of: position.entry) {
                playlist.follow(&position)
            } else if playlist.pull(&position, wanted, onto: &upcoming, scratch.start) == 0,
                position.frame < playlist.frameCount(of: position.entry)
            {
                return false
            }
        }
        return true
    }

    /// Renders the next step; returns `false` if its frames are not available.
    @_noLocks
    mutating func makeStep(_ playlist: inout Playlist) -> Bool {
        guard isSupplied(&playlist) else { return false }
        if isStretching {
            stretchStep()
        } else {
            plainStep(&playlist)
        }
        return true
    }

    /// Returns whether the next step's frames are available; fades out if they soon will not be.
    @_noLocks
    mutating func isSupplied(_ playlist: inout Playlist) -> Bool {
        let needed = isStretching ? stretch.neededFrame : nextFrame + stepFrames
        guard traits.isLive else { return fill(&playlist, to: needed) }
        let isReady = fill(&playlist, to: needed + traits.fadeFrames)
        if isReady {
            if supplyGain.target == 0 { supplyGain.move(to: 1, frames: Int32(traits.fadeFrames)) }
            return true
        }
        let left = upcoming.writtenFrames - needed
        if supplyGain.target == 1, left > 0 {
            supplyGain.move(to: 0, frames: Int32(min(left, traits.fadeFrames)))
        }
        return left >= 0 && !(supplyGain.isResting && supplyGain.value == 0)
    }

    @_noLocks
    mutating func plainStep(_ playlist: inout Playlist) {
        if joinFrame >= 0 || stretch.isWanted { join(&playlist) }
        if isStretching { return stretchStep() }
        copyStep()
    }

    /// Copies the next frames of the ring unchanged.
    @_noLocks
    private mutating func copyStep() {
        stepStart = Double(nextFrame)
        stepSpeed = 1
        for channel in 0..<traits.channels {
            upcoming.ring.read(
                channel, from: nextFrame, count: stepFrames,
                into: stepSamples.start + channel * stepFrames)
        }
        nextFrame += stepFrames
    }

    /// Prepares the stretch engine in parallel with the plain playback, then switches to it.
    @_noLocks
    mutating func join(_ playlist: inout Playlist) {
        if !stretch.isWanted {
            joinFrame = -1
            return
        }
        if joinFrame < 0 {
            joinFrame = nextFrame + Self.joinSteps * stepFrames
            stretch.join(at: joinFrame)
        }
        let mayAll = nextFrame == joinFrame
        let most = mayAll ? Int.max : upcoming.writtenFrames + Self.scratchFrames
        let isFilled = fill(&playlist, to: min(stretch.neededFrame, most))
        var isWarm = stretch.warm(upcoming, parts: Self.partsPerStep)
        guard mayAll else { return }
        while isFilled, !isWarm, fill(&playlist, to: stretch.neededFrame) {
            isWarm = stretch.warm(upcoming, parts: StretchLengths.stageCount)
        }
        if isWarm, fill(&playlist, to: stretch.neededFrame) { isStretching = true }
        // Otherwise the preparation restarts from here.
        joinFrame = -1
    }

    @_noLocks
    mutating func stretchStep() {
        if stretch.isThrough {
            isStretching = false
            nextFrame = stretch.throughFrame
            joinFrame = -1
            return copyStep()
        }
        stepStart = stretch.position
        stretch.step(upcoming, channels: traits.channels, into: stepSamples.start)
        stepSpeed = (stretch.position - stepStart) / Double(stepFrames)
    }
}
