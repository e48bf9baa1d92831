internal import CRealtime

/// Room for so many floats, all 0.
func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
    let place = UnsafeMutablePointer<Float>.allocate(capacity: count)
    place.initialize(repeating: 0, count: count)
    return place
}

/// Room for so many complex numbers, all 0.
func complexZeros(_ count: Int) -> RTComplexArray {
    RTComplexArray(real: zeros(count), imaginary: zeros(count))
}

func deallocateComplex(_ array: RTComplexArray) {
    array.real.deallocate()
    array.imaginary.deallocate()
}
