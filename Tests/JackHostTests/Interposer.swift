import Glibc
import TestSignals
import Testing

/// A library in whose place the C library's functions go wrong, for a program that is started through it.
struct Interposer {
    /// What starts the program.
    let starter: [String]

    /// Builds the library.
    ///
    /// - Parameters:
    ///   - source: Its C.
    ///   - folder: Where it is to lie.
    /// - Throws: An issue where the compiler refuses it.
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
