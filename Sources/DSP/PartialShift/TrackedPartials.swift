internal import CRealtime
public import Realtime

/// The partials of a sound, followed from hop to hop: each is predicted, taken out of the spectrum,
/// and corrected by what the newest window says.
///
/// Frequencies are in bins of the shift's transform, angles in turns, and amounts are complex
/// numbers at the top of the analysis window. All channels share the frequencies.
public struct TrackedPartials: ~Copyable {
    private let lobe: WindowLobe
    private let channelCount: Int
    /// The share of a turn per hop and bin.
    private let hop: Float
    /// The hops from the centroid of the squared window to its top.
    private let lead: Float
    private let state: PartialArrays
    private let spare: PartialArrays
    /// The frequency at the window's top, and the advance since the last hop.
    private let tops: Buffer<Float>
    private let advances: Buffer<Float>
    private let advanceReals: Buffer<Float>
    private let advanceImaginaries: Buffer<Float>
    private let predictedReals: Buffer<Float>
    private let predictedImaginaries: Buffer<Float>
    /// The sums over the channels: the corrected amount times the conjugate of the predicted one.
    private let along: Buffer<Float>
    private let across: Buffer<Float>
    /// The power around each partial that the prediction leaves, and the power that was there.
    private let left: Buffer<Float>
    private let there: Buffer<Float>
    private let isBad: Buffer<Bool>
    /// The angle by which a corrected frequency turns the amount at the window's top.
    private let kicks: Buffer<Float>
    /// The change of each partial's level, as a factor.
    private let gains: Buffer<Float>
    private let rows: LobeRows
    private var order: PartialOrder
    private var bars = LineBars()
    /// The number of partials.
    public private(set) var count = 0

    /// The bins around a partial whose power tells whether the prediction was right.
    private static var near: Int { @_noLocks get { 3 } }
    /// The share of the newest misfit in the smoothed one.
    private static var forgotten: Float { @_noLocks get { 0.15 } }
    /// The smoothed misfit, -3 dB, from which a line of the longest window is dropped.
    private static var distrust: Float { @_noLocks get { 0.5012 } }
    /// The distance at which a listed line is a known partial: 4 Hz.
    private static var same: Float { @_noLocks get { 0.1707 } }

    /// Creates a tracker without partials.
    ///
    /// - Parameters:
    ///   - windows: The windows of the shift.
    ///   - lengths: Its lengths.
    ///   - channelCount: The number of channels.
    public init(_ windows: borrowing PartialWindows, _ lengths: ShiftLengths, channelCount: Int) {
        self.channelCount = channelCount
        lobe = windows.makeLobe()
        hop = 1 / Float(lengths.hopsPerTransform)
        lead = windows.leadHops
        let limit = LineList.limit + 4
        state = PartialArrays(limit, channelCount: channelCount)
        spare = PartialArrays(limit, channelCount: channelCount)
        tops = Buffer(count: limit, repeating: 0)
        advances = Buffer(count: limit, repeating: 0)
        advanceReals = Buffer(count: limit, repeating: 0)
        advanceImaginaries = Buffer(count: limit, repeating: 0)
        predictedReals = Buffer(count: limit, repeating: 0)
        predictedImaginaries = Buffer(count: limit, repeating: 0)
        along = Buffer(count: limit, repeating: 0)
        across = Buffer(count: limit, repeating: 0)
        left = Buffer(count: limit, repeating: 0)
        there = Buffer(count: limit, repeating: 0)
        isBad = Buffer(count: limit, repeating: false)
        kicks = Buffer(count: limit, repeating: 0)
        gains = Buffer(count: limit, repeating: 1)
        rows = LobeRows(limit)
        order = PartialOrder(limit)
    }

    /// Forgets all partials.
    @_noLocks
    public mutating func clear() {
        count = 0
        bars.clear()
    }

    // MARK: The notes of a replay

    /// The largest number of words of `note`.
    public var noteWords: Int { 1 + LineList.limit * state.noteWords + LineBars.noteWords }

