import Glibc
import TestSignals

/// The program from Escape/escape.c, compiled with `cc`; it is deleted with this object.
final class EscapeProgram: Sendable {
    let path: String
    private let folder: ScratchFolder

    /// Compiles the program; `nil` if that fails.
    init?() {
        folder = ScratchFolder()
        path = folder.file("escape")
        let here = #filePath
        let source = here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex)
        let arguments = ["cc", "-O1", source + "Escape/escape.c", "-o", path, "-lpthread"]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        guard posix_spawnp(&child, "cc", nil, nil, &words, environ) == 0 else { return nil }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        if status != 0 { return nil }
    }
}
