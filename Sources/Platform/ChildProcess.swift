internal import CLinux
internal import Glibc

/// A child process: a program that this process has started.
///
/// Its standard input is empty. It inherits only the given descriptors, and no blocked or ignored
/// signals. It has its own process group, so that a terminal's Ctrl-C reaches only this process.
/// The kernel sends it a signal when this process ends for any reason.
///
/// A thread that never ends starts all children, with `vfork` (`Sources/CLinux/ChildProcess.c`). An
/// object may be used by one thread at a time.
package final class ChildProcess {
    /// The destination of an output of a child.
    package enum Output {
        /// It is discarded.
        case discarded
        /// A pipe that this process reads.
        case pipe
        /// A descriptor of this process.
        case descriptor(Int32)
    }

    /// The sandbox of a child, which becomes another program in it.
    ///
    /// The child has no privileges, cannot start another program and writes only to its
    /// descriptors. It reads the files that every program reads.
    package struct Sandbox {
        /// The one additional file that it may read; `nil` for none.
        package var file: String?
        /// Whether it may connect to other machines.
        package var mayUseNetwork: Bool

        package init(file: String? = nil, mayUseNetwork: Bool = false) {
            self.file = file
            self.mayUseNetwork = mayUseNetwork
        }
    }

    /// A program to start.
    package struct Launch {
        /// The program's path, or its name, which is searched in PATH.
        package var program: String
        /// The arguments, beginning with the program's name; they do not pass through a shell.
        package var arguments: [String]
        /// Variables, as `NAME=VALUE`, in addition to the environment of this process.
        package var variables: [String] = []
        package var output = Output.discarded
        package var errors = Output.discarded
        /// A descriptor of this process that the child gets as descriptor 3; `nil` for none.
        package var shared: Int32?
        /// The signal that the child gets when this process ends.
        package var endSignal = SIGKILL
        /// The sandbox; `nil` for none.
        package var sandbox: Sandbox?

        /// Creates a launch without output.
        ///
        /// - Parameters:
        ///   - arguments: The arguments, beginning with the program's name.
        ///   - program: The program's path or name; `nil` for the first argument.
        package init(_ arguments: [String], program: String? = nil) {
            self.program = program ?? arguments.first ?? ""
            self.arguments = arguments
        }
    }

    /// The process ID.
    package let id: Int32
    /// The end of the pipe with the child's output; -1 without a pipe.
    package let output: Int32
    /// The end of the pipe with the child's error output; -1 without a pipe.
    package let errors: Int32
    /// How the child ended, once that is known.
    private var end: ChildEnd?

    /// Starts a child.
    ///
    /// - Throws: The system's reason, `ENOENT` if there is no such program.
    package init(_ launch: Launch) throws(SystemError) {
        let output = try Channel(launch.output)
        let errors = try Channel(launch.errors)
        id = try launch.start(output: output.childEnd, errors: errors.childEnd)
        self.output = output.takeReadEnd()
        self.errors = errors.takeReadEnd()
    }

    deinit {
        kill()
        if output >= 0 { close(output) }
        if errors >= 0 { close(errors) }
    }

    /// Returns the path of a program that is searched in PATH; `nil` if it is not found.
    package static func path(ofProgram name: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { text in
            guard let start = text.baseAddress, linux_child_find(name, start, text.count) else {
                return nil
            }
            return String(cString: start)
        }
    }

    /// Returns how the child ended; `nil` if it still runs.
    package func currentEnd() -> ChildEnd? {
        end = end ?? collect(WNOHANG)
        return end
    }

    /// Waits for the end of the child.
    @discardableResult
    package func wait() -> ChildEnd {
        while true {
            if let end = end ?? collect(0) {
                self.end = end
                return end
            }
        }
    }

    /// Waits for the end of the child for a limited time, in milliseconds.
    ///
    /// - Returns: How the child ended; `nil` if it still runs.
    package func wait(forMilliseconds milliseconds: Int32) -> ChildEnd? {
        for _ in 0...max(0, milliseconds / 5) {
            if let end = currentEnd() { return end }
            usleep(5_000)
        }
        return nil
    }

    /// Sends a signal to the child, unless its end is known.
    package func send(_ signal: Int32) {
        if end == nil { _ = Glibc.kill(id, signal) }
    }

    /// Kills the child unless its end is known, and waits for its end.
    @discardableResult
    package func kill() -> ChildEnd {
        send(SIGKILL)
        return wait()
    }

    /// Returns a descriptor that becomes readable when the child ends, and that the caller closes;
    /// -1 if the kernel has none.
    package func makeEndDescriptor() -> Int32 { linux_child_watch(id) }

    /// Collects the child's status; returns `nil` if it still runs or the call was interrupted.
    private func collect(_ options: Int32) -> ChildEnd? {
        var status: Int32 = 0
        let found = waitpid(id, &status, options)
        if found == id { return ChildEnd(waitStatus: status) }
        return found < 0 && errno != EINTR ? .unknown : nil
    }
}

extension ChildProcess.Launch {
    /// Starts the program; returns its process ID.
    fileprivate func start(output: Int32, errors: Int32) throws(SystemError) -> Int32 {
        let words = CStrings(arguments)
        let variables = CStrings(self.variables)
        let file = CStrings([sandbox?.file].compactMap { $0 })
        let descriptors = [-1, output, errors, shared ?? -1]
        var permissions = linux_child_permissions(
            file: file.pointers[0], mayUseNetwork: sandbox?.mayUseNetwork == true)
        let (id, reason) = withExtendedLifetime((words, variables, file)) {
            let id = withUnsafePointer(to: &permissions) {
                linux_child_start(
                    program, words.pointers, variables.pointers, descriptors, endSignal,
                    sandbox == nil ? nil : $0)
            }
            return (id, SystemError.last)
        }
        if id < 0 { throw reason }
        return id
    }
}

/// The two ends of an output of a child.
///
/// Both are closed with this object, except a read end that was handed over.
private final class Channel {
    private var readEnd: Int32 = -1
    /// The descriptor that the child gets; -1 for `/dev/null`.
    let childEnd: Int32
    private let isPipe: Bool

    init(_ output: ChildProcess.Output) throws(SystemError) {
        switch output {
        case .discarded: (childEnd, isPipe) = (-1, false)
        case .descriptor(let descriptor): (childEnd, isPipe) = (descriptor, false)
        case .pipe:
            var ends: [Int32] = [-1, -1]
            // Processes that other threads start in the meantime must not keep the pipe open.
            if linux_pipe(&ends) != 0 { throw .last }
            (readEnd, childEnd, isPipe) = (ends[0], ends[1], true)
        }
    }

    deinit {
        if isPipe { close(childEnd) }
        if readEnd >= 0 { close(readEnd) }
    }

    /// Returns the end to read from, which the caller closes.
    func takeReadEnd() -> Int32 {
        defer { readEnd = -1 }
        return readEnd
    }
}

/// Texts for a C function, as a list that ends with `nil`.
private final class CStrings {
    let pointers: [UnsafePointer<CChar>?]

    init(_ texts: [String]) { pointers = texts.map { UnsafePointer(strdup($0)) } + [nil] }

    deinit { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
}
