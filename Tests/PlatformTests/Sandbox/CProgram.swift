import Glibc
import TestSignals

/// A program from the folder Programs, compiled with `cc`; it is deleted with this object.
final class CProgram: Sendable {
    let path: String
    private let folder: ScratchFolder

    /// Compiles `NAME.c`; `nil` if that fails.
    init?(_ name: String) {
        folder = ScratchFolder()
        path = folder.file(name)
        let here = #filePath.split(separator: "/")
        let tests = "/" + here.dropLast().joined(separator: "/")
        let library = "/" + here.dropLast(4).joined(separator: "/") + "/Sources/CLinux"
        let sources = [
            "ChildProcess", "ChildSandbox", "SandboxFiles", "SandboxFilter", "SandboxLimits",
        ]
        let arguments =
            [
                "cc", "-O1", "-D_Nonnull=", "-D_Nullable=", "-I", library,
                "\(tests)/Programs/\(name).c", "-o", path, "-lpthread",
            ] + sources.map { "\(library)/\($0).c" }
        guard runProgram(arguments) == 0 else { return nil }
    }
}

/// Runs a program from the search path and returns its status as `waitpid` does; `nil` if it
/// cannot be started.
func runProgram(_ arguments: [String]) -> Int32? {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    guard posix_spawnp(&child, arguments[0], nil, nil, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
}
