import Glibc

/// A program that reads our output; scripts/setup.sh installs it.
struct OtherProgram {
    let command: String

    static let dot = OtherProgram(command: "dot -Tsvg")
    /// Expat, which rejects XML that is not well-formed.
    static let xmlParser = OtherProgram(
        command:
            "python3 -c 'import sys, xml.sax; xml.sax.parse(sys.stdin.buffer, xml.sax.ContentHandler())'"
    )

    /// Whether the program ends with success when it reads the text; `false` if it is not installed.
    func accepts(_ text: String) -> Bool {
        // The mode "e" closes the pipe in other children; otherwise one of them could keep the
        // reader from seeing its end.
        guard let pipe = popen("\(command) >/dev/null 2>&1", "we") else { return false }
        let bytes = Array(text.utf8)
        let written = fwrite(bytes, 1, bytes.count, pipe)
        return pclose(pipe) == 0 && written == bytes.count
    }
}
