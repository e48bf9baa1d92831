internal import CRealtime
internal import DSP
internal import Realtime

extension MusicShiftKernel {
    /// Transforms the newest frames and maps their peaks.
    @_noLocks
    mutating func analyse() {
        newer = 1 - newer
        rings.markAnalysed()
        movement = flux.movement
        oldGrid = grid
        grid = movement == 1 ? lengths.movingGrid : lengths.fineGrid
        steadyHops = movement == 0 ? steadyHops + 1 : 0
        for index in 0..<channelCount {
            windows.apply(
                rings.history(index), oldest: rings.historyPosition, movement: movement,
                count: grid.transformFrames, to: scratch.frames)
            channels[index].envelope.measure(scratch.frames, count: grid.transformFrames)
            let spectrum = channels[index].spectrum(newer)
            transformForward(to: spectrum)
            flux.measure(spectrum, grid, channel: index, power: scratch.power)
            noise.measure(flux.amplitudes(channel: index), channel: index)
            // Only spectra of the steady window are compared with later ones.
            if steadyHops > 0 { channels[index].past.push(spectrum) }
            if isSteady {
                map.compare(
                    spectrum, channels[index].past[hopsAgo: 1],
                    isNew: steadyHops == MusicShiftKernel.settledHops, isFirst: index == 0)
            }
        }
        flux.settle()
        noise.settle()
        attacks.follow(scratch.power, grid)
        if attacks.isAnyStruck { noise.forget(attacks) }
        map.find(
            scratch.power, grid, strongest: flux.strongest, ratio: controls.ratio,
            isMoving: movement == 1, isCompared: isSteady,
            noise: movement > 0 ? noise.regions(isCoarse: grid.isCoarse) : .none)
        if shapes { envelope.follow(scratch.power, grid) }
    }

    /// Transforms the frames, and clears the padding after the bins.
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

    /// Finds the destination and the phase rotation of each region.
    @_noLocks
    mutating func turn() {
        listPartials()
        for index in 0..<channelCount {
            map.correlate(
                channels[index].spectrum(newer), channels[index].spectrum(1 - newer), oldGrid,
                isFirst: index == 0)
        }
        if isSteady {
            map.storeCompared()
            map.joinSideLobes(scratch.power)
        }
        if steadyHops > 2 * map.pairHops { partPairs() }
        map.advance(ratio: controls.ratio)
        if isSteady {
            map.findSplits(oldestHops: min(steadyHops - 1, SpectrumRing.oldestHops))
        }
        if attacks.isAnyStruck { strike() }
        map.settle(ratio: controls.ratio, before: level.gain)
        if shapes {
            envelope.refine()
            envelope.shape(
                map, scale: Float(envelopeScale), power: scratch.power,
                ratio: controls.ratio)
        }
    }

    /// Separates partials that share a peak, if older spectra agree with the list.
    @_noLocks
    private mutating func partPairs() {
        map.findPairs(partials, attacks)
        for index in 0..<channelCount {
            map.checkPairs(channels[index].spectrum(newer), before: channels[index].past)
        }
        map.partPairs()
    }

    /// Updates the list of partials while the sound is steady, one channel per hop.
    @_noLocks
    mutating func listPartials() {
        guard steadyHops > 0 else {
            partials.clear()
            listAge = 0
            return
        }
        let period = listPeriod
        if listAge == period {
            partials.find()
            listAge = 0
        }
        listAge += 1
        for index in stride(from: period - listAge, to: channelCount, by: period) {
            partials.measure(channels[index].low)
        }
    }

    /// The number of hops between two lists of partials.
    var listPeriod: Int {
        @_noLocks get { MusicShiftKernel.listSteps / (lengths.hopFrames / lengths.stepFrames) }
    }

    /// The number of steps between two lists of partials.
    private static var listSteps: Int { @_noLocks get { 16 } }

    /// Whether the formants move differently from the pitch.
    var shapes: Bool { @_noLocks get { keepsFormants || controls.formantRatio != 1 } }

    /// The ratio of the frequency at which the envelope is read to the region's own frequency.
    private var envelopeScale: Double {
        @_noLocks get { (keepsFormants ? controls.ratio : 1) / controls.formantRatio }
    }

    /// Whether the steady window has been in use long enough for older spectra to refine the
    /// partials.
    private var isSteady: Bool { @_noLocks get { steadyHops >= MusicShiftKernel.settledHops } }
    private static var settledHops: Int { @_noLocks get { 9 } }

    /// Resets the phases of the regions in which an attack began.
    @_noLocks
    private func strike() {
        for peak in 0..<map.count where attacks.isStruck(bin: map.fineBin(peak)) {
            map.strike(peak, framesAfterTop: delay(around: map.bin(peak)))
        }
    }

    /// Returns the group delay around a bin: the position of its energy in the window, in frames
    /// from the peak.
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
