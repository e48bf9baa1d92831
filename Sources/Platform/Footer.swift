/// Lines at the end of a terminal that stay below all other output.
///
/// The writer's thread calls each function just before it writes the result, so a footer always
/// knows what the terminal shows, even if lines were dropped.
package protocol Footer: AnyObject, Sendable {
    /// Returns the codes that clear the footer; empty if it is not shown.
    ///
    /// They leave the cursor at the start of an empty line.
    func clearing() -> String

    /// Returns the codes that show the footer after the cursor; empty to show nothing.
    func showing() -> String

    /// Returns the codes that clear the footer for good.
    func removing() -> String
}

extension Footer {
    package func removing() -> String { clearing() }
}
