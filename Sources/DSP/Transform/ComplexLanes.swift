internal import CRealtime

/// Complex numbers, one per lane.
struct ComplexLanes: BitwiseCopyable {
    var real: SIMD4<Float>
    var imaginary: SIMD4<Float>

    @_noLocks @inline(__always)
    init(_ real: SIMD4<Float>, _ imaginary: SIMD4<Float>) {
        self.real = real
        self.imaginary = imaginary
    }

    /// Loads neighbouring numbers of two arrays.
    @_noLocks @inline(__always)
    init(_ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, at index: Int) {
        self.init(rt_load(real + index), rt_load(imaginary + index))
    }

    /// Repeats a number, stored as real and imaginary part, in each lane.
    @_noLocks @inline(__always)
    init(repeating number: UnsafePointer<Float>) {
        self.init(rt_repeated(number[0]), rt_repeated(number[1]))
    }

    /// The lanes in reverse order, conjugated.
    var reversedConjugate: Self {
        @_noLocks @inline(__always) get {
            Self(rt_reversed(real), SIMD4<Float>.zero - rt_reversed(imaginary))
        }
    }

    @_noLocks @inline(__always)
    static func + (a: Self, b: Self) -> Self {
        Self(a.real + b.real, a.imaginary + b.imaginary)
    }

    @_noLocks @inline(__always)
    static func - (a: Self, b: Self) -> Self {
        Self(a.real - b.real, a.imaginary - b.imaginary)
    }

    @_noLocks @inline(__always)
    static func * (a: Self, b: Self) -> Self {
        Self(
            a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real)
    }

    @_noLocks @inline(__always)
    static func * (a: Self, factor: SIMD4<Float>) -> Self {
        Self(a.real * factor, a.imaginary * factor)
    }

    /// Returns this plus i times the other.
    @_noLocks @inline(__always)
    func plusI(_ other: Self) -> Self { Self(real - other.imaginary, imaginary + other.real) }

    /// Returns this minus i times the other.
    @_noLocks @inline(__always)
    func minusI(_ other: Self) -> Self { Self(real + other.imaginary, imaginary - other.real) }

    /// Returns this times the other's conjugate.
    @_noLocks @inline(__always)
    func timesConjugate(of other: Self) -> Self {
        Self(
            real * other.real + imaginary * other.imaginary,
            imaginary * other.real - real * other.imaginary)
    }

    @_noLocks @inline(__always)
    func store(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, at index: Int
    ) {
        rt_store(real + index, self.real)
        rt_store(imaginary + index, self.imaginary)
    }
}

/// The Fourier transform of four numbers in each lane.
struct FourPoints: BitwiseCopyable {
    let first, second, third, fourth: ComplexLanes

    @_noLocks @inline(__always)
    init(transforming a: ComplexLanes, _ b: ComplexLanes, _ c: ComplexLanes, _ d: ComplexLanes) {
        let (sum, difference) = (a + c, a - c)
        let (otherSum, turned) = (b + d, b - d)
        first = sum + otherSum
        second = difference.minusI(turned)
        third = sum - otherSum
        fourth = difference.plusI(turned)
    }
}
