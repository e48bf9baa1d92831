internal import CRealtime

/// The pitch of a note from 38 Hz to 2.2 kHz, to a tenth of a cent where it is steady, twelve times a second.
///
/// A reading looks at the latest 171 ms. Its work is done in parts, one every 0.7 ms, so that no block pays for all of it;
/// the parts begin at frames that do not depend on the blocks.
public struct NotePitch: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// The latest samples, as a ring.
    private let past: UnsafeMutablePointer<Float>
    /// The samples of the reading that is being worked on, oldest first.
    private let frame: UnsafeMutablePointer<Float>
    private var thinner: SampleThinner
    private var rumbleFilter: RumbleFilter
    private let search: PeriodSearch
    private var series = PartialSeries()
    private let readingSamples: Int
    private let samplesPerSecond: Double
    private var place = 0
    /// Samples since the reading began.
    private var age = 0
    /// What the period of this reading and that of the one before come to; 0 for no pitch.
    private var coarseHertz = 0.0
    private var oldCoarseHertz = 0.0
    private var power = 0.0

    /// The pitch in Hz; 0 where there is none.
    public private(set) var hertz: Float = 0
    /// The root of the mean square of what is below 4.7 kHz, over the latest 85 ms at the last reading.
    public private(set) var level: Float = 0

    /// The lowest pitch that is told.
    private static var lowestHertz: Double { @_noLocks get { 38 } }
    /// The highest pitch that is told.
    private static var highestHertz: Double { @_noLocks get { 2200 } }
    /// What is softer has no pitch, as a mean square: -75 dB.
    private static var leastPower: Double { @_noLocks get { 3.2e-8 } }
    /// From one part of the work to the next.
    private static var partSamples: Int { @_noLocks get { 8 } }

    /// A reader at a rate in frames a second.
    public init(sampleRate: Double) {
        thinner = SampleThinner(sampleRate: sampleRate)
        samplesPerSecond = thinner.samplesPerSecond
        rumbleFilter = RumbleFilter(hertz: 20, samplesPerSecond: samplesPerSecond)
        search = PeriodSearch(samplesPerSecond: samplesPerSecond, lowestHertz: 36)
        readingSamples = Int(samplesPerSecond / 12)
        past = .allocate(capacity: PartialProbe.spanSamples)
        past.initialize(repeating: 0, count: PartialProbe.spanSamples)
        frame = .allocate(capacity: PartialProbe.spanSamples)
        frame.initialize(repeating: 0, count: PartialProbe.spanSamples)
        reset()
    }

    /// Frees its memory.
    public func deallocate() {
        past.deallocate()
        frame.deallocate()
        thinner.deallocate()
        search.deallocate()
        series.deallocate()
    }

    /// Forgets all it heard.
    @_noLocks
    public mutating func reset() {
        thinner.reset()
        rumbleFilter.reset()
        rt_clear(past, Int64(PartialProbe.spanSamples))
        place = 0
        // No reading is being worked on.
        age = NotePitch.partSamples * (PartialSeries.count + 4)
        coarseHertz = 0
        oldCoarseHertz = 0
        power = 0
        hertz = 0
        level = 0
    }

    /// Listens to frames; what is not finite counts as silence.
    @_noLocks
    public mutating func run(_ samples: UnsafePointer<Float>, _ frames: Int) {
        for index in 0..<frames where thinner.take(samples[index]) {
            past[place] = rumbleFilter.next(thinner.sample())
            place = place + 1 == PartialProbe.spanSamples ? 0 : place + 1
            work()
        }
    }

    /// Does the part of a reading that is due, if one is.
    @_noLocks
    private mutating func work() {
        age = age + 1 >= readingSamples ? 0 : age + 1
        guard age % NotePitch.partSamples == 0 else { return }
        switch age / NotePitch.partSamples {
        case 0: begin()
        case 1: search.correlate()
        case 2: findPeriod()
        case let part where part < 3 + PartialSeries.count:
            if coarseHertz > 0 { series.measure(part - 3, in: frame) }
        case 3 + PartialSeries.count: tell()
        default: break
        }
    }

    @_noLocks
    private mutating func begin() {
        let span = PartialProbe.spanSamples
        rt_copy(frame, past + place, Int64(span - place))
        rt_copy(frame + span - place, past, Int64(place))
        power = search.transform(frame + span - PeriodSearch.windowSamples)
    }

    @_noLocks
    private mutating func findPeriod() {
        oldCoarseHertz = coarseHertz
        let found = power > NotePitch.leastPower ? search.hertz() : 0
        let isInRange = found >= NotePitch.lowestHertz && found <= NotePitch.highestHertz
        coarseHertz = isInRange ? found : 0
        series.begin(near: 2 * Double.pi * coarseHertz / samplesPerSecond, power: power)
    }

    /// Two readings in a row have to agree: where one note follows another, one alone may hear what both have in common.
    @_noLocks
    private mutating func tell() {
        level = Float(rt_sqrt(power))
        let ratio = coarseHertz > 0 ? oldCoarseHertz / coarseHertz : oldCoarseHertz + 1
        guard abs(ratio - 1) < 0.03 else { return }
        hertz =
            coarseHertz > 0 ? Float(series.fundamental() * samplesPerSecond / (2 * Double.pi)) : 0
    }
}
