internal import CRealtime
internal import DSP

// How a playlist writes sound to the ring of a playback voice.
extension Reel {
    /// Writes the next frames to a ring, and advances the position.
    ///
    /// - Parameters:
    ///   - place: The playback position.
    ///   - count: The largest number of frames.
    ///   - tape: The ring to write to.
    ///   - scratch: Room for `count` frames of every channel.
    /// - Returns: The number of frames written; 0 if they are not available yet, or at the end of a
    ///   sound.
    @_noLocks
    mutating func pull(
        _ place: inout ReelPlace, _ count: Int, onto tape: inout Tape,
        _ scratch: UnsafeMutablePointer<Float>
    ) -> Int {
        let total = frameCount(at: place.turn)
        guard place.frame < total else { return 0 }
        let blendFrame = total - blendFrames(at: place.turn)
        if place.frame >= blendFrame, place.isBlending == nil {
            place.isBlending = goesRound(after: place)
        }
        guard place.isBlending == true else {
            let untilBlend =
                place.frame < blendFrame ? blendFrame - place.frame : total - place.frame
            return pullPlain(&place, min(count, untilBlend), onto: &tape, scratch)
        }
        return pullBlended(&place, min(count, total - place.frame), onto: &tape, scratch)
    }

    @_noLocks
    private mutating func pullPlain(
        _ place: inout ReelPlace, _ wanted: Int, onto tape: inout Tape,
        _ scratch: UnsafeMutablePointer<Float>
    ) -> Int {
        guard let span = span(turn: place.turn, frame: place.frame) else { return 0 }
        let count = min(wanted, span.frameCount)
        let gain = gain(at: place.turn)
        if gain == 1 {
            tape.write(span.samples, stride: span.stride, count: count, from: place)
        } else {
            for channel in 0..<channels {
                let (out, from) = (scratch + channel * count, span.samples + channel * span.stride)
                for frame in 0..<count { out[frame] = from[frame] * gain }
            }
            tape.write(scratch, stride: count, count: count, from: place)
        }
        place.frame += count
        pass(place)
        return count
    }

    /// Writes the end of the sound crossfaded with its beginning, at equal power.
    @_noLocks
    private mutating func pullBlended(
        _ place: inout ReelPlace, _ wanted: Int, onto tape: inout Tape,
        _ scratch: UnsafeMutablePointer<Float>
    ) -> Int {
        let length = blendFrames(at: place.turn)
        let into = place.frame - (frameCount(at: place.turn) - length)
        // Offline, reading the second page may evict the first, so look up the first page again.
        guard span(turn: place.turn, frame: place.frame) != nil,
            let new = span(turn: place.turn, frame: into),
            let old = span(turn: place.turn, frame: place.frame)
        else { return 0 }
        let count = min(wanted, min(old.frameCount, new.frameCount))
        let gain = gain(at: place.turn)
        for channel in 0..<channels {
            let out = scratch + channel * count
            let (going, coming) = (
                old.samples + channel * old.stride, new.samples + channel * new.stride
            )
            for frame in 0..<count {
                let share = (Float(into + frame) + 0.5) / Float(length)
                let rise = share * share * (3 - 2 * share)
                out[frame] =
                    gain
                    * (going[frame] * Float(rt_sqrt(Double(1 - rise)))
                        + coming[frame] * Float(rt_sqrt(Double(rise))))
            }
        }
        tape.write(scratch, stride: count, count: count, from: place)
        place.frame += count
        return count
    }
}
