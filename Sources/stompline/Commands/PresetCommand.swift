internal import ArgumentParser
internal import LV2
internal import Pipelines
internal import Processing

/// `stompline preset`: the presets of LV2 plugins.
struct PresetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Save a node as an LV2 preset, for this and other hosts.",
        subcommands: [PresetSaveCommand.self])
}

/// `stompline preset save FILE NODE LABEL`: saves a node's values and state as a preset of its
/// plugin.
struct PresetSaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save an LV2 node of a pipeline as a preset of its plugin.",
        discussion: """
            Example:
              stompline preset save pipelines/parallel-reverb.json verb "Small church"

            The preset goes to ~/.lv2, where every LV2 host finds it. A pipeline uses it
            with "settings": { "preset": "Small church" }. The preset links to the files
            that the plugin uses.
            """)

    @Argument(help: ArgumentHelp("The pipeline file.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("The id of an LV2 node in the pipeline.", valueName: "node"))
    var node: String

    @Argument(help: ArgumentHelp("The preset's name.", valueName: "label"))
    var label: String

    @Flag(help: "Replace a preset of this name that was saved before.")
    var replace = false

    func run() throws {
        let world = HostServices.plugins()
        let catalogue = HostServices.catalogue(with: world)
        let loaded = try LoadedPipeline(file, sampleRate: 48000, catalogue: catalogue)
        let preset = try preset(in: loaded.pipeline)
        let folder: String
        do throws(PluginError) {
            folder = try world.savePreset(
                label, ofPlugin: preset.uri, preset.request, isReplacing: replace)
        } catch {
            throw Failure(error.message, .failedWrite)
        }
        try Console.put(line: folder)
    }

    /// Returns the node's plugin, and its values in the file.
    private func preset(in pipeline: Pipeline) throws -> NodePreset {
        guard let index = pipeline.nodes.firstIndex(where: { $0.id == node }) else {
            let ids = pipeline.nodes.map { "'\($0.id)'" }.joined(separator: ", ")
            throw Failure.usage("\(file) has no node '\(node)'; it has \(ids)")
        }
        guard let preset = NodePreset(ofNode: index, in: pipeline) else {
            throw Failure.usage("the node '\(node)' is not an LV2 plugin")
        }
        return preset
    }
}
