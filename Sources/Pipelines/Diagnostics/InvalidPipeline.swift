/// Why a file is no pipeline or setlist: everything that is wrong with it.
public struct InvalidPipeline: Error, Sendable, Equatable {
    /// In the order of the file; never empty.
    public var diagnostics: [Diagnostic]
    /// Whether the file could not be read at all.
    public var isUnreadable: Bool
    /// Whether plugins that are not installed are all that is wrong.
    public var lacksOnlyPlugins: Bool

    /// What is wrong, and of which kind it is.
    public init(
        diagnostics: [Diagnostic], isUnreadable: Bool = false, lacksOnlyPlugins: Bool = false
    ) {
        self.diagnostics = diagnostics
        self.isUnreadable = isUnreadable
        self.lacksOnlyPlugins = lacksOnlyPlugins
    }
}
