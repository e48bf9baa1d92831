internal import CRealtime
internal import DSP
internal import Realtime

// How a playback voice renders a step.
extension Deck {
    /// Writes frames to the ring up to a ring frame; returns `false` if some are not available yet.
    @_noLocks
    mutating func fill(_ reel: inout Reel, to frame: Int) -> Bool {
        while tape.writtenFrames < frame {
            let wanted = min(frame - tape.writtenFrames, Self.scratchFrames)
            if place.hasEnded {
                tape.end()
                tape.writeSilence(wanted)
            } else if place.frame >= reel.frameCount(at: place.turn) {
                reel.follow(&place)
            } else if reel.pull(&place, wanted, onto: &tape, scratch) == 0,
                place.frame < reel.frameCount(at: place.turn)
            {
                return false
            }
        }
        return true
    }

    /// Renders the next step; returns `false` if its frames are not available.
    @_noLocks
    mutating func makeStep(_ reel: inout Reel) -> Bool {
        guard isSupplied(&reel) else { return false }
        if isStretching {
            stretchStep()
        } else {
            plainStep(&reel)
        }
        return true
    }

    /// Returns whether the next step's frames are available; fades out if they soon will not be.
    @_noLocks
    mutating func isSupplied(_ reel: inout Reel) -> Bool {
        let needed = isStretching ? stretch.neededFrame : nextFrame + stepFrames
        guard traits.isLive else { return fill(&reel, to: needed) }
        let isReady = fill(&reel, to: needed + traits.fadeFrames)
        if isReady {
            if presence.target == 0 { presence.move(to: 1, frames: Int32(traits.fadeFrames)) }
            return true
        }
        let left = tape.writtenFrames - needed
        if presence.target == 1, left > 0 {
            presence.move(to: 0, frames: Int32(min(left, traits.fadeFrames)))
        }
        return left >= 0 && !(presence.isResting && presence.value == 0)
    }

    @_noLocks
    mutating func plainStep(_ reel: inout Reel) {
        if joinFrame >= 0 || stretch.isWanted { join(&reel) }
        if isStretching { return stretchStep() }
        copyStep()
    }

    /// Copies the next frames of the ring unchanged.
    @_noLocks
    private mutating func copyStep() {
        stepStart = Double(nextFrame)
        stepSpeed = 1
        for channel in 0..<traits.channels {
            tape.ring.read(
                channel, from: nextFrame, count: stepFrames,
                into: given + channel * stepFrames)
        }
        nextFrame += stepFrames
    }

    /// Prepares the stretch engine in parallel with the plain playback, then switches to it.
    @_noLocks
    mutating func join(_ reel: inout Reel) {
        if !stretch.isWanted {
            joinFrame = -1
            return
        }
        if joinFrame < 0 {
            joinFrame = nextFrame + Self.joinSteps * stepFrames
            stretch.join(at: joinFrame)
        }
        let mayAll = nextFrame == joinFrame
        let most = mayAll ? Int.max : tape.writtenFrames + Self.scratchFrames
        let isFilled = fill(&reel, to: min(stretch.neededFrame, most))
        var isWarm = stretch.warm(tape, parts: Self.partsPerStep)
        guard mayAll else { return }
        while isFilled, !isWarm, fill(&reel, to: stretch.neededFrame) {
            isWarm = stretch.warm(tape, parts: StretchLengths.stageCount)
        }
        if isWarm, fill(&reel, to: stretch.neededFrame) { isStretching = true }
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
        stretch.step(tape, channels: traits.channels, into: given)
        stepSpeed = (stretch.position - stepStart) / Double(stepFrames)
    }
}
