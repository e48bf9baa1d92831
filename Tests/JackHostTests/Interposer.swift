import Glibc
import Testing
import TestSignals

/// A preloaded library whose functions replace the C library's and fail.
struct Interposer {
    /// The command that starts the program with the library.
    let starter: [String]

    /// Builds the library.
    ///
    /// - Parameters:
    /// - source: The library's C source text.
    /// - folder: The folder for the library.
    /// - Throws: An issue if the compiler rejects the source.
    init(_ source: String, in folder: ScratchFolder) throws {
        let library = folder.file("interposer.so")
        let compiler = startProgram([
            "cc", "-shared", "-fPIC", folder.write(source, to: "interposer.c"), "-o", library,
        ])
        var status: Int32 = -1
        try #require(waitpid(compiler, &status, 0) == compiler && status == 0)
        starter = ["env", "LD_PRELOAD=\(library)"]
    }
}
