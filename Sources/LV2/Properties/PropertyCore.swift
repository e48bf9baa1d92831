internal import Glibc
internal import Processing
internal import Platform
internal import Realtime

/// The data for a plugin's properties during a run: values to send, and destinations of reports.
struct PropertyCore: ~Copyable {
    /// A number that the plugin reports.
    private struct Report {
        let property: UInt32
        /// The address to which the number is written.
        let address: UnsafeMutablePointer<Float>
        /// Whether the plugin was asked for the number.
        var isRequested = false
    }

    /// The numbers in the order of the node's parameters, without the ports; then the texts.
    private let values: Buffer<PropertyValue>
    private let reports: Buffer<Report>
    private let writer: PatchWriter?
    private let output: UnsafePointer<EventBuffer>?
    private let terms: PatchTerms
    /// Whether there may be something to send.
    private(set) var isDue: Bool

    /// Creates the properties of a node, and queues those that differ from the plugin's own values.
    ///
    /// - Parameters:
    ///   - shape: The plugin.
    ///   - request: The node's values.
    ///   - ports: The memory of the plugin's ports, which must outlive this value.
    ///   - own: The values from the plugin's default state and preset, one per parameter.
    init(_ shape: PluginShape, _ request: ProcessorRequest, ports: PluginPorts, own: [Float]) {
        values = Self.values(shape, request, own: own)
        let firstReport = ports.reports.start + shape.ports(.report).count
        reports = Buffer(
            shape.properties.filter(\.isReport).enumerated().map { index, property in
                Report(property: URIDTable.map(property.uri), address: firstReport + index)
            })
        let terms = PatchTerms()
        self.terms = terms
        writer = shape.ports.patchPort(.eventInput).map {
            PatchWriter(terms: terms, buffer: UnsafePointer(ports.events.start + $0))
        }
        output = shape.ports.patchPort(.eventOutput).map {
            UnsafePointer(ports.events.start + $0)
        }
        isDue = reports.count > 0
        isDue = isDue || hasUnsentValues
    }

    /// Creates the values of the parameters, and of the settings that the node has.
    private static func values(
        _ shape: PluginShape, _ request: ProcessorRequest, own: [Float]
    ) -> Buffer<PropertyValue> {
        let firstParameter = shape.ports(.parameter).count
        let numbers = shape.properties.filter(\.isParameter)
        let texts = shape.properties.filter(\.isSetting).compactMap { property in
            request.settings[property.name]?.text.map { (property, $0) }
        }
        return Buffer(count: numbers.count + texts.count) { index in
            guard index < numbers.count else {
                let (property, text) = texts[index - numbers.count]
                return PropertyValue(
                    property,
                    // Plugins expect an absolute path.
                    text: property.type == .path ? AbsolutePath.resolvingLinks(text) ?? text : text)
            }
            let parameter = firstParameter + index
            var value = PropertyValue(numbers[index], number: own[parameter])
            let wanted = request.parameters[parameter]
            if wanted != own[parameter] { value.set(wanted) }
            return value
        }
    }

    /// Whether there are values that have not been sent, for example because they did not fit.
    var hasUnsentValues: Bool { (0..<values.count).contains { values[$0].isDue } }

    /// Sets a parameter by its index among the properties.
    @_noLocks
    mutating func set(_ index: Int, to number: Float) {
        guard index >= 0, index < values.count else { return }
        values[index].set(number)
        isDue = true
    }

    /// Sends each change once, before a run, through event buffers that are ready for it.
    ///
    /// Changes that do not fit are sent with the next run.
    @_noLocks
    mutating func send() {
        guard isDue, let writer else { return }
        isDue = false
        for index in 0..<values.count where values[index].isDue {
            let fits = writer.set(
                values[index].property, values[index].type, values[index].body,
                byteCount: values[index].byteCount)
            values[index].isDue = !fits
            isDue = isDue || !fits
        }
        for index in 0..<reports.count where !reports[index].isRequested {
            let fits = writer.get(reports[index].property)
            reports[index].isRequested = fits
            isDue = isDue || !fits
        }
    }

    /// Receives the numbers that the plugin reported in a run.
    @_noLocks
    func receive() {
        guard reports.count > 0, let output else { return }
        var reader = PatchReader(terms, output)
        while let sent = reader.next() {
            for index in 0..<reports.count where reports[index].property == sent.property {
                reports[index].address.pointee = sent.number
            }
        }
    }
}
