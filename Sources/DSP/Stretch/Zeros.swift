internal import CRealtime

/// Allocates `count` floats, all 0.
func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
    let place = UnsafeMutablePointer<Float>.allocate(capacity: count)
    place.initialize(repeating: 0, count: count)
    return place
}

/// Allocates `count` complex numbers, all 0.
func complexZeros(_ count: Int) -> RTComplexArray {
    RTComplexArray(real: zeros(count), imaginary: zeros(count))
}

func deallocateComplex(_ array: RTComplexArray) {
    array.real.deallocate()
    array.imaginary.deallocate()
}
