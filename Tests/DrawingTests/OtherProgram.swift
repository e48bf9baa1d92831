import Glibc

/// A program that reads what we write, where it is installed.
struct OtherProgram {
    let command: String

    static let dot = OtherProgram(command: "dot -Tsvg")
    /// Expat, which refuses whatever isn't well-formed.
    static let xmlParser = OtherProgram(
        command:
            "python3 -c 'import sys, xml.sax; xml.sax.parse(sys.stdin.buffer, xml.sax.ContentHandler())'"
    )

    var isInstalled: Bool {
        let name = command.prefix { $0 != " " }
        return system("command -v \(name) >/dev/null 2>&1") == 0
    }

    /// Whether it ends with success when fed the text.
    func accepts(_ text: String) -> Bool {
        // Closed in other children ("e"): one that lives on would keep the reader from its end.
        guard let pipe = popen("\(command) >/dev/null 2>&1", "we") else { return false }
        let bytes = Array(text.utf8)
        let written = fwrite(bytes, 1, bytes.count, pipe)
        return pclose(pipe) == 0 && written == bytes.count
    }
}
