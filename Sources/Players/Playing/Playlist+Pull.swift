internal import CRealtime
internal import DSP

// How a playlist writes sound to the ring of a playback voice.
extension Playlist {
    /// Writes the next frames to a ring, and advances the position.
    ///
    /// - Parameters:
    ///   - position: The playback position.
    ///   - count: The largest number of frames.
    ///   - upcoming: The ring to write to.
    ///   - scratch: Room for `count` frames of every channel.
    /// - Returns: The number of frames written; 0 if they are not available yet, or at the end of a
    ///   sound.
    @_noLocks
    mutating func pull(
        _ position: inout PlaylistPosition, _ count: Int, onto upcoming: inout FrameRing,
        _ scratch: UnsafeMutablePointer<Float>
    ) -> Int {
        let total = frameCount(of: position.entry)
        guard position.frame < total else { return 0 }
        let blendFrame =
            total - (position.blendFrames ?? longestBlendFrames(of: position.entry))
        if position.frame >= blendFrame, position.blendFrames == nil {
            // Decided here also for lists: a list that becomes one file must not begin in the middle
            // of a crossfade.
            position.blendFrames =
                goesRound(after: position) ? blendFrames(of: position.entry) : 0
        }
        guard let length = position.blendFrames, length > 0 else {
            let untilBlend =
                position.frame < blendFrame ? blendFrame - position.frame : total - position.frame
            return pullPlain(&position, min(count, untilBlend), onto: &upcoming, scratch)
        }
        return pullBlended(
            &position, min(count, total - position.frame), length: length, onto: &upcoming, scratch)
    }

    @_noLocks
    private mutating func pullPlain(
        _ position: inout PlaylistPosition, _ wanted: Int, onto upcoming: inout FrameRing,
        _ scratch: UnsafeMutablePointer<Float>
    ) -> Int {
        guard let span = span(entry: position.entry, frame: position.frame) else { return 0 }
        let count = min(wanted, span.frameCount)
        let gain = gain(of: position.entry)
        if gain == 1 {
            upcoming.write(span.samples, stride: span.stride, count: count, from: position)
        } else {
            for channel in 0..<channels {
                let (out, from) = (scratch + channel * count, span.samples + channel * span.stride)
                for frame in 0..<count { out[frame] = from[frame] * gain }
            }
            upcoming.write(scratch, stride: count, count: count, from: position)
        }
        position.frame += count
        pass(position)
        return count
    }

    /// Writes the end of the sound crossfaded with its beginning, at equal power; returns the
    /// number of frames written.
    ///
    /// `length` is the length of the whole crossfade.
    @_noLocks
    private mutating func pullBlended(
        _ position: inout PlaylistPosition, _ wanted: Int, length: Int,
        onto upcoming: inout FrameRing, _ scratch: UnsafeMutablePointer<Float>
    ) -> Int {
        let into = position.frame - (frameCount(of: position.entry) - length)
        // Offline, reading the second page may evict the first, so look up the first page again.
        guard span(entry: position.entry, frame: position.frame) != nil,
            let new = span(entry: position.entry, frame: into),
            let old = span(entry: position.entry, frame: position.frame)
        else { return 0 }
        let count = min(wanted, min(old.frameCount, new.frameCount))
        let gain = gain(of: position.entry)
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
        upcoming.write(scratch, stride: count, count: count, from: position)
        position.frame += count
        return count
    }
}
