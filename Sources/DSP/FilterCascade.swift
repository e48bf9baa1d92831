/// The sections of a filter and their state, for pairs of channels in two SIMD lanes.
///
/// The cascade does not free its memory automatically: its creator calls `deallocate`.
public struct FilterCascade: BitwiseCopyable {
    // SAFETY: both buffers are allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    private let coefficients: UnsafeMutablePointer<SectionCoefficients>
    private let states: UnsafeMutablePointer<SectionState>
    private let pairCount: Int
    private var sectionCount = 0

    /// Creates a cascade without sections for a number of channel pairs.
    public init(pairCount: Int) {
        self.pairCount = pairCount
        coefficients = .allocate(capacity: FilterDesign.maximumSections)
        coefficients.initialize(
            repeating: SectionCoefficients(g: 1, damping: 1, input: 0, band: 0, low: 0),
            count: FilterDesign.maximumSections)
        states = .allocate(capacity: pairCount * FilterDesign.maximumSections)
        states.initialize(
            repeating: SectionState(), count: pairCount * FilterDesign.maximumSections)
    }

    /// Frees its memory.
    public func deallocate() {
        coefficients.deallocate()
        states.deallocate()
    }

    /// Replaces the filter by a design and keeps the state.
    @_noLocks
    public mutating func adopt(_ design: FilterDesign, sampleRate: Double) {
        sectionCount = design.sectionCount
        design.write(to: coefficients, sampleRate: sampleRate)
    }

    /// Clears the filter state.
    @_noLocks
    public func clear() {
        for index in 0..<(pairCount * FilterDesign.maximumSections) {
            states[index] = SectionState()
        }
    }

    /// Filters the next frame of a pair of channels, and returns the output.
    @_noLocks
    public func next(_ x: SIMD2<Double>, pair: Int) -> SIMD2<Double> {
        var y = x
        let own = states + pair * FilterDesign.maximumSections
        for section in 0..<sectionCount { y = own[section].next(y, coefficients[section]) }
        return y
    }

    /// Filters the next frames of a pair of channels in place.
    @_noLocks
    public func process(_ frames: UnsafeMutablePointer<SIMD2<Double>>, count: Int, pair: Int) {
        let own = states + pair * FilterDesign.maximumSections
        for section in 0..<sectionCount {
            var state = own[section]
            let coefficient = coefficients[section]
            for frame in 0..<count { frames[frame] = state.next(frames[frame], coefficient) }
            own[section] = state
        }
    }
}
