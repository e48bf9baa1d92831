internal import Realtime

/// The sections of a filter and their state, for pairs of channels in two SIMD lanes.
public struct FilterCascade: ~Copyable {
    private let coefficients: Buffer<SectionCoefficients>
    private let states: Buffer<SectionState>
    private var sectionCount = 0

    /// Creates a cascade without sections for a number of channel pairs.
    public init(pairCount: Int) {
        coefficients = Buffer(
            count: FilterDesign.maximumSections,
            repeating: SectionCoefficients(g: 1, damping: 1, input: 0, band: 0, low: 0))
        states = Buffer(
            count: pairCount * FilterDesign.maximumSections, repeating: SectionState())
    }

    /// Replaces the filter by a design and keeps the state.
    @_noLocks
    public mutating func adopt(_ design: FilterDesign, sampleRate: Double) {
        sectionCount = design.sectionCount
        design.write(to: coefficients.start, sampleRate: sampleRate)
    }

    /// Clears the filter state.
    @_noLocks
    public func clear() { states.fill(with: SectionState()) }

    /// Filters the next frame of a pair of channels, and returns the output.
    @_noLocks
    public func next(_ x: SIMD2<Double>, pair: Int) -> SIMD2<Double> {
        var y = x
        let coefficients = coefficients.start
        let own = states.start + pair * FilterDesign.maximumSections
        for section in 0..<sectionCount { y = own[section].next(y, coefficients[section]) }
        return y
    }

    /// Filters the next frames of a pair of channels in place.
    @_noLocks
    public func process(_ frames: UnsafeMutablePointer<SIMD2<Double>>, count: Int, pair: Int) {
        let own = states.start + pair * FilterDesign.maximumSections
        for section in 0..<sectionCount {
            var state = own[section]
            let coefficient = coefficients[section]
            for frame in 0..<count { frames[frame] = state.next(frames[frame], coefficient) }
            own[section] = state
        }
    }
}
