internal import Glibc

/// What a terminal can show.
package struct TerminalStyle: Equatable {
    /// Columns that may be written to.
    var columns: Int
    /// Lines that may be written to.
    var rows: Int
    package var hasColour = true
    package var isASCII = false

    /// Below this it is taken for no terminal's width at all.
    static let leastColumns = 40

    /// A style of the size given.
    package init(columns: Int, rows: Int, hasColour: Bool = true, isASCII: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.hasColour = hasColour
        self.isASCII = isASCII
    }

    /// The style of the terminal behind a descriptor, as its size and the environment say.
    package init(of descriptor: Int32, environment: (String) -> String?) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = isKnown ? Int(size.ws_col) : 80
        rows = isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
        hasColour = (environment("NO_COLOR") ?? "").isEmpty
        // The first that says something holds, as for the C library.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .compactMap { environment($0) }.first { !$0.isEmpty }
        let name = (locale ?? "").uppercased()
        isASCII = !(name.contains("UTF-8") || name.contains("UTF8"))
    }

    /// A variable of the program's environment.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
