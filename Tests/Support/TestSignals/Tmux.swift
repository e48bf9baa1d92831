internal import Glibc

/// A terminal with a shell, provided by a separate tmux server.
public struct Tmux {
    private let folder = ScratchFolder()
    private let socket: String

    /// Starts a shell with the prompt `READY:`.
    public init(columns: Int = 80, rows: Int = 24, environment: String = "LC_ALL=C.UTF-8") {
        socket = folder.file("socket")
        run(
            "-f /dev/null new-session -d -x \(columns) -y \(rows) 'env \(environment) PS1=READY: sh'"
        )
        _ = screen { $0.contains("READY:") }
    }

    /// Ends the terminal and all its programs.
    public func end() { run("kill-server") }

    /// Types a line into the shell.
    public func type(_ line: String) {
        run("send-keys -l \"\(line)\"")
        press("Enter")
    }

    /// Presses keys, given by tmux's names for them.
    public func press(_ keys: String) { run("send-keys \(keys)") }

    /// Resizes the terminal.
    public func resize(columns: Int, rows: Int) { run("resize-window -x \(columns) -y \(rows)") }

    /// Returns the screen as soon as it meets a condition, or after ten seconds.
    public func screen(when isAsTold: (String) -> Bool) -> String {
        var text = ""
        for _ in 0..<200 {
            text = run("-u capture-pane -p")
            if isAsTold(text) { break }
            usleep(50_000)
        }
        return text
    }

    @discardableResult
    private func run(_ command: String) -> String {
        guard let stream = popen("tmux -S \(socket) \(command) 2>&1", "r") else { return "" }
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
