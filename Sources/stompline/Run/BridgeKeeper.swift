internal import Glibc
internal import Pipelines
internal import Platform
internal import Synchronization

/// Runs the bridge programs of a session: starts them, and starts each again when it has ended.
final class BridgeKeeper: Sendable {
    private let report: @Sendable (BridgeNotice) -> Void
    private let running = Mutex<[[String]: RunningBridge]>([:])

    /// Creates a keeper without programs.
    ///
    /// - Parameter report: Receives starts and ends, on a thread of the program that it concerns.
    init(report: @escaping @Sendable (BridgeNotice) -> Void) { self.report = report }

    deinit { keep([]) }

    /// Whether any program should run.
    var isEmpty: Bool { running.withLock(\.isEmpty) }

    /// Keeps these programs running, and ends all others.
    ///
    /// - Parameter commands: The command lines; a program that already runs continues.
    func keep(_ commands: Set<[String]>) {
        let ended: [RunningBridge] = running.withLock { running in
            let ended = running.filter { !commands.contains($0.key) }
            for command in ended.keys { running[command] = nil }
            for command in commands where running[command] == nil {
                running[command] = RunningBridge(command, report)
            }
            return Array(ended.values)
        }
        // All end at the same time.
        for bridge in ended { bridge.askToEnd() }
        for bridge in ended { bridge.end() }
    }
}

/// A report of a bridge program.
struct BridgeNotice: Sendable, Equatable {
    /// The command line.
    let command: [String]
    let kind: Kind

    /// The kinds of reports.
    enum Kind: Sendable, Equatable {
        case started
        /// It has ended for this reason, and is started again after a pause.
        case ended(reason: String)
        /// It cannot be started for this reason; further attempts follow.
        case impossible(reason: String)
    }
}

/// One program, with the thread that watches it.
private final class RunningBridge: Sendable {
    private let work: BridgeWork
    private let thread: OwnThread?

    init(_ command: [String], _ report: @escaping @Sendable (BridgeNotice) -> Void) {
        let work = BridgeWork(command, report)
        self.work = work
        thread = OwnThread(name: "bridge") { work.run() }
    }

    /// Asks the program to end, and returns at once.
    func askToEnd() { work.end() }

    /// Waits until the program has ended; must be called only once.
    func end() { thread?.join() }
}

/// The work of the thread that watches one program.
private final class BridgeWork: Sendable {
    /// The shortest and the longest pause before a program is started again, in seconds.
    private static let pauseSeconds = 0.5...8.0
    /// The time for which a program must run so that the next pause is short again, in seconds.
    private static let steadySeconds = 10.0
    /// The time that a program gets to end by itself, in milliseconds.
    private static let endMilliseconds: Int32 = 1000

    private let command: [String]
    private let report: @Sendable (BridgeNotice) -> Void
    private let bell = Bell()
    private let isOver = Atomic(false)

    init(_ command: [String], _ report: @escaping @Sendable (BridgeNotice) -> Void) {
        self.command = command
        self.report = report
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        bell.ring()
    }

    private var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// Runs the program until the end.
    func run() {
        var pause = Self.pauseSeconds.lowerBound
        var lastKind: BridgeNotice.Kind?
        while !hasEnded {
            let start = MonotonicTime.nowSeconds
            let kind = runOnce { lastKind = nil }
            guard !hasEnded, let kind else { return }
            // A program that cannot run at all is reported once.
            if kind != lastKind { notify(kind) }
            lastKind = kind
            if MonotonicTime.nowSeconds > start + Self.steadySeconds {
                pause = Self.pauseSeconds.lowerBound
            }
            wait(forSeconds: pause)
            pause = min(2 * pause, Self.pauseSeconds.upperBound)
        }
    }

    /// Starts the program and waits for its end.
    ///
    /// - Parameter settled: Called if the program has run for a second.
    /// - Returns: The report of the end; `nil` if the program was asked to end.
    private func runOnce(settled: () -> Void) -> BridgeNotice.Kind? {
        guard let program = ChildProcess.path(ofProgram: command[0]) else {
            return .impossible(reason: BridgeProgram.missing(command[0]))
        }
        var launch = ChildProcess.Launch(command, program: program)
        launch.errors = .pipe
        // The program leaves JACK in order even if this process is killed.
        launch.endSignal = SIGTERM
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(launch)
        } catch {
            return .impossible(reason: error.message)
        }
        var lines = LineSplitter()
        var lastLine = ""
        let watch = child.makeEndDescriptor()
        defer { if watch >= 0 { close(watch) } }
        _ = fcntl(child.errors, F_SETFL, O_NONBLOCK)
        var isSettled = false
        let start = MonotonicTime.nowSeconds
        while true {
            read(child.errors, &lines) { lastLine = $0 }
            if let end = child.currentEnd() {
                lines.end { lastLine = $0 }
                return .ended(reason: Self.text(of: end, lastLine))
            }
            if hasEnded {
                child.send(SIGTERM)
                if child.wait(forMilliseconds: Self.endMilliseconds) == nil { child.kill() }
                return nil
            }
            // A program that cannot join JACK ends within a second, and would be reported each time.
            if !isSettled, MonotonicTime.nowSeconds > start + 1 {
                isSettled = true
                settled()
                notify(.started)
            }
            let mayRest = isSettled && watch >= 0
            wait(for: [watch].filter { $0 >= 0 }, milliseconds: mayRest ? 1000 : 100)
        }
    }

    private func read(
        _ descriptor: Int32, _ lines: inout LineSplitter, _ deliver: (String) -> Void
    ) {
        var bytes = [UInt8](repeating: 0, count: 1024)
        while case let count = Glibc.read(descriptor, &bytes, bytes.count), count > 0 {
            lines.add(bytes[..<count], deliver)
        }
    }

    private func wait(forSeconds seconds: Double) {
        wait(for: [], milliseconds: Int32(seconds * 1000))
    }

    private func wait(for descriptors: [Int32], milliseconds: Int32) {
        var waits = ([bell.descriptor] + descriptors).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&waits, nfds_t(waits.count), bell.timeout(milliseconds))
    }

    private func notify(_ kind: BridgeNotice.Kind) {
        report(BridgeNotice(command: command, kind: kind))
    }

    private static func text(of end: ChildEnd, _ lastLine: String) -> String {
        let reason =
            switch end {
            case .exit(let status): "it ended with status \(status)"
            case .signal(let number): "signal \(number) ended it"
            case .unknown: "it ended"
            }
        return lastLine.isEmpty ? reason : "\(reason): \(lastLine)"
    }
}

/// The programs that bridges use.
enum BridgeProgram {
    /// The Debian packages of the programs.
    private static let packages = [
        "zita-j2n": "zita-njbridge", "zita-n2j": "zita-njbridge", "jack_load": "jackd2",
    ]

    /// Returns the message for a program that is not installed.
    static func missing(_ program: String) -> String {
        "\(program) is not installed"
            + (packages[program].map { " (Debian package: \($0))" } ?? "")
    }
}
