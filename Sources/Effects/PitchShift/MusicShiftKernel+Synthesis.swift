internal import CRealtime
internal import DSP
internal import Realtime

extension MusicShiftKernel {
    /// Moves the regions, transforms back, and adds the frames to the output.
    @_noLocks
    mutating func synthesise() {
        for index in 0..<channelCount {
            scratch.clearShifted()
            map.move(
                channels[index].spectrum(newer), before: channels[index].past,
                to: scratch.shifted)
            invert()
            if attacks.isInSpan {
                channels[index].envelope.restore(
                    scratch.frames, count: grid.transformFrames)
            } else if attacks.isInWindow {
                channels[index].envelope.subdue(
                    scratch.frames, count: grid.transformFrames)
            }
            windows.overlap(
                scratch.frames, count: grid.transformFrames, movement: movement,
                onto: channels[index].output.start, first: outputPosition)
        }
        keepLevel()
    }

    /// Transforms the moved spectrum into frames.
    ///
    /// Only the span is needed, one half of it at either end.
    @_noLocks
    private func invert() {
        let (shifted, frames) = (scratch.shifted, scratch.frames)
        if grid.isCoarse {
            halfTransform.inverse(
                real: shifted.real, imaginary: shifted.imaginary, output: frames)
        } else if 4 * lengths.spanFrames == lengths.transformFrames {
            transform.inverseEnds(
                real: shifted.real, imaginary: shifted.imaginary, output: frames)
        } else {
            transform.inverse(real: shifted.real, imaginary: shifted.imaginary, output: frames)
        }
    }

    /// Raises the output to make up for lost energy of the input.
    @_noLocks
    private mutating func keepLevel() {
        let kept =
            controls.ratio > 1
            ? attacks.share(below: Float(lengths.bins) / Float(controls.ratio)) : 1
        let past = analysedPosition + lengths.transformFrames - lengths.spanFrames
        level.fade()
        for index in 0..<channelCount {
            level.measure(
                channels[index].output.start, first: outputPosition,
                history: channels[index].history.start, past: past, kept: kept)
        }
        // If the formants move, the level is meant to change.
        level.settle(movement: shapes ? 0 : movement)
        for index in 0..<channelCount {
            level.raise(channels[index].output.start, first: outputPosition)
        }
    }
}
