package import CRealtime

/// Follows a MIDI clock: finds its tempo and the position of the song from ticks with jitter.
///
/// A line is fitted to the last ticks, up to four beats, by least squares. Its slope is the length of
/// a tick, and its value the position. Missing ticks are recognised by their distance, and a new
/// tempo by consecutive ticks that are far from the line or equally distant from each other.
package struct ClockFollower: ~Copyable {
    /// The ticks per beat of a MIDI clock.
    package static var ticksPerBeat: Double { @_noLocks get { 24 } }
    private static var capacity: Int { @_noLocks get { 96 } }
    /// The number of ticks after which the tempo is used.
    private static var leastTicks: Int { @_noLocks get { 12 } }
    /// The time without ticks after which the clock counts as absent, in seconds.
    private static var absenceSeconds: Double { @_noLocks get { 0.5 } }
    /// The deviation of a tick from the line that may be jitter, in seconds.
    private static var jitterSeconds: Double { @_noLocks get { 0.0026 } }
    /// The smallest relative change of the tempo that is used.
    private static var leastChange: Double { @_noLocks get { 0.0003 } }

    private let arena: Arena
    /// The times in frames and the numbers of the last ticks on the line.
    private let times: UnsafeMutablePointer<Double>
    private let numbers: UnsafeMutablePointer<Double>
    private var count = 0
    /// The times of the last four ticks, on the line or not, oldest first.
    private let recent: UnsafeMutablePointer<Double>
    private var recentCount = 0
    /// The number of the last tick on the line at each of these times.
    private let recentNumbers: UnsafeMutablePointer<Double>
    /// The number of ticks in a row that are far from the line, on one side of it.
    private var strayCount = 0
    private var strayIsLate = false
    private var meanTime = 0.0
    private var meanNumber = 0.0
    /// The length of a tick in frames; 0 if it is not known.
    private var tickFrames = 0.0
    /// The relative variance of `tickFrames`.
    private var variance = 1.0
    private var lastTime = 0.0
    /// The number of the tick at which the song has the position 0.
    private var songNumber = 0.0
    private var isStartPending = false
    /// The position at which the song starts or stands still, in ticks.
    private var heldTicks = 0.0
    private var sampleRate = 48_000.0

    /// The tempo in beats per minute; 0 before the first twelve ticks.
    package private(set) var beatsPerMinute = 0.0
    /// Whether the song runs.
    ///
    /// It runs from the first tick on, unless the clock says otherwise.
    package private(set) var isRolling = true

    /// Creates a follower that has received no tick.
    package init() {
        arena = Arena()
        times = arena.allocate(Self.capacity, 0.0)
        numbers = arena.allocate(Self.capacity, 0.0)
        recent = arena.allocate(4, 0.0)
        recentNumbers = arena.allocate(4, 0.0)
    }

    /// Forgets the clock, and continues with another one at a sample rate in Hz.
    @_noLocks
    package mutating func reset(sampleRate: Double) {
        self.sampleRate = sampleRate
        (count, recentCount, strayCount, tickFrames) = (0, 0, 0, 0)
        (beatsPerMinute, songNumber, heldTicks) = (0, 0, 0)
        (isRolling, isStartPending) = (true, false)
    }

    /// Returns whether the clock has a tempo and its ticks arrive.
    @_noLocks
    package func isPresent(atFrame frame: UInt64) -> Bool {
        beatsPerMinute > 0 && Double(frame) - lastTime < Self.absenceSeconds * sampleRate
    }

    // MARK: Messages

    /// Receives a message at a frame; ignores messages that do not belong to a clock.
    @_noLocks
    package mutating func receive(_ message: RTMessage, atFrame frame: UInt64) {
        guard message.byteCount > 0 else { return }
        switch message.bytes[0] {
        case 0xF8: tick(Double(frame))
        case 0xFA: begin(atTicks: 0)
        case 0xFB: begin(atTicks: heldTicks)
        case 0xFC: stop(Double(frame))
        case 0xF2 where message.byteCount >= 3:
            let sixteenths = Int(message.bytes[1] & 127) | Int(message.bytes[2] & 127) << 7
            if isRolling { begin(atTicks: Double(6 * sixteenths)) }
            heldTicks = Double(6 * sixteenths)
        default: break
        }
    }

    /// The next tick has this position.
    @_noLocks
    private mutating func begin(atTicks ticks: Double) {
        heldTicks = ticks
        isStartPending = true
        isRolling = true
    }

    @_noLocks
    private mutating func stop(_ time: Double) {
        guard isRolling else { return }
        // The song continues with the next tick.
        if !isStartPending, count > 0 { heldTicks = numbers[count - 1] + 1 - songNumber }
        (isRolling, isStartPending) = (false, false)
    }

    // MARK: Position

    /// Returns the position of the song at a frame, in beats.
    @_noLocks
    package func beats(atFrame frame: UInt64) -> Double {
        guard isRolling, !isStartPending, tickFrames > 0 else {
            return heldTicks / Self.ticksPerBeat
        }
        let number = meanNumber + (Double(frame) - meanTime) / tickFrames
        return max(0, number - songNumber) / Self.ticksPerBeat
    }

    // MARK: Ticks

    @_noLocks
    private mutating func tick(_ time: Double) {
        let gap = time - lastTime
        if count > 0, gap > Self.absenceSeconds * sampleRate || gap < 0 {
            let next = numbers[count - 1] + 1
            beginLine()
            recentCount = 0
            strayCount = 0
            add(time, next)
        } else if count == 0 {
            add(time, 0)
        } else {
            place(time)
        }
        remember(time)
        lastTime = time
        if isStartPending, count > 0 {
            songNumber = numbers[count - 1] - heldTicks
            isStartPending = false
        }
        adoptTempo()
    }

    /// Finds the number of a tick, and adds it to the line.
    @_noLocks
    private mutating func place(_ time: Double) {
        if let first = steadyStart(time) { return restart(from: first, time) }
        let last = numbers[count - 1]
        guard tickFrames > 0 else { return add(time, last + 1) }
        let exact = meanNumber + (time - meanTime) / tickFrames
        let number = rt_floor(exact + 0.5)
        // A second tick with the number of the last one.
        guard number > last else { return }
        let deviation = (exact - number) * tickFrames
        if count >= 8, abs(deviation) > Self.jitterSeconds * sampleRate {
            let isLate = deviation > 0
            strayCount = isLate == strayIsLate ? strayCount + 1 : 1
            strayIsLate = isLate
        } else {
            strayCount = 0
        }
        add(time, number)
        if strayCount >= 3 { keepLast(3) }
    }

    /// Returns the index of the recent tick from which on the ticks are equally distant, but with
    /// another tempo than the line; `nil` if no tick is.
    @_noLocks
    private func steadyStart(_ time: Double) -> Int? {
        guard recentCount == 4, tickFrames > 0 else { return nil }
        let first = recent[2] - recent[1]
        let second = recent[3] - recent[2]
        let third = time - recent[3]
        let mean = (first + second + third) / 3
        let jitter = 2.1 * 0.001 * sampleRate
        guard abs(first - mean) < jitter, abs(second - mean) < jitter,
            abs(third - mean) < jitter, mean > 0.003 * sampleRate,
            abs(mean - tickFrames) > max(0.25 * tickFrames, 2 * jitter)
        else { return nil }
        return 1
    }

    /// Begins another line with a recent tick and all ticks behind it, which follow one another.
    @_noLocks
    private mutating func restart(from index: Int, _ time: Double) {
        let number = recentNumbers[index]
        beginLine()
        for offset in index..<4 { add(recent[offset], number + Double(offset - index)) }
        add(time, number + Double(4 - index))
        strayCount = 0
        recentCount = 0
    }

    @_noLocks
    private mutating func remember(_ time: Double) {
        if recentCount == 4 {
            for index in 0..<3 {
                recent[index] = recent[index + 1]
                recentNumbers[index] = recentNumbers[index + 1]
            }
            recentCount = 3
        }
        recent[recentCount] = time
        recentNumbers[recentCount] = count > 0 ? numbers[count - 1] : 0
        recentCount += 1
    }

    // MARK: The line

    @_noLocks
    private mutating func beginLine() {
        count = 0
        (tickFrames, variance) = (0, 1)
    }

    /// Forgets all ticks except the last ones.
    @_noLocks
    private mutating func keepLast(_ kept: Int) {
        let first = count - kept
        guard first > 0 else { return }
        for index in 0..<kept {
            times[index] = times[first + index]
            numbers[index] = numbers[first + index]
        }
        count = kept
        strayCount = 0
        fit()
    }

    @_noLocks
    private mutating func add(_ time: Double, _ number: Double) {
        if count == Self.capacity {
            for index in 1..<count {
                times[index - 1] = times[index]
                numbers[index - 1] = numbers[index]
            }
            count -= 1
        }
        times[count] = time
        numbers[count] = number
        count += 1
        fit()
    }

    /// Fits the line by least squares.
    @_noLocks
    private mutating func fit() {
        // Differences from the last tick, because the times grow without limit.
        let (time, number) = (times[count - 1], numbers[count - 1])
        var (sumTime, sumNumber) = (0.0, 0.0)
        for index in 0..<count {
            sumTime += times[index] - time
            sumNumber += numbers[index] - number
        }
        let size = Double(count)
        meanTime = time + sumTime / size
        meanNumber = number + sumNumber / size
        var (spread, product, square) = (0.0, 0.0, 0.0)
        for index in 0..<count {
            let (x, y) = (numbers[index] - meanNumber, times[index] - meanTime)
            spread += x * x
            product += x * y
            square += y * y
        }
        guard count > 1, spread > 0, product > 0 else { return }
        tickFrames = product / spread
        let residual = max(0, square - product * tickFrames)
        variance =
            count > 2 ? residual / (size - 2) / spread / (tickFrames * tickFrames) : 1
    }

    /// Adopts the slope of the line as the tempo, if it differs by more than its likely error.
    @_noLocks
    private mutating func adoptTempo() {
        guard count >= Self.leastTicks, tickFrames > 0 else { return }
        let found = sampleRate * 60 / (tickFrames * Self.ticksPerBeat)
        guard found >= 20, found <= 400 else { return }
        guard beatsPerMinute > 0 else { return beatsPerMinute = found }
        let change = (found - beatsPerMinute) / beatsPerMinute
        // Two standard deviations.
        if change * change > max(Self.leastChange * Self.leastChange, 4 * variance) {
            beatsPerMinute = found
        }
    }
}
