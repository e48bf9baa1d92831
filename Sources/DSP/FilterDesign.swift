internal import CRealtime

/// The kinds of filter, in the order of the choices in pipeline files.
public enum FilterShape: Int32, BitwiseCopyable, Sendable, CaseIterable {
    case highpass
    case lowpass
    case bandpass
    case notch
    case peak
    case lowshelf
    case highshelf
}

/// The values of a filter to be made.
public struct FilterDesign: BitwiseCopyable, Sendable {
    /// The kind of filter.
    public var shape: FilterShape
    /// The order of high- and low-pass filters, from 1 to 8.
    public var order: Int
    /// The frequency in Hz, limited to 0.49 of the sample rate.
    public var hertz: Double
    /// The gain of peak and shelves, in dB.
    public var decibels: Double
    /// The quality; for high- and low-pass it raises the corner: 0.7071 is Butterworth, flat.
    public var q: Double

    /// Creates a design from these values.
    @_noLocks
    public init(shape: FilterShape, order: Int, hertz: Double, decibels: Double, q: Double) {
        self.shape = shape
        self.order = order
        self.hertz = hertz
        self.decibels = decibels
        self.q = q
    }

    /// The maximum number of sections of a filter.
    public static var maximumSections: Int { @_noLocks get { 4 } }

    /// The number of sections of the filter.
    public var sectionCount: Int { @_noLocks get { isPass ? (order + 1) / 2 : 1 } }

    private var isPass: Bool { @_noLocks get { shape == .highpass || shape == .lowpass } }

    /// Writes the coefficients of all `sectionCount` sections.
    ///
    /// High- and low-pass filters are Butterworth; the others follow Bristow-Johnson's cookbook.
    /// Both are bilinear transforms of an analogue filter, warped so that the frequency is exact,
    /// and so is the state-variable section.
    @_noLocks
    public func write(to sections: UnsafeMutablePointer<SectionCoefficients>, sampleRate: Double) {
        let g = rt_tan(Double.pi * min(hertz / sampleRate, 0.49))
        guard isPass else {
            sections[0] = cookbookSection(g: g)
            return
        }
        for index in 0..<sectionCount { sections[index] = butterworthSection(index, g: g) }
    }

    @_noLocks
    private func butterworthSection(_ index: Int, g: Double) -> SectionCoefficients {
        if 2 * index + 1 == order { return firstOrderSection(g: g) }
        // The poles lie evenly spaced on a half circle. Section 0 is the sharpest, and only its
        // damping depends on `q`.
        let angle = Double.pi * Double(2 * index + 1) / Double(2 * order)
        let damping = 2 * rt_sin(angle) * (index == 0 ? 0.7071 / q : 1)
        return shape == .lowpass
            ? SectionCoefficients(g: g, damping: damping, input: 0, band: 0, low: 1)
            : SectionCoefficients(g: g, damping: damping, input: 1, band: -damping, low: -1)
    }

    /// Returns 1 / (s + 1) or s / (s + 1) as a second-order section, with numerator and denominator
    /// multiplied by (s + 1).
    @_noLocks
    private func firstOrderSection(g: Double) -> SectionCoefficients {
        shape == .lowpass
            ? SectionCoefficients(g: g, damping: 2, input: 0, band: 1, low: 1)
            : SectionCoefficients(g: g, damping: 2, input: 1, band: -1, low: -1)
    }

    /// Returns the section of any other shape.
    ///
    /// The source is Robert Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter
    /// coefficients"; the band-pass is the one with 0 dB peak gain.
    @_noLocks
    private func cookbookSection(g: Double) -> SectionCoefficients {
        let k = 1 / q
        let root = rt_exp(decibels * (2.302585092994046 / 80))
        let a = root * root
        switch shape {
        case .bandpass:
            return SectionCoefficients(g: g, damping: k, input: 0, band: k, low: 0)
        case .notch:
            return SectionCoefficients(g: g, damping: k, input: 1, band: -k, low: 0)
        case .peak:
            return SectionCoefficients(
                g: g, damping: k / a, input: 1, band: k * (a - 1 / a), low: 0)
        case .lowshelf:
            return SectionCoefficients(
                g: g / root, damping: k, input: 1, band: k * (a - 1), low: a * a - 1)
        default:
            return SectionCoefficients(
                g: g * root, damping: k, input: a * a, band: k * (1 - a) * a,
                low: 1 - a * a)
        }
    }
}
