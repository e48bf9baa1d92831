internal import CLilv
internal import Processing

/// A reader of a plugin's description.
struct PluginReader {
    let world: LilvWorldHandle
    let plugin: OpaquePointer

    var uri: String { world.text(lilv_plugin_get_uri(plugin)) ?? "" }
    var name: String { world.consumeText(lilv_plugin_get_name(plugin)) ?? uri }
    var author: String { world.consumeText(lilv_plugin_get_author_name(plugin)) ?? "" }
    var bundlePath: String { path(lilv_plugin_get_bundle_uri(plugin)) ?? "" }

    /// The kind of plugin, from the label of its class.
    var category: String {
        let type = lilv_plugin_get_class(plugin)
        let label = world.text(lilv_plugin_class_get_label(type)) ?? ""
        return label == "Plugin"
            ? "" : label.hasSuffix(" Plugin") ? String(label.dropLast(7)) : label
    }

    /// Reads the plugin with all its ports.
    func shape() -> PluginShape {
        let ports = readers()
        let shapes = ports.map { $0?.shape() ?? PortShape(symbol: "", label: "", role: .unknown) }
            .sharingSizes()
        let properties = PropertyReader(world: world, plugin: plugin).shapes(shapes)
        return PluginShape(
            uri: uri, libraryPath: path(lilv_plugin_get_library_uri(plugin)) ?? "",
            bundlePath: bundlePath, author: author, ports: shapes, properties: properties,
            description: description(ports.compactMap(\.self), shapes, properties),
            loadsDefaultState: supports(Namespace.state("loadDefaultState")),
            restoresWhileRunning: supports(Namespace.state("threadSafeRestore")),
            error: error(shapes))
    }

    private func readers() -> [PortReader?] {
        (0..<lilv_plugin_get_num_ports(plugin)).map { index in
            lilv_plugin_get_port_by_index(plugin, index).map {
                PortReader(world: world, plugin: plugin, port: $0)
            }
        }
    }

    private func description(
        _ readers: [PortReader], _ shapes: [PortShape], _ properties: [PropertyShape]
    ) -> NodeDescription {
        let ports = zip(readers, shapes)
        let reader = PropertyReader(world: world, plugin: plugin)
        return NodeDescription(
            name: uri, label: name, summary: summary,
            channels: .ports(inputs: audioInputs(shapes), outputs: audioOutputs(shapes)),
            parameters: ports.filter { $1.role == .parameter }.map { $0.parameter($1) }
                + reader.parameters(properties),
            settings: properties.filter(\.isSetting).map(reader.setting),
            reports: ports.filter { $1.role == .report }.map { $0.report($1) }
                + properties.filter(\.isReport).map(reader.report),
            receivesEvents: shapes.contains { $0.role == .eventInput && $0.carriesMIDI },
            sendsEvents: shapes.contains { $0.role == .eventOutput && $0.carriesMIDI },
            missingFeatures: missingFeatures(), category: category)
    }

    /// Returns the audio inputs, followed by the control voltage inputs.
    ///
    /// Control voltage inputs are all optional. An audio input is optional if it is a side chain,
    /// or if it may be left unconnected and its index is not below the number of outputs. Some
    /// stereo plugins declare that their right input may be left unconnected, although it carries
    /// the signal.
    private func audioInputs(_ shapes: [PortShape]) -> [PortDescription] {
        let outputCount = shapes.count { $0.role == .audioOutput }
        return shapes.indices(of: .audioInput).map { shapes[$0] }.enumerated().map { index, port in
            PortDescription(
                symbol: port.symbol, label: port.label,
                isOptional: port.isSideChain || port.isOptional && index >= outputCount)
        } + controlVoltages(shapes, .controlVoltageInput)
    }

    private func controlVoltages(_ shapes: [PortShape], _ role: PortShape.Role)
        -> [PortDescription]
    {
        shapes.indices(of: role).map { shapes[$0] }.map {
            PortDescription(
                symbol: $0.symbol, label: $0.label, isOptional: true, isControlVoltage: true,
                restingValue: $0.restingValue)
        }
    }

    private func audioOutputs(_ shapes: [PortShape]) -> [PortDescription] {
        shapes.indices(of: .audioOutput).map { shapes[$0] }.map {
            PortDescription(symbol: $0.symbol, label: $0.label)
        } + controlVoltages(shapes, .controlVoltageOutput)
    }

    private var summary: String {
        let texts = [Namespace.schema("comment"), Namespace.projects("description")]
        let found = texts.lazy.compactMap { term in
            world.texts(lilv_plugin_get_value(plugin, world.node(term))).first
        }
        return Sentence.first(of: found.first ?? "")
    }

    /// Returns the required features and options that are not offered, as sorted short names.
    func missingFeatures() -> [String] {
        let features = Set(world.texts(lilv_plugin_get_required_features(plugin)))
        let options = Set(
            world.texts(
                lilv_plugin_get_value(plugin, world.node(Namespace.options("requiredOption")))))
        return features.subtracting(PluginFeatures.offered)
            .union(options.subtracting(PluginOptions.offered))
            .map { Namespace.shortened($0) + Self.reason(for: $0) }.sorted()
    }

    /// Returns why a feature cannot be offered, in brackets; empty if it is simply unknown.
    private static func reason(for feature: String) -> String {
        let lengths = ["fixedBlockLength", "powerOf2BlockLength"].map { Namespace.bufferSize($0) }
        return lengths.contains(feature) ? " (JACK can change the block size at any time)" : ""
    }

    private func supports(_ feature: String) -> Bool {
        world.texts(lilv_plugin_get_supported_features(plugin)).contains(feature)
    }

    /// Returns the error in the description that makes the plugin unusable; `nil` without an error.
    private func error(_ shapes: [PortShape]) -> String? {
        guard lilv_plugin_verify(plugin) else { return "its description is incomplete" }
        guard !shapes.isEmpty else { return "its ports have no description" }
        if let index = shapes.firstIndex(where: { $0.symbol.isEmpty }) {
            return "its port \(index) has no description"
        }
        if let port = shapes.first(where: { $0.role == .unknown }) {
            return "its port '\(port.symbol)' has an unsupported type"
        }
        if let port = shapes.first(where: { $0.minimumBytes > PortShape.maximumBytes }) {
            return "its port '\(port.symbol)' requires more than \(PortShape.maximumBytes) bytes"
        }
        var symbols: Set<String> = []
        let twice = shapes.first { !symbols.insert($0.symbol).inserted }
        return twice.map { "it has two ports named '\($0.symbol)'" }
    }

    private func path(_ uri: OpaquePointer?) -> String? {
        guard let uri, let path = lilv_file_uri_parse(lilv_node_as_uri(uri), nil) else {
            return nil
        }
        defer { lilv_free(path) }
        return String(cString: path)
    }
}

extension [PortShape] {
    /// Returns the ports, with each event buffer at least as large as the buffers that it names.
    fileprivate func sharingSizes() -> [PortShape] {
        map { port in
            var port = port
            let others = filter { port.asLargeAs.contains($0.symbol) }
            port.minimumBytes = others.map(\.minimumBytes).reduce(port.minimumBytes, Swift.max)
            return port
        }
    }
}
