internal import Glibc
internal import Processing

extension PropertyCore {
    /// The properties of a node: those that it has by itself are not sent, the others are.
    ///
    /// - Parameters:
    ///   - shape: The plugin.
    ///   - request: What the node says.
    ///   - ports: The memory of the plugin's ports.
    ///   - own: The numbers that the plugin has of its default state and its preset, as many as there are parameters.
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

    /// A path that holds in every folder, as plugins expect.
    private static func absolute(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }
}
