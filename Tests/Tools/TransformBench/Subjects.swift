import DSP
import Glibc

extension Subject {
    init(ours size: Int, _ places: Places) {
        let transform = RealTransform(size: size)
        self.init(
            forward: {
                transform.forward(places.signal, real: places.real, imaginary: places.imaginary)
            },
            inverse: {
                transform.inverse(
                    real: places.real, imaginary: places.imaginary, output: places.output)
            })
    }

    /// Debian's `libkissfft-float131`.
    init?(kissfft size: Int, _ places: Places) {
        typealias Make =
            @convention(c) (
                Int32, Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
            ) -> OpaquePointer?
        typealias Transform =
            @convention(c) (
                OpaquePointer, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
            ) -> Void
        guard let library = Library("libkissfft-float.so.131"),
            let make = library.function("kiss_fftr_alloc", as: Make.self),
            let forward = library.function("kiss_fftr", as: Transform.self),
            let inverse = library.function("kiss_fftri", as: Transform.self),
            let there = make(Int32(size), 0, nil, nil), let back = make(Int32(size), 1, nil, nil)
        else { return nil }
        self.init(
            forward: { forward(there, places.signal, places.pairs) },
            inverse: { inverse(back, places.pairs, places.output) })
    }

    /// Debian's `libfftw3-single3`, with measured plans as its manual recommends.
    init?(fftw size: Int, _ places: Places) {
        typealias Plan =
            @convention(c) (
                Int32, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UInt32
            ) -> OpaquePointer?
        typealias Execute = @convention(c) (OpaquePointer) -> Void
        let (measure, preserveInput): (UInt32, UInt32) = (0, 1 << 4)
        guard let library = Library("libfftw3f.so.3"),
            let planForward = library.function("fftwf_plan_dft_r2c_1d", as: Plan.self),
            let planInverse = library.function("fftwf_plan_dft_c2r_1d", as: Plan.self),
            let execute = library.function("fftwf_execute", as: Execute.self),
            let there = planForward(
                Int32(size), places.signal, places.pairs, measure | preserveInput),
            let back = planInverse(
                Int32(size), places.pairs, places.output, measure | preserveInput)
        else { return nil }
        self.init(forward: { execute(there) }, inverse: { execute(back) })
    }
}

/// A library that is loaded if it is installed.
private struct Library {
    private let handle: UnsafeMutableRawPointer

    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW) else { return nil }
        self.handle = handle
    }

    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
}
