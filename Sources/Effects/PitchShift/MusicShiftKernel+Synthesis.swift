internal import CRealtime
internal import DSP

extension MusicShiftKernel {
    /// Moves the regions, and adds what comes of it to the output.
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
                onto: channels[index].output, first: outputPosition)
        }
        keepLevel()
    }

    /// Turns the moved spectrum into frames, of which only the span is needed: half of it at either end.
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

    /// Raises the output by what it lost of the input's energy.
    @_noLocks
    private mutating func keepLevel() {
        let kept =
            controls.ratio > 1
            ? attacks.share(below: Float(lengths.bins) / Float(controls.ratio)) : 1
        let past = analysedPosition + lengths.transformFrames - lengths.spanFrames
        level.fade()
        for index in 0..<channelCount {
            level.hear(
                channels[index].output, first: outputPosition, history: channels[index].history,
                past: past, kept: kept)
        }
        // Formants that move change the level as they should.
        level.settle(movement: shapes ? 0 : movement)
        for index in 0..<channelCount {
            level.raise(channels[index].output, first: outputPosition)
        }
    }
}
