internal import Realtime

/// The bytes of one cache line, aligned to 64.
///
/// It is the element of buffers that contain values of several types.
typealias CacheLine = SIMD64<UInt8>

extension Buffer<CacheLine> {
    /// Allocates zeroed memory for at least the given number of bytes.
    init(byteCount: Int) { self.init(count: (byteCount + 63) / 64, repeating: .zero) }

    /// The address of the first byte.
    var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(start) }
}
