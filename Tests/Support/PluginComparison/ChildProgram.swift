internal import Glibc

/// A program that is run as a child process until it exits.
public struct ChildProgram {
    /// The path of the program.
    public var path: String
    /// Environment variables in addition to this program's own, each `NAME=VALUE`.
    public var environment: [String] = []

    /// Creates a description of the program at a path.
    public init(path: String) { self.path = path }

    /// Creates a description of a product of this package, in the folder of the running program.
    public init(product: String) {
        var name = [CChar](repeating: 0, count: 4096)
        let length = max(0, readlink("/proc/self/exe", &name, name.count - 1))
        let own = String(decoding: name[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + product
    }

    /// This program's own environment.
    private var inherited: [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        while let variable = environ[variables.count] { variables.append(variable) }
        return variables
    }

    /// The way in which a program ended.
    public enum End: Equatable, Sendable {
        case status(Int32)
        case signal(Int32)
        case notStarted
    }

    /// Runs the program with this program's standard output, discards its standard error, and waits
    /// for its exit.
    public func run(_ arguments: [String]) -> End {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var variables = environment.map { strdup($0) } + inherited + [nil]
        defer { for variable in variables.prefix(environment.count) { free(variable) } }
        var child: pid_t = 0
        guard posix_spawn(&child, path, &actions, nil, &words, &variables) == 0 else {
            return .notStarted
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
    }
}
