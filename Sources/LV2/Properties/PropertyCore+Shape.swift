internal import Glibc
internal import Processing

extension PropertyCore {
    /// Creates the properties of a node, and queues those that differ from the plugin's own values.
    ///
    /// - Parameters:
    ///   - shape: The plugin.
    ///   - request: The node's values.
    ///   - ports: The memory of the plugin's ports.
    ///   - own: The values from the plugin's default state and preset, one per parameter.
    init(_ shape: PluginShape, _ request: ProcessorRequest, ports: PluginPorts, own: [Float]) {
        let firstParameter = shape.ports(.parameter).count
        let numbers = shape.properties.filter(\.isParameter).enumerated().map { place, property in
            let index = firstParameter + place
            var value = PropertyValue(property, number: own[index])
            if request.parameters[index] != own[index] { value.set(request.parameters[index]) }
            return value
        }
        let texts = shape.properties.filter(\.isSetting).compactMap { property in
            request.settings[property.name]?.text.map {
                PropertyValue(property, text: property.type == .path ? Self.absolute($0) : $0)
            }
        }
        let firstReport = shape.ports(.report).count
        let places = ports.reports.baseAddress
        let reports = shape.properties.filter(\.isReport).enumerated().compactMap {
            place, property in
            places.map {
                Report(
                    property: URIDTable.map(property.uri), place: $0 + firstReport + place)
            }
        }
        self.init(
            numbers + texts, reports,
            input: shape.ports.patchPort(.eventInput).map { ports.events[$0] },
            output: shape.ports.patchPort(.eventOutput).map { ports.events[$0] })
    }

    /// Returns the absolute path, which plugins expect.
    private static func absolute(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }
}
