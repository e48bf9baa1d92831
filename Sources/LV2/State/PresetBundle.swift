internal import CLilv
internal import Glibc
public import Processing

extension PluginWorld {
    /// Saves a node's sound as a preset in the user's LV2 folder, in which all hosts find it.
    ///
    /// The plugin is loaded for this, in the node's starting state. The preset links to the files
    /// that the state names.
    ///
    /// - Parameters:
    ///   - label: The preset's name for people.
    ///   - uri: The plugin's URI.
    ///   - request: The node's values.
    ///   - isReplacing: Whether to replace an existing preset with this label.
    /// - Returns: The folder with the preset.
    /// - Throws: `PluginError` if the preset exists and must not be replaced, the plugin does not
    ///   load, or the preset cannot be written.
    public func savePreset(
        _ label: String, ofPlugin uri: String, _ request: ProcessorRequest, isReplacing: Bool
    ) throws(PluginError) -> String {
        let bundle = try PresetBundle(
            label: label, plugin: try description(ofPlugin: uri).label)
        guard isReplacing || !bundle.exists else {
            throw PluginError("the preset \(bundle.folder) already exists")
        }
        let instance = try instance(forPlugin: uri, request)
        try locked { () throws(PluginError) in
            let state = try instance.captured(copyingFilesTo: bundle.newFolder, self)
            try bundle.write(state, in: try world())
        }
        return bundle.folder
    }
}

/// The folder of a preset, named like those of other hosts.
private struct PresetBundle {
    let label: String
    let folder: String
    /// The folder in which the preset is written until it is complete.
    let newFolder: String
    private let fileName: String

    init(label: String, plugin: String) throws(PluginError) {
        guard let home = getenv("HOME").map({ String(cString: $0) }), !home.isEmpty else {
            throw PluginError("the preset cannot be saved: HOME is not set")
        }
        guard !label.isEmpty, !label.utf8.contains(where: { $0 < 0x20 }) else {
            throw PluginError("the label of a preset must be one line of text")
        }
        self.label = label
        fileName = Self.plain(label) + ".ttl"
        let name = Self.plain(plugin) + "_" + Self.plain(label) + ".preset.lv2"
        folder = home + "/.lv2/" + name
        newFolder = home + "/.lv2/." + name + ".new"
    }

    var exists: Bool { access(folder, F_OK) == 0 }

    /// Writes a state, and replaces an existing preset with it.
    func write(_ state: PluginState, in world: LilvWorldHandle) throws(PluginError) {
        var map = PluginFeatures.uridMap
        var unmap = PluginFeatures.uridUnmap
        lilv_state_set_label(state.pointer, label)
        let failure = lilv_state_save(
            world.pointer, &map, &unmap, state.pointer, nil, newFolder, fileName)
        guard failure == 0 else {
            plugin_remove_folder(newFolder)
            throw PluginError("the preset cannot be written to \(newFolder)")
        }
        // The world must forget a replaced preset, and know a new one, without a restart.
        let place = lilv_new_file_uri(world.pointer, nil, folder + "/")
        defer { lilv_node_free(place) }
        if exists {
            let preset = lilv_new_file_uri(world.pointer, nil, folder + "/" + fileName)
            defer { lilv_node_free(preset) }
            lilv_world_unload_resource(world.pointer, preset)
            lilv_world_unload_bundle(world.pointer, place)
            plugin_remove_folder(folder)
        }
        guard rename(newFolder, folder) == 0 else {
            throw PluginError("the preset cannot be written to \(folder)")
        }
        lilv_world_load_bundle(world.pointer, place)
    }

    /// Replaces the characters of a text that are problematic in file names with underscores.
    private static func plain(_ text: String) -> String {
        let plain = text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
        return String(plain.prefix(80))
    }
}
