import Glibc
import Testing
import TestSignals

/// The real program at work.
///
/// It is `stompline run` in the shared server with OSC and its file in a separate folder, between a
/// player of sound and MIDI and a listener.
final class LiveProgram {
    let folder = ScratchFolder()
    let program: Program
    let player: Player
    let listener: Player
    /// The path of the file that is played.
    let file: String
    private let errors: String
    private let patchbay: Patchbay
    private let name: String
    private lazy var port = Self.port(in: standardError)

    /// Plays a pipeline or a setlist, and waits until the fade at the start is over.
    ///
    /// - Parameters:
    /// - name: The JACK client's name.
    /// - files: Texts by file name; the first one is played.
    /// - input: The audio input that the player plays into; `nil` for none.
    /// - options: Additional options of the command line.
    /// - Throws: An issue if the program does not start.
    init(
        _ name: String, _ files: KeyValuePairs<String, String>, input: String? = "mic",
        _ options: String...
    ) throws {
        patchbay = try Patchbay()
        self.name = name
        for (name, text) in files { folder.write(text, to: name) }
        file = folder.file(files[0].key)
        errors = folder.file("errors")
        program = try Program(
            [
                "run", file, "--json", "--name", name, "--server", TestServer.shared.name,
                "--osc", "0",
            ] + options, by: ["sh", "-c", "exec \"$@\" 2>\(errors)", "sh"])
        try #require(program.waitFor(event: "started") != nil)
        player = try Player("\(name)-hand")
        listener = try Player("\(name)-ear")
        patchbay.refresh()
        if let input { link("\(name)-hand:out", "\(name):\(input)") }
        if patchbay.ports(of: name).contains("\(name):control") {
            link("\(name)-hand:keys", "\(name):control")
        }
        if patchbay.ports(of: name).contains("\(name):feedback") {
            link("\(name):feedback", "\(name)-ear:lights")
        }
        link("\(name):main", "\(name)-ear:in")
        // The program fades its outputs in at the start; sounds are compared after the fade.
        _ = listener.record(9_600)
    }

    deinit {
        kill(program.process, SIGTERM)
        _ = program.waitForStatus()
    }

    /// Connects two ports, and waits until messages and sound pass.
    ///
    /// PipeWire reports a connection some cycles before anything passes through it.
    func connect(_ from: String, _ to: String) {
        link(from, to)
        _ = listener.record(9_600)
    }

    private func link(_ from: String, _ to: String) {
        patchbay.connect(from, to)
        #expect(patchbay.waits(from, to), "\(from) and \(to)")
    }

    func isConnected(_ from: String, _ to: String) -> Bool { patchbay.waits(from, to) }

    func has(port: String, exists: Bool = true) -> Bool {
        patchbay.waits(port: "\(name):\(port)", exists: exists)
    }

    // MARK: The file

    /// Replaces text in the file in place, as some editors do.
    func edit(_ old: String, _ new: String) {
        let text = Self.text(of: file)
        #expect(text.contains(old))
        write(text.replacing(old, with: new))
    }

    func write(_ text: String) {
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        folder.write(text, to: name)
    }

    /// The program's standard error so far.
    var standardError: String { Self.text(of: errors) }

    /// Waits until standard error contains a text, for at most 5 s.
    func says(_ words: String) -> Bool {
        waitUntil { standardError.contains(words) ? true : nil } ?? false
    }

    // MARK: Remote control

    /// Returns the output of `stompline ctl`, including standard error, without the final line
    /// breaks.
    @discardableResult
    func ctl(_ words: String...) throws -> String { try ctl(words) }

    /// Returns the output of `stompline ctl`, including standard error, without the final line
    /// breaks.
    @discardableResult
    func ctl(_ words: [String]) throws -> String {
        try Self.ctl(words, port: port, folder: folder)
    }

    /// Returns the output of `stompline ctl` for the given port.
    static func ctl(_ words: [String], port: String, folder: ScratchFolder) throws -> String {
        let output = folder.file("ctl")
        let caller = try Program(
            ["ctl", "--port", port] + words, by: ["sh", "-c", "exec \"$@\" >\(output) 2>&1", "sh"])
        #expect(caller.waitForStatus() != nil)
        return text(of: output).split(separator: "\n").joined(separator: "\n")
    }

    /// Waits until `ctl` prints a value, for at most 5 s.
    func holds(_ address: String, _ value: String) throws -> Bool {
        for _ in 0..<50 {
            if try ctl(address) == value { return true }
            usleep(100_000)
        }
        return false
    }

    /// Prints changes into a file until the process is ended.
    func watch(_ words: String..., into output: String) throws -> Program {
        try Program(
            ["ctl", "--port", port, "--watch"] + words,
            by: ["sh", "-c", "exec \"$@\" >\(output) 2>&1", "sh"])
    }

    /// Returns the port that a program names on standard error.
    static func port(in text: String) -> String {
        text.split(separator: "\n").first { $0.contains("OSC at UDP") }?
            .split(separator: ":").last.map(String.init) ?? "0"
    }

    static func text(of path: String) -> String {
        guard let stream = fopen(path, "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
