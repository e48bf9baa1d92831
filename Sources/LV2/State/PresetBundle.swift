internal import CLilv
internal import Glibc
public import Processing

extension PluginWorld {
    /// Saves what a node sounds like as a preset in the user's LV2 folder, where every host finds it.
    ///
    /// The plugin is loaded for it, in the state that the node starts with; files that it names are linked from there.
    ///
    /// - Parameters:
    ///   - label: The preset's name as a person reads it.
    ///   - uri: The plugin's URI.
    ///   - request: What the node says.
    ///   - isReplacing: Whether a preset of this label that was saved before is replaced.
    /// - Returns: The folder with the preset.
    /// - Throws: `PluginFault` where there is such a preset, the plugin does not load, or nothing can be written.
    public func savePreset(
        _ label: String, ofPlugin uri: String, _ request: ProcessorRequest, isReplacing: Bool
    ) throws(PluginFault) -> String {
        let bundle = try PresetBundle(
            label: label, plugin: try description(ofPlugin: uri).label)
        guard isReplacing || !bundle.isThere else {
            throw PluginFault("there is a preset \(bundle.folder) already")
        }
        let instance = try instance(forPlugin: uri, request)
        try locked { () throws(PluginFault) in
            let state = try instance.captured(copyingFilesTo: bundle.newFolder, self)
            try bundle.write(state, in: try world())
        }
        return bundle.folder
    }
}

/// The folder that a preset is saved in, named as other hosts name theirs.
private struct PresetBundle {
    let label: String
    let folder: String
    /// Where it is written until it is whole.
    let newFolder: String
    private let fileName: String

    init(label: String, plugin: String) throws(PluginFault) {
        guard let home = getenv("HOME").map({ String(cString: $0) }), !home.isEmpty else {
            throw PluginFault("there is no home folder to save a preset in")
        }
        guard !label.isEmpty, !label.utf8.contains(where: { $0 < 0x20 }) else {
            throw PluginFault("a preset's label must be text on one line")
        }
        self.label = label
        fileName = Self.plain(label) + ".ttl"
        let name = Self.plain(plugin) + "_" + Self.plain(label) + ".preset.lv2"
        folder = home + "/.lv2/" + name
        newFolder = home + "/.lv2/." + name + ".new"
    }

    var isThere: Bool { access(folder, F_OK) == 0 }

    /// Writes a state, and puts it in the place of one that was there.
    func write(_ state: PluginState, in world: LilvWorldHandle) throws(PluginFault) {
        var map = PluginFeatures.uridMap
        var unmap = PluginFeatures.uridUnmap
        lilv_state_set_label(state.pointer, label)
        let failure = lilv_state_save(
            world.pointer, &map, &unmap, state.pointer, nil, newFolder, fileName)
        guard failure == 0 else {
            plugin_remove_folder(newFolder)
            throw PluginFault("the preset cannot be written to \(newFolder)")
        }
        if isThere { plugin_remove_folder(folder) }
        guard rename(newFolder, folder) == 0 else {
            throw PluginFault("the preset cannot be written to \(folder)")
        }
    }

    /// A text with underscores for what a file's name had better not hold.
    private static func plain(_ text: String) -> String {
        let plain = text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
        return String(plain.prefix(80))
    }
}
