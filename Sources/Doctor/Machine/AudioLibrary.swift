/// The JACK library that this process has loaded: that of JACK, or that of PipeWire.
package struct AudioLibrary: Sendable {
    /// The version of the JACK library, such as `1.9.21`; empty if it states none.
    package let jackVersion: String
    /// The version of PipeWire, such as `0.3.65`; `nil` if the library is JACK's own.
    package let pipeWireVersion: String?
    /// The frames and the sample rate (Hz) of the cycles of the running server; `nil` if none
    /// answers.
    package let cycle: (frames: Int, sampleRate: Double)?

    package init(
        jackVersion: String, pipeWireVersion: String?,
        cycle: (frames: Int, sampleRate: Double)? = nil
    ) {
        self.jackVersion = jackVersion
        self.pipeWireVersion = pipeWireVersion
        self.cycle = cycle
    }
}