    /// Writes the partials, and the frequencies at which none may be listed.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(count)
        for index in 0..<count { state.note(index, to: notes) }
        bars.note(to: notes)
    }

    /// Continues with noted partials.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        count = notes.pointee.pop(from: 0, through: LineList.limit)
        for index in 0..<count { state.follow(notes, index, below: LineList.highest) }
        bars.follow(notes)
    }

    // MARK: The list

    /// Returns whether a line is near a partial.
    @_noLocks
    func isKnown(_ frequency: Float) -> Bool {
        for index in 0..<count
        where abs(state.frequencies[index] - frequency) < TrackedPartials.same {
            return true
        }
        return false
    }

    /// Returns whether the longest window may not list a line, because one near it was wrong.
    @_noLocks
    func isBarred(_ frequency: Float) -> Bool {
        bars.isBarred(frequency)
    }

    /// Replaces the partials by the lines of a list; those that are known go on.
    ///
    /// - Parameters:
    ///   - list: The merged list.
    ///   - regions: The regions, whose angles new partials continue.
    @_noLocks
    public mutating func replace(by list: borrowing LineList, _ regions: borrowing RestRegions) {
        order.sort(state.frequencies, count: count)
        for index in 0..<list.count {
            let line = list[index]
            // 4 Hz for the longest window, a third of a bin for the others.
            let reach = line.search == 0 ? TrackedPartials.same : Float(1 &<< line.search) * 0.0833
            let old = order.nearest(line.frequency)
            if old >= 0, !order.isTaken(old), abs(state.frequencies[old] - line.frequency) < reach {
                order.take(old)
                spare.copy(old, of: state, to: index)
                let follows = line.search < 2
                if follows { spare.frequencies[index] = line.frequency }
                if follows { spare.slopes[index] = 0 }
            } else {
                spare.begin(index, at: line.frequency, turn: regions.angle(at: line.frequency))
            }
            spare.searches[index] = line.search
        }
        count = list.count
        for index in 0..<count { state.copy(index, of: spare, to: index) }
    }

    // MARK: A hop

    /// Predicts the partials of the next hop.
    @_noLocks
    public mutating func predict() {
        bars.advance()
        for index in 0..<count {
            state.frequencies[index] += state.slopes[index]
            let slope = state.slopes[index]
            let top = max(state.frequencies[index] + lead * slope, LineList.lowest)
            tops[index] = top
            let advance = (top - 0.5 * slope) * hop
            advances[index] = advance.wrappedTurns
            along[index] = 0
            across[index] = 0
            left[index] = 0
            there[index] = 0
            rows.write(lobe, at: top, to: index)
        }
        var index = 0
        while index < count {
            let direction = rt_lanes_directions(rt_load(advances.start + index))
            rt_store(advanceReals.start + index, direction.real)
            rt_store(advanceImaginaries.start + index, direction.imaginary)
            index &+= 4
        }
    }

    /// Takes the partials out of a channel's spectrum, and corrects them.
    ///
    /// - Parameters:
    ///   - channel: The index of the channel.
    ///   - spectrum: The newest spectrum of the channel.
    ///   - rest: The same spectrum, with `PartialWindows.margin` more elements at both ends; it
    ///     becomes the rest.
    @_noLocks
    public func takeOut(channel: Int, of spectrum: SplitSpectrum, leaving rest: SplitSpectrum) {
        let (reals, imaginaries) = (state.reals(channel), state.imaginaries(channel))
        for index in 0..<count {
            let (x, y) = (reals[index], imaginaries[index])
            let (u, v) = (advanceReals[index], advanceImaginaries[index])
            predictedReals[index] = x * u - y * v
            predictedImaginaries[index] = x * v + y * u
            reals[index] = predictedReals[index]
            imaginaries[index] = predictedImaginaries[index]
            rows.add(-SIMD2(reals[index], imaginaries[index]), index, to: rest)
        }
        for index in 0..<count { measureMisfit(index, spectrum, rest) }
        for index in 0..<count {
            let change = rows.fit(index, rest)
            reals[index] += change.x
            imaginaries[index] += change.y
            rows.add(-change, index, to: rest)
            let (x, y) = (reals[index], imaginaries[index])
            let (u, v) = (predictedReals[index], predictedImaginaries[index])
            along[index] += x * u + y * v
            across[index] += y * u - x * v
        }
    }

    @_noLocks @inline(__always)
    private func measureMisfit(_ index: Int, _ spectrum: SplitSpectrum, _ rest: SplitSpectrum) {
        let middle = Int(tops[index] + 0.5)
        for bin in max(0, middle - TrackedPartials.near)...middle + TrackedPartials.near {
            let (missed, found) = (rest[bin], spectrum[bin])
            left[index] += missed.x * missed.x + missed.y * missed.y
            there[index] += found.x * found.x + found.y * found.y
        }
    }

    /// Corrects the frequencies and angles after all channels were measured, and drops lines that do
    /// not predict the sound.
    ///
    /// - Parameters:
    ///   - ratio: The factor of all frequencies.
    ///   - kept: The share of its angle that each partial keeps.
    @_noLocks
    public mutating func follow(ratio: Float, kept: Float) {
        for index in 0..<count {
            let search = Int(state.searches[index])
            let (gain, slopeGain) = TrackedPartials.gains(search)
            let off = rt_angle(along[index], across[index])
            let tracked: Float = gain > 0 ? off : 0
            state.turns[index] *= kept
            turn(index, by: (ratio - 1) * (advanceOf(index) + tracked))
            let error = off / hop
            state.frequencies[index] += gain * error
            state.slopes[index] += slopeGain * error
            kicks[index] = (gain + lead * slopeGain) * error * lead * hop
            let misfit = min(left[index] / (there[index] + 1e-16), 1)
            left[index] = misfit
            state.doubts[index] += TrackedPartials.forgotten * (misfit - state.doubts[index])
            isBad[index] = search == 0 && state.doubts[index] > TrackedPartials.distrust
        }
    }

    /// Returns the advance of a partial since the last hop, in turns.
    @_noLocks @inline(__always)
    private func advanceOf(_ index: Int) -> Float {
        (tops[index] - 0.5 * state.slopes[index]) * hop
    }

    @_noLocks @inline(__always)
    private func turn(_ index: Int, by angle: Float) {
        let turn = state.turns[index] + angle
        state.turns[index] = turn.wrappedTurns
    }

    /// Returns the shares of a measured error that correct the frequency and its slope, for the
    /// partials of a search.
    @_noLocks @inline(__always)
    private static func gains(_ search: Int) -> (frequency: Float, slope: Float) {
        switch search {
        case 2: (0.4, 0.06)
        case 3: (0.6, 0.10)
        default: (0, 0)
        }
    }

    /// Gives the dropped partials of a channel back to the rest.
    @_noLocks
    public func giveBack(channel: Int, to rest: SplitSpectrum) {
        let (reals, imaginaries) = (state.reals(channel), state.imaginaries(channel))
        for index in 0..<count where isBad[index] {
            rows.add(SIMD2(reals[index], imaginaries[index]), index, to: rest)
            reals[index] = 0
            imaginaries[index] = 0
        }
    }

    /// Changes the levels of the partials, so that each gets the level that the envelope has at
    /// another frequency.
    @_noLocks
    func shape(
        _ envelope: borrowing SpectralEnvelope, scale: Float, power: UnsafePointer<Float>,
        floor: SIMD4<Float>
    ) {
        for index in stride(from: 0, to: count, by: 4) {
            let there = SIMD4(
                power[Int(tops[index] + 0.5)], power[Int(tops[index + 1] + 0.5)],
                power[Int(tops[index + 2] + 0.5)], power[Int(tops[index + 3] + 0.5)])
            rt_store(
                gains.start + index,
                envelope.factors(
                    rt_load(tops.start + index), there, scale: scale, floor: floor))
        }
    }

    /// Leaves the levels of the partials as they are.
    @_noLocks
    public func keepLevels() {
        for index in 0..<count { gains[index] = 1 }
    }

    /// Adds the partials of a channel at their new frequencies.
    ///
    /// - Parameters:
    ///   - channel: The index of the channel.
    ///   - ratio: The factor of all frequencies.
    ///   - bins: The bins of the spectrum; partials beyond them are left out.
    ///   - spectrum: The spectrum, with `PartialWindows.margin` more elements at both ends.
    @_noLocks
    public func lay(channel: Int, ratio: Float, bins: Int, to spectrum: SplitSpectrum) {
        let (reals, imaginaries) = (state.reals(channel), state.imaginaries(channel))
        for index in 0..<count where !isBad[index] {
            let position = tops[index] * ratio
            guard position < Float(bins - 3) else { continue }
            let turn = rt_direction(state.turns[index])
            let (x, y) = (gains[index] * reals[index], gains[index] * imaginaries[index])
            lobe.add(
                position,
                SIMD2(
                    x * turn.real - y * turn.imaginary, x * turn.imaginary + y * turn.real),
                to: spectrum)
        }
    }

    /// Ends a hop: turns the amounts by what the corrected frequencies change at the window's top,
    /// and removes the dropped partials.
    @_noLocks
    public mutating func settle(ratio: Float) {
        var place = 0
        for index in 0..<count {
            guard !isBad[index] else {
                bars.bar(around: tops[index])
                continue
            }
            if kicks[index] != 0 {
                let direction = rt_direction(min(max(kicks[index], -1), 1))
                for channel in 0..<channelCount { state.turn(index, channel, by: direction) }
                turn(index, by: (ratio - 1) * kicks[index])
            }
            if place != index { state.copy(index, of: state, to: place) }
            place += 1
        }
        count = place
    }

    // MARK: What the regions read

    /// The frequency of a partial at the window's top, in bins.
    @_noLocks @inline(__always)
    func top(_ index: Int) -> Float { tops[index] }

    /// The share of the power around a partial that was not predicted.
    @_noLocks @inline(__always)
    func misfit(_ index: Int) -> Float { left[index] }

    /// Whether the partial is being dropped.
    @_noLocks @inline(__always)
    func isDropped(_ index: Int) -> Bool { isBad[index] }

    /// The phase of the output relative to the input, in turns.
    @_noLocks @inline(__always)
    func turn(_ index: Int) -> Float { state.turns[index] }

    /// Restarts a partial's phase at an attack.
    ///
    /// - Parameters:
    ///   - index: The partial.
    ///   - distance: The place of the attack, in transforms after the window's top.
    ///   - ratio: The factor of all frequencies.
    @_noLocks @inline(__always)
    func strike(_ index: Int, distance: Float, ratio: Float) {
        let turn = -(ratio - 1) * tops[index] * distance
        state.turns[index] = turn.wrappedTurns
    }

    /// The power of a partial, summed over the channels.
    @_noLocks @inline(__always)
    func strength(_ index: Int) -> Float {
        var sum: Float = 0
        for channel in 0..<channelCount {
            let (x, y) = (state.reals(channel)[index], state.imaginaries(channel)[index])
            sum += x * x + y * y
        }
        return sum
    }
}
