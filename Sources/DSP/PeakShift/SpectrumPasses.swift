internal import CRealtime

/// Returns the sum of `count` values.
@_noLocks
func sum(_ values: UnsafePointer<Float>, count: Int) -> Float {
    var (even, odd) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var index = 0
    while index &+ 8 <= count {
        even += rt_load(values + index)
        odd += rt_load(values + index + 4)
        index &+= 8
    }
    var sum = rt_sum_of_lanes(even + odd)
    while index < count {
        sum += values[index]
        index &+= 1
    }
    return sum
}

/// Returns the largest of `count` values, which are not negative.
@_noLocks
func strongest(_ values: UnsafePointer<Float>, count: Int) -> Float {
    var most = SIMD4<Float>.zero
    var index = 0
    while index &+ 4 <= count {
        let lanes = rt_load(values + index)
        most = rt_where(rt_above(lanes, most), lanes, most)
        index &+= 4
    }
    var strongest = most.max()
    while index < count {
        strongest = max(strongest, values[index])
        index &+= 1
    }
    return strongest
}

/// Returns the sum of the squares of `count` values; `count` is a multiple of 8.
@_noLocks
func energy(_ values: UnsafePointer<Float>, count: Int) -> Float {
    var (even, odd) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var index = 0
    while index < count {
        let (low, high) = (rt_load(values + index), rt_load(values + index + 4))
        even += low * low
        odd += high * high
        index &+= 8
    }
    return rt_sum_of_lanes(even + odd)
}

/// Multiplies `count` values, a multiple of 4, by a gain that changes linearly from one value to
/// another.
@_noLocks
func ramp(_ values: UnsafeMutablePointer<Float>, from: Float, to: Float, count: Int) {
    let slope = (to - from) / Float(count)
    var positions = SIMD4<Float>(0.5, 1.5, 2.5, 3.5)
    var index = 0
    while index < count {
        rt_store(values + index, rt_load(values + index) * (positions * slope + from))
        positions += 4
        index &+= 4
    }
}

extension SplitSpectrum {
    /// Adds the power of `count` bins, a multiple of 4, to `power`.
    @_noLocks
    public func addPower(to power: UnsafeMutablePointer<Float>, count: Int) {
        var bin = 0
        while bin < count {
            let (x, y) = (rt_load(real + bin), rt_load(imaginary + bin))
            rt_store(power + bin, rt_load(power + bin) + (x * x + y * y))
            bin &+= 4
        }
    }

    /// Returns the power of the first `bins` bins.
    @_noLocks
    public func power(bins: Int) -> Float {
        var sums = SIMD4<Float>.zero
        var bin = 0
        while bin &+ 4 <= bins {
            let (x, y) = (rt_load(real + bin), rt_load(imaginary + bin))
            sums += x * x + y * y
            bin &+= 4
        }
        var sum = rt_sum_of_lanes(sums)
        while bin < bins {
            sum += real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
            bin &+= 1
        }
        return sum
    }

    /// Adds the power of four bins to `power`, or overwrites it if `isFirst`, and returns the power
    /// of the four bins.
    @_noLocks @inline(__always)
    func addedPower(
        _ bin: Int, to power: UnsafeMutablePointer<Float>, isFirst: Bool
    ) -> SIMD4<Float> {
        let (x, y) = (rt_load(real + bin), rt_load(imaginary + bin))
        let added = x * x + y * y
        rt_store(power + bin, isFirst ? added : added + rt_load(power + bin))
        return added
    }

    /// Adds X · conj X′ to `kept` times the sums, for `count` bins, a multiple of 4.
    @_noLocks
    func correlate(
        _ old: SplitSpectrum, to sums: SplitSpectrum, kept: Float, count: Int
    ) {
        var bin = 0
        while bin < count {
            let (x, y) = (rt_load(real + bin), rt_load(imaginary + bin))
            let (u, v) = (rt_load(old.real + bin), rt_load(old.imaginary + bin))
            let (along, across) = (sums.real + bin, sums.imaginary + bin)
            rt_store(along, kept * rt_load(along) + (x * u + y * v))
            rt_store(across, kept * rt_load(across) + (y * u - x * v))
            bin &+= 4
        }
    }
}
