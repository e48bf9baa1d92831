internal import Glibc
internal import Platform

/// The probing of plugins in child processes, which a plugin may end without harm.
public enum ProbeProcess {
    /// The file descriptor on which the probing process sends its steps and verdicts.
    private static let messageDescriptor: Int32 = 3

    /// Probes plugins one after another, in the probing process.
    ///
    /// - Parameters:
    ///   - uris: The plugins.
    ///   - world: The world that contains them.
    ///   - scratchFolder: The only folder that the plugins may write to.
    public static func probe(_ uris: [String], in world: PluginWorld, scratchFolder: String) {
        let refusals = enterSandbox(world, scratchFolder)
        for uri in uris {
            var verdict = PluginProbe(world: world, uri: uri) { send(.begins(uri: uri, $0)) }
                .verdict()
            verdict.breaches += refusals.calls.map {
                PluginVerdict.Breach(kind: .sandbox, function: $0, runs: 0)
            }
            verdict.breaches += refusals.files.map {
                PluginVerdict.Breach(
                    kind: .file, function: "\($0.action.verb) \($0.path)", runs: 0)
            }
            refusals.clear()
            send(.verdict(uri: uri, verdict))
        }
    }

    /// Tries how a plugin treats denormals, in the probing process.
    ///
    /// - Parameters:
    ///   - uri: The plugin.
    ///   - values: The value of each of its parameters; empty for the default values.
    ///   - world: The world that contains it.
    ///   - scratchFolder: The only folder that the plugin may write to.
    public static func probeDenormals(
        _ uri: String, values: [Float], in world: PluginWorld, scratchFolder: String
    ) {
        _ = enterSandbox(world, scratchFolder)
        let probe = DenormalProbe(world: world, uri: uri, values: values) {
            send(.begins(uri: uri, $0))
        }
        if let verdict = probe.verdict() { send(.denormals(uri: uri, verdict)) }
    }

    private static func enterSandbox(
        _ world: PluginWorld, _ scratchFolder: String
    ) -> SandboxRefusals {
        PluginExits.endProcess()
        // The plugins' threads may use it until this process ends.
        let refusals = SandboxRefusals(
            .allocate(byteCount: SandboxRefusals.byteCount, alignment: 8))
        refusals.clear()
        _ = PluginSandbox(scratchFolder: scratchFolder, readablePaths: [])
            .enter(bundleFolders: world.bundleFolders, format: nil, refusals: refusals)
        return refusals
    }

    private static func send(_ message: ProbeMessage) {
        let line = message.line + "\n"
        _ = line.utf8.withContiguousStorageIfAvailable {
            write(messageDescriptor, $0.baseAddress, $0.count)
        }
    }

    /// Probes plugins in child processes, with a new process whenever a plugin ended the last one.
    ///
    /// - Parameters:
    ///   - uris: The plugins.
    ///   - program: The arguments that start a program which calls `probe(_:in:scratchFolder:)`.
    ///     The option `--scratch` with the folder, and the plugins' URIs, are appended.
    /// - Returns: One verdict per plugin; a plugin has none if no process could be started for it.
    public static func verdicts(on uris: [String], by program: [String]) -> [String: PluginVerdict]
    {
        let scratch = PluginScratch()
        let program = program + ["--scratch", scratch.path]
        defer { withExtendedLifetime(scratch) {} }
        var verdicts: [String: PluginVerdict] = [:]
        var rest = uris[...]
        while !rest.isEmpty {
            let before = verdicts.count
            let end = run(program + rest) { message in
                if case .verdict(let uri, let verdict) = message { verdicts[uri] = verdict }
            }
            guard let end else { break }
            rest.removeAll { verdicts[$0] != nil }
            if let blamed = rest.first, verdicts.count == before || end.blames(blamed) {
                verdicts[blamed] = PluginVerdict(end.outcome(for: blamed))
                rest.removeFirst()
            }
        }
        return verdicts
    }

    /// Tries how a plugin treats denormals, in a child process.
    ///
    /// - Parameters:
    ///   - uri: The plugin.
    ///   - values: The value of each of its parameters; empty for the default values.
    ///   - program: The arguments that start a program which calls `probeDenormals`. The options
    ///     `--denormals`, `--values` with numbers unless there are none, and `--scratch` with a
    ///     folder, and the URI, are appended.
    /// - Returns: The verdict; `nil` if the plugin could not be tried.
    public static func denormals(
        of uri: String, values: [Float], by program: [String]
    ) -> DenormalVerdict? {
        let scratch = PluginScratch()
        defer { withExtendedLifetime(scratch) {} }
        // An option must have a value.
        let list =
            values.isEmpty
            ? [] : ["--values=" + values.map { "\($0)" }.joined(separator: ",")]
        var result: DenormalVerdict?
        _ = run(program + ["--denormals"] + list + ["--scratch", scratch.path, uri]) {
            if case .denormals(uri, let verdict) = $0 { result = verdict }
        }
        return result
    }

    /// The end of a probing process, and the step that it had begun.
    private struct End {
        var begun: (uri: String, step: ProbeStep)?
        var end = ChildEnd.unknown

        func blames(_ uri: String) -> Bool { begun?.uri == uri }

        func outcome(for uri: String) -> PluginVerdict.Outcome {
            let step = blames(uri) ? begun?.step ?? .make : .make
            switch end {
            case .signal(SIGALRM): return .hangs(step)
            case .signal(let signal): return .crashes(step, .signal(signal))
            case .exit(let status): return .crashes(step, .status(status))
            case .unknown: return .crashes(step, .status(0))
            }
        }
    }

    private static func run(
        _ arguments: [String], _ handle: (ProbeMessage) -> Void
    ) -> End? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        // Processes that other threads start in the meantime must not keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The output of plugins is discarded.
        var launch = ChildProcess.Launch(arguments)
        launch.shared = ends[1]
        let child = try? ChildProcess(launch)
        close(ends[1])
        defer { close(ends[0]) }
        guard let child else { return nil }
        var end = End()
        for line in MessageLines(descriptor: ends[0]) {
            switch ProbeMessage(line: line) {
            case .begins(let uri, let step): end.begun = (uri, step)
            case let message?: handle(message)
            case nil: break
            }
        }
        end.end = child.wait()
        return end
    }
}

/// The lines from a descriptor, until its other end is closed.
private struct MessageLines: Sequence, IteratorProtocol {
    let descriptor: Int32
    private var bytes: [UInt8] = []
    private var isOver = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    mutating func next() -> Substring? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeSubrange(...end) }
                return String(decoding: bytes[..<end], as: UTF8.self)[...]
            }
            guard !isOver else { return nil }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { isOver = true } else { bytes += piece[..<count] }
        }
    }
}
