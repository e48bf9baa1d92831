internal import CRealtime
internal import Realtime

/// A detector of a note's pitch from 38 Hz to 2.2 kHz, twelve times per second, to a tenth of a
/// cent if the note is steady.
///
/// A reading covers the latest 171 ms. Its work is split into parts, one every 0.7 ms, so that no
/// block bears the whole load. The frames at which the parts begin do not depend on the block size.
public struct NotePitch: ~Copyable {
    /// The latest samples, as a ring.
    private let past: Buffer<Float>
    /// The samples of the reading in progress, oldest first.
    private let frame: Buffer<Float>
    private var thinner: SampleThinner
    private var rumbleFilter: RumbleFilter
    private let search: PeriodSearch
    private var series = PartialSeries()
    private let readingSamples: Int
    private let samplesPerSecond: Double
    /// The index of the next sample in `past`.
    private var pastIndex = 0
    /// Samples since the reading began.
    private var age = 0
    /// The pitches that follow from the periods of this reading and of the previous one; 0 if there
    /// is no pitch.
    private var coarseHertz = 0.0
    private var oldCoarseHertz = 0.0
    private var power = 0.0

    /// The pitch in Hz; 0 if the sound has no pitch.
    public private(set) var hertz: Float = 0
    /// The RMS of the sound below 4.7 kHz, over the latest 85 ms at the last reading.
    public private(set) var level: Float = 0

    /// The lowest pitch that is reported.
    private static var lowestHertz: Double { @_noLocks get { 38 } }
    /// The highest pitch that is reported.
    private static var highestHertz: Double { @_noLocks get { 2200 } }
    /// The mean square below which a sound has no pitch: -75 dB.
    private static var minimumPower: Double { @_noLocks get { 3.2e-8 } }
    /// The distance between two parts of the work, in samples.
    private static var partSamples: Int { @_noLocks get { 8 } }

    /// Creates a detector for a sample rate in frames per second.
    public init(sampleRate: Double) {
        thinner = SampleThinner(sampleRate: sampleRate)
        samplesPerSecond = thinner.samplesPerSecond
        rumbleFilter = RumbleFilter(hertz: 20, samplesPerSecond: samplesPerSecond)
        search = PeriodSearch(samplesPerSecond: samplesPerSecond, lowestHertz: 36)
        readingSamples = Int(samplesPerSecond / 12)
        past = Buffer(count: PartialProbe.spanSamples, repeating: 0)
        frame = Buffer(count: PartialProbe.spanSamples, repeating: 0)
        reset()
    }

    /// Clears all state.
    @_noLocks
    public mutating func reset() {
        thinner.reset()
        rumbleFilter.reset()
        rt_clear(past.start, Int64(PartialProbe.spanSamples))
        pastIndex = 0
        // No reading is in progress.
        age = NotePitch.partSamples * (PartialSeries.count + 4)
        coarseHertz = 0
        oldCoarseHertz = 0
        power = 0
        hertz = 0
        level = 0
    }

    /// Processes frames; frames that are not finite count as silence.
    @_noLocks
    public mutating func run(_ samples: UnsafePointer<Float>, _ frames: Int) {
        for index in 0..<frames where thinner.push(samples[index]) {
            past[pastIndex] = rumbleFilter.next(thinner.sample())
            pastIndex = pastIndex + 1 == PartialProbe.spanSamples ? 0 : pastIndex + 1
            work()
        }
    }

    /// Performs the part of a reading that is due, if there is one.
    @_noLocks
    private mutating func work() {
        age = age + 1 >= readingSamples ? 0 : age + 1
        guard age % NotePitch.partSamples == 0 else { return }
        switch age / NotePitch.partSamples {
        case 0: begin()
        case 1: search.correlate()
        case 2: findPeriod()
        case let part where part < 3 + PartialSeries.count:
            if coarseHertz > 0 { series.measure(part - 3, in: frame.start) }
        case 3 + PartialSeries.count: publish()
        default: break
        }
    }

    @_noLocks
    private mutating func begin() {
        let span = PartialProbe.spanSamples
        rt_copy(frame.start, past.start + pastIndex, Int64(span - pastIndex))
        rt_copy(frame.start + span - pastIndex, past.start, Int64(pastIndex))
        power = search.transform(frame.start + span - PeriodSearch.windowSamples)
    }

    @_noLocks
    private mutating func findPeriod() {
        oldCoarseHertz = coarseHertz
        let found = power > NotePitch.minimumPower ? search.hertz() : 0
        let isInRange = found >= NotePitch.lowestHertz && found <= NotePitch.highestHertz
        coarseHertz = isInRange ? found : 0
        series.begin(near: 2 * Double.pi * coarseHertz / samplesPerSecond, power: power)
    }

    /// Reports the pitch if two consecutive readings agree: between two notes, a single reading may
    /// find a pitch common to both.
    @_noLocks
    private mutating func publish() {
        level = Float(rt_sqrt(power))
        let ratio = coarseHertz > 0 ? oldCoarseHertz / coarseHertz : oldCoarseHertz + 1
        guard abs(ratio - 1) < 0.03 else { return }
        hertz =
            coarseHertz > 0 ? Float(series.fundamental() * samplesPerSecond / (2 * Double.pi)) : 0
    }
}
