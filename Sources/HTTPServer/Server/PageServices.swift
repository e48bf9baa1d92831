public import Pipelines
public import Processing

/// What the program does for the page with files and plugins.
///
/// The functions may wait for the disk or a plugin; the server calls them on blocking tasks.
public struct PageServices: Sendable {
    /// Returns the errors that a pipeline or a setlist would have, given its bytes and its path.
    public var check: @Sendable ([UInt8], String) -> [Diagnostic]
    /// Returns the pipelines that come with the program.
    public var templates: @Sendable () -> [Template]
    /// Returns the presets of a plugin, given its URI.
    public var presets: @Sendable (String) -> Result<[Preset], PluginError>
    /// Saves the present values of a node as a preset of its plugin, and returns its folder.
    public var savePreset: @Sendable (PresetOrder) -> Result<String, PluginError>

    /// Makes the JSON text of `/api/palette` or of one type; `nil` if there is no such type.
    public var palette: @Sendable (PaletteRequest) -> String?

    /// A pipeline to begin with.
    public struct Template: Sendable {
        /// The name of the file.
        public var name: String
        /// The text.
        public var bytes: [UInt8]

        /// Creates a template.
        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// A preset of a plugin.
    public struct Preset: Sendable {
        /// The name for people.
        public var label: String
        /// The URI.
        public var uri: String

        /// Creates a preset.
        public init(label: String, uri: String) {
            self.label = label
            self.uri = uri
        }
    }

    /// A preset to save.
    public struct PresetOrder: Sendable {
        /// The name for people.
        public var label: String
        /// The pipeline with the present values of its nodes.
        public var pipeline: Pipeline
        /// The index of the node.
        public var node: Int
        /// Whether to replace a preset with this name.
        public var isReplacing: Bool
    }

    /// Creates services that know no files and no plugins.
    public init() {
        check = { _, _ in [] }
        templates = { [] }
        presets = { _ in .success([]) }
        palette = { _ in nil }
        savePreset = { _ in .failure(PluginError("presets cannot be saved here")) }
    }
}
