@preconcurrency internal import Glibc

/// The buffer of the C library's standard output.
package enum LineBuffering {
    /// Makes the C library write each line at once; by default it buffers whole pages if the output
    /// is not a terminal.
    package static func begin() { setvbuf(stdout, nil, _IOLBF, 0) }
}
