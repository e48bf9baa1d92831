internal import Glibc

/// A terminal of its own, with a shell in it: tmux on a server of its own.
public struct Tmux {
    private let folder = ScratchFolder()
    private let socket: String

    /// Starts a shell whose prompt is `READY:`.
    public init(columns: Int = 80, rows: Int = 24, environment: String = "LC_ALL=C.UTF-8") {
        socket = folder.file("socket")
        run(
            "-f /dev/null new-session -d -x \(columns) -y \(rows) 'env \(environment) PS1=READY: sh'"
        )
        _ = screen { $0.contains("READY:") }
    }

    /// Ends the terminal and all in it.
    public func end() { run("kill-server") }

    /// Types a line for the shell.
    public func type(_ line: String) {
        run("send-keys -l \"\(line)\"")
        press("Enter")
    }

    /// Presses keys, by the names that tmux has for them.
    public func press(_ keys: String) { run("send-keys \(keys)") }

    /// Makes the terminal another size.
    public func resize(columns: Int, rows: Int) { run("resize-window -x \(columns) -y \(rows)") }

    /// What is to be seen, as soon as it is as told; after ten seconds as it is.
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
