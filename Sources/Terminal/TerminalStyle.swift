internal import Glibc

/// The size and the abilities of a terminal.
package struct TerminalStyle: Equatable {
    /// The narrowest terminal that can show the view.
    static let minimumColumns = 40

    /// The columns that may be written to.
    let columns: Int
    /// The lines that may be written to.
    let rows: Int
    package let hasColour: Bool
    package let isASCII: Bool

    /// Creates a style from its parts.
    package init(columns: Int, rows: Int, hasColour: Bool = true, isASCII: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.hasColour = hasColour
        self.isASCII = isASCII
    }

    /// Creates the style of the terminal behind a descriptor, from its size and the environment.
    package init(of descriptor: Int32, environment: (String) -> String?) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        // The first variable that has a value counts, as for the C library.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .compactMap { environment($0) }.first { !$0.isEmpty }
        let name = (locale ?? "").uppercased()
        self.init(
            columns: isKnown ? Int(size.ws_col) : 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24,
            hasColour: (environment("NO_COLOR") ?? "").isEmpty,
            isASCII: !(name.contains("UTF-8") || name.contains("UTF8")))
    }

    /// The columns that a line may use: in some terminals a line of full width would wrap.
    var room: Int { max(1, columns - 1) }

    /// Returns a text from outside the program in a form that is safe to print.
    func safe(_ text: String) -> String { TextWidth.printable(text, isASCII: isASCII) }

    /// Returns a variable of the program's environment.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
