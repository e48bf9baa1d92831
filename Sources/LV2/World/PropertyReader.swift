internal import CLilv
internal import Processing

/// A reader of the properties of a plugin that messages set and report.
struct PropertyReader {
    /// The bound of an unbounded number in each direction; `Float` represents it exactly.
    private static let reach: Float = 1e6

    let world: LilvWorldHandle
    let plugin: OpaquePointer

    /// Reads the properties of known types, sorted by URI, each with a unique name.
    ///
    /// - Parameter ports: The plugin's ports. Without an input for messages there are no writable
    ///   properties, and without an output for messages no readable ones.
    /// - Returns: The properties, without duplicates.
    func shapes(_ ports: [PortShape]) -> [PropertyShape] {
        let writable = ports.hasPatch(.eventInput) ? properties("writable") : []
        let readable = ports.hasPatch(.eventOutput) ? properties("readable") : []
        // Every plugin has the setting `preset`.
        var names = Set(ports.map(\.symbol) + ["preset"])
        return Set(writable + readable).sorted().compactMap { uri in
            guard
                let type = Namespace.atom.term(of: value(uri, Namespace.schema("range")))
                    .flatMap(PropertyShape.ValueType.init)
            else { return nil }
            return PropertyShape(
                uri: understood(uri), name: name(of: uri, &names), type: type,
                isWritable: writable.contains(uri), isReadable: readable.contains(uri))
        }
    }

    /// Returns the writable numbers as parameters.
    ///
    /// A default comes from the plugin's default state, or else from the property.
    func parameters(_ properties: [PropertyShape]) -> [ParameterDescription] {
        guard !properties.isEmpty else { return [] }
        let state = PluginState(of: lilv_plugin_get_uri(plugin), in: world)
        let defaults = state?.numbers(of: properties) ?? [:]
        return properties.filter(\.isParameter).map {
            parameter($0, default: defaults[$0.uri] ?? number($0.uri, Namespace.core("default")))
        }
    }

    private func parameter(_ property: PropertyShape, default given: Float?) -> ParameterDescription
    {
        let minimum = number(property.uri, Namespace.core("minimum"))
        let maximum = number(property.uri, Namespace.core("maximum"))
        let bounds = PortBounds(
            minimum: minimum ?? -Self.reach, maximum: maximum ?? Self.reach, defaultValue: given,
            points: [], scalesWithRate: false, isToggle: property.type == .bool)
        return ParameterDescription(
            property.name, label: label(property), summary: summary(property.uri),
            unit: unit(property.uri), kind: kind(property.type), range: bounds.range,
            default: bounds.defaultValue)
    }

    /// Returns a text property as a setting.
    func setting(_ property: PropertyShape) -> SettingDescription {
        let comment = summary(property.uri)
        return SettingDescription(
            property.name, summary: comment.isEmpty ? label(property) : comment,
            kind: property.type == .path ? .path : .text)
    }

    /// Returns a number property as a report.
    func report(_ property: PropertyShape) -> ReportDescription {
        ReportDescription(property.name, label: label(property), unit: unit(property.uri))
    }

    /// Returns the URI that the plugin's code uses for a property.
    ///
    /// The descriptions of LSP's plugins, at least up to version 1.2.5, omit the plugin's own part
    /// of it.
    private func understood(_ uri: String) -> String {
        let broken = "http://lsp-plug.in//ports#"
        guard uri.hasPrefix(broken), let own = world.text(lilv_plugin_get_uri(plugin)) else {
            return uri
        }
        return own + "/ports#" + uri.dropFirst(broken.count)
    }

    private func properties(_ direction: String) -> [String] {
        world.texts(lilv_plugin_get_value(plugin, world.node(Namespace.patch(direction))))
    }

    /// Returns the property's symbol, or else the last part of its URI, made legal and unique.
    private func name(of uri: String, _ names: inout Set<String>) -> String {
        let last = uri.split { "#/:".contains($0) }.last.map(String.init) ?? ""
        let symbol = value(uri, Namespace.core("symbol")) ?? last
        var name = String(symbol.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        if name.first?.isNumber ?? true { name = "_" + name }
        var unique = name
        var number = 1
        while !names.insert(unique).inserted {
            number += 1
            unique = "\(name)_\(number)"
        }
        return unique
    }

    private func kind(_ type: PropertyShape.ValueType) -> ParameterDescription.Kind {
        switch type {
        case .bool: .toggle
        case .int, .long: .integer
        default: .continuous(.linear)
        }
    }

    private func label(_ property: PropertyShape) -> String {
        value(property.uri, Namespace.schema("label")) ?? property.name
    }

    private func summary(_ uri: String) -> String {
        Sentence.first(of: value(uri, Namespace.schema("comment")) ?? "")
    }

    private func unit(_ uri: String) -> Unit {
        PortReader.unit(named: value(uri, Namespace.units("unit")))
    }

    private func value(_ uri: String, _ predicate: String) -> String? {
        world.consumeText(get(world.node(uri), predicate))
    }

    private func number(_ uri: String, _ predicate: String) -> Float? {
        guard let node = get(world.node(uri), predicate) else { return nil }
        defer { lilv_node_free(node) }
        return world.number(node)
    }

    private func get(_ subject: OpaquePointer?, _ predicate: String) -> OpaquePointer? {
        guard let subject, let predicate = world.node(predicate) else { return nil }
        return lilv_world_get(world.pointer, subject, predicate, nil)
    }
}
