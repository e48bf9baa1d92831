public import CRealtime
public import Realtime

/// A reference to a kernel of any type, through which the audio thread calls the kernel.
///
/// The reference is trivial: copying it does not count references. A call loads a function from the
/// type's table of protocol witnesses, which costs as much as a call through a C function pointer.
/// The reference does not own the kernel.
public struct KernelReference: BitwiseCopyable {
    @usableFromInline let type: any (Kernel & ~Copyable).Type
    /// The kernel's address, for prefetching.
    public let address: UnsafeMutableRawPointer

    /// Refers to an initialized kernel, which must outlive the reference.
    public init<Referenced: Kernel & ~Copyable>(_ kernel: UnsafeMutablePointer<Referenced>) {
        type = Referenced.self
        address = UnsafeMutableRawPointer(kernel)
    }

    // The analysis of `@_noLocks` rejects calls on an existential metatype because opening an
    // existential value may instantiate metadata. A metatype carries its metadata with it: the call
    // consists of two loads and a jump. Conforming types annotate the functions that are called.

    /// Renders one block.
    ///
    /// Real-time safe.
    @_semantics("no_performance_analysis") @inlinable @inline(__always)
    public func run(_ block: UnsafePointer<RTBlock>) { type.run(at: address, block) }

    /// Moves a parameter to a value.
    ///
    /// Real-time safe.
    @_semantics("no_performance_analysis") @inlinable @inline(__always)
    public func set(_ parameter: Int32, to value: Float) {
        type.set(at: address, parameter, value)
    }

    /// Returns the next part of the sound that the kernel keeps; `nil` after the last one.
    ///
    /// Real-time safe, between two runs.
    @_semantics("no_performance_analysis") @inlinable @inline(__always)
    public func nextSoundPart() -> SoundPart? { type.nextSoundPart(at: address) }

    /// Replaces a part of the sound that the kernel keeps; not while the audio thread runs it.
    public func restoreSound(_ part: SoundPart) { type.restoreSound(at: address, part) }

    /// Returns the kernel to the state of a new one; not while the audio thread runs it.
    public func reset() { type.reset(at: address) }

    /// Ends the kernel and frees its memory, which must come from `allocate`.
    func free() { type.free(at: address) }
}

// SAFETY: `KernelReference` pairs each address with the type of the kernel at that address, and
// passes it only to these functions.
extension Kernel where Self: ~Copyable {
    @inlinable @inline(__always)
    static func kernel(at address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
        address.assumingMemoryBound(to: Self.self)
    }

    @inlinable @inline(__always)
    static func run(at address: UnsafeMutableRawPointer, _ block: UnsafePointer<RTBlock>) {
        kernel(at: address).pointee.run(block)
    }

    @inlinable @inline(__always)
    static func set(at address: UnsafeMutableRawPointer, _ parameter: Int32, _ value: Float) {
        kernel(at: address).pointee.set(parameter, to: value)
    }

    @inlinable @inline(__always)
    static func nextSoundPart(at address: UnsafeMutableRawPointer) -> SoundPart? {
        kernel(at: address).pointee.nextSoundPart()
    }

    static func restoreSound(at address: UnsafeMutableRawPointer, _ part: SoundPart) {
        kernel(at: address).pointee.restoreSound(part)
    }

    static func reset(at address: UnsafeMutableRawPointer) {
        kernel(at: address).pointee.reset()
    }

    static func free(at address: UnsafeMutableRawPointer) {
        kernel(at: address).deinitialize(count: 1)
        address.deallocate()
    }
}
