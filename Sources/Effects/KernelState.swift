/// Moves a kernel to the heap, where its address stays the same until `freeKernel`.
func allocateKernel<Kernel: ~Copyable>(_ kernel: consuming Kernel) -> UnsafeMutableRawPointer {
    let place = UnsafeMutablePointer<Kernel>.allocate(capacity: 1)
    place.initialize(to: kernel)
    return UnsafeMutableRawPointer(place)
}

// SAFETY: a processor pairs the two, and its functions bind the state to the type that it was made with; nobody else
// holds the address.

/// Ends a kernel that `allocateKernel` moved to the heap, with all it owns.
func freeKernel<Kernel: ~Copyable>(_ state: UnsafeMutableRawPointer, as type: Kernel.Type) {
    let place = state.assumingMemoryBound(to: type)
    place.deinitialize(count: 1)
    place.deallocate()
}
