internal import CRealtime
internal import DSP

extension MusicShiftKernel {
    /// From the newest frames to a map of their peaks.
    @_noLocks
    mutating func analyse() {
        newer = 1 - newer
        analysedPosition = historyPosition
        movement = flux.movement
        oldGrid = grid
        grid = movement == 1 ? lengths.movingGrid : lengths.fineGrid
        steadyHops = movement == 0 ? steadyHops + 1 : 0
        for index in 0..<channelCount {
            let channel = channels[index]
            windows.apply(
                channel.history, oldest: historyPosition, movement: movement,
                count: grid.transformFrames, to: scratch.frames)
            channel.envelope.measure(scratch.frames, count: grid.transformFrames)
            let spectrum = channel.spectrum(newer)
            transformForward(to: spectrum)
            flux.hear(spectrum, grid, channel: index, power: scratch.power)
            // Only what the steady window gave is ever looked at again.
            if steadyHops > 0 { channels[index].past.push(spectrum) }
            if isSteady {
                map.compare(
                    spectrum, channels[index].past[hopsAgo: 1],
                    isNew: steadyHops == MusicShiftKernel.settledHops, isFirst: index == 0)
            }
        }
        flux.settle()
        attacks.follow(scratch.power, grid)
        map.find(
            scratch.power, grid, strongest: flux.strongest, ratio: controls.ratio,
            isMoving: movement == 1, isCompared: isSteady)
        if shapes { envelope.follow(scratch.power, grid) }
    }

    /// Transforms the frames, and leaves nothing behind the bins.
    @_noLocks
    private func transformForward(to spectrum: SplitSpectrum) {
        if grid.isCoarse {
            halfTransform.forward(
                scratch.frames, real: spectrum.real, imaginary: spectrum.imaginary)
            rt_clear(spectrum.real + grid.bins, Int64(grid.paddedBins - grid.bins))
            rt_clear(spectrum.imaginary + grid.bins, Int64(grid.paddedBins - grid.bins))
        } else {
            transform.forward(
                scratch.frames, real: spectrum.real, imaginary: spectrum.imaginary)
        }
    }

    /// Finds where each region goes, and what it is turned by.
    @_noLocks
    mutating func turn() {
        listPartials()
        for index in 0..<channelCount {
            let channel = channels[index]
            map.correlate(
                channel.spectrum(newer), channel.spectrum(1 - newer), oldGrid,
                isFirst: index == 0)
        }
        if isSteady {
            map.takeCompared()
            map.joinSideLobes(scratch.power)
        }
        if steadyHops > 2 * map.pairHops { partPairs() }
        map.advance(ratio: controls.ratio)
        if isSteady {
            map.findSplits(oldestHops: min(steadyHops - 1, SpectrumRing.oldestHops))
        }
        if attacks.isAnyStruck { strike() }
        map.settle()
        if shapes {
            envelope.refine()
            envelope.shape(map, scale: Float(envelopeScale))
        }
    }

    /// Tells apart partials that share a peak, where older spectra agree with the list.
    @_noLocks
    private mutating func partPairs() {
        map.findPairs(partials, attacks)
        for index in 0..<channelCount {
            map.checkPairs(channels[index].spectrum(newer), before: channels[index].past)
        }
        map.partPairs()
    }

    /// Makes the list of partials anew, a channel a hop, where the sound is steady.
    @_noLocks
    mutating func listPartials() {
        guard steadyHops > 0 else {
            partials.clear()
            listAge = 0
            return
        }
        let period = MusicShiftKernel.listSteps / (lengths.hopFrames / lengths.stepFrames)
        if listAge == period {
            partials.find()
            listAge = 0
        }
        listAge += 1
        for index in stride(from: period - listAge, to: channelCount, by: period) {
            partials.hear(channels[index].low)
        }
    }

    /// Steps from one list of partials to the next.
    private static var listSteps: Int { @_noLocks get { 16 } }

    /// Whether formants go anywhere else than the pitch.
    var shapes: Bool { @_noLocks get { keepsFormants || controls.formantRatio != 1 } }

    /// By what a frequency is multiplied for where the envelope is that it is to have.
    private var envelopeScale: Double {
        @_noLocks get { (keepsFormants ? controls.ratio : 1) / controls.formantRatio }
    }

    /// Whether the steady window was used for so long that older spectra tell more of the partials.
    private var isSteady: Bool { @_noLocks get { steadyHops >= MusicShiftKernel.settledHops } }
    private static var settledHops: Int { @_noLocks get { 9 } }

    /// Sets the phases of the regions where an attack began anew.
    @_noLocks
    private func strike() {
        for peak in 0..<map.count where attacks.isStruck(bin: map.fineBin(peak)) {
            map.strike(peak, framesAfterTop: delay(around: map.bin(peak)))
        }
    }

    /// Where in the window, in frames from its top, the energy around a bin stands: its group delay.
    @_noLocks
    private func delay(around bin: Int) -> Float {
        let (first, last) = (max(bin - 3, 0), min(bin + 3, grid.bins - 1))
        var (along, across): (Float, Float) = (0, 0)
        for index in 0..<channelCount {
            let spectrum = channels[index].spectrum(newer)
            let (re, im) = (spectrum.real, spectrum.imaginary)
            for k in first..<last {
                along += re[k + 1] * re[k] + im[k + 1] * im[k]
                across += im[k + 1] * re[k] - re[k + 1] * im[k]
            }
        }
        return -rt_angle(along, across) * Float(grid.transformFrames)
    }
}
