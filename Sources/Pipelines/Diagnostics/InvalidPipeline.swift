/// The errors of a file that is not a valid pipeline or setlist.
public struct InvalidPipeline: Error, Sendable, Equatable {
    /// The findings in the order of the file; never empty.
    public var diagnostics: [Diagnostic]
    /// Whether the file could not be read at all.
    public var isUnreadable: Bool
    /// Whether all errors are caused by plugins that are not installed.
    public var lacksOnlyPlugins: Bool

    /// Creates the error from its findings.
    public init(
        diagnostics: [Diagnostic], isUnreadable: Bool = false, lacksOnlyPlugins: Bool = false
    ) {
        self.diagnostics = diagnostics
        self.isUnreadable = isUnreadable
        self.lacksOnlyPlugins = lacksOnlyPlugins
    }
}
