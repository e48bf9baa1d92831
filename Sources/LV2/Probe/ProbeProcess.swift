internal import Glibc
internal import Platform
public import Processing

/// The probing of plugins in child processes, which a plugin may end without harm.
public enum ProbeProcess {
    /// The file descriptor on which the probing process sends its steps and verdicts.
    private static let messageDescriptor: Int32 = 3
    /// The greatest length of a stored request, in bytes.
    private static let longestRequest = 1 << 20

    /// Probes plugins one after another, in the probing process.
    ///
    /// - Parameters:
    ///   - uris: The plugins.
    ///   - world: The world that contains them.
    ///   - scratchFolder: The only folder that the plugins may write to.
    public static func probe(_ uris: [String], in world: PluginWorld, scratchFolder: String) {
        let refusals = enter(
            PluginSandbox(scratchFolder: scratchFolder, readablePaths: []), world)
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
    ///   - world: The world that contains the plugin.
    ///   - scratchFolder: The only folder that the plugin may write to. It contains the plugin's
    ///     request, which `denormals` has stored there.
    public static func probeDenormals(in world: PluginWorld, scratchFolder: String) {
        let path = requestPath(inFolder: scratchFolder)
        guard let bytes = FileBytes.read(path, limit: longestRequest),
            let plugin = bytes.withUnsafeBytes({ HostRequest($0) }), let sandbox = plugin.sandbox
        else { return }
        _ = enter(sandbox, world)
        let probe = DenormalProbe(world: world, uri: plugin.uri, request: plugin.request) {
            send(.begins(uri: plugin.uri, $0))
        }
        if let verdict = probe.verdict() { send(.denormals(uri: plugin.uri, verdict)) }
    }

    private static func requestPath(inFolder folder: String) -> String { "\(folder)/request" }

    private static func enter(_ sandbox: PluginSandbox, _ world: PluginWorld) -> SandboxRefusals {
        PluginExits.endProcess()
        // The plugins' threads may use it until this process ends.
        let refusals = SandboxRefusals(
            .allocate(byteCount: SandboxRefusals.byteCount, alignment: 8))
        refusals.clear()
        _ = sandbox.enter(
            bundleFolders: world.bundleFolders, format: nil, refusals: refusals)
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
    ///   - request: The values, the settings, the tempo and the sandbox. The format and the numbers
    ///     of channels do not count. Without values, parameters have their default values.
    ///   - program: The arguments that start a program which calls `probeDenormals`. The options
    ///     `--denormals`, and `--scratch` with a folder, are appended.
    /// - Returns: The outcome.
    public static func denormals(
        of uri: String, _ request: ProcessorRequest, by program: [String]
    ) -> DenormalOutcome {
        let scratch = PluginScratch()
        defer { withExtendedLifetime(scratch) {} }
        var request = request
        if case .off = request.sandbox { request.sandbox = .on(folder: nil) }
        var plugin = HostRequest(uri: uri, bundleFolders: [], request: request)
        plugin.sandbox = PluginSandbox(of: request, scratchFolder: scratch.path)
        let path = requestPath(inFolder: scratch.path)
        guard FileBytes.replace(path, with: plugin.bytes, isPrivate: true) else {
            return .untried
        }
        var result: DenormalVerdict?
        let end = run(program + ["--denormals", "--scratch", scratch.path]) {
            if case .denormals(uri, let verdict) = $0 { result = verdict }
        }
        if let result { return .verdict(result) }
        if let end, end.blames(uri), case .hangs(let step) = end.outcome(for: uri) {
            return .hangs(step)
        }
        return .untried
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
