internal import Glibc
internal import Processing

/// The data for a plugin's properties during a run: values to send, and destinations of reports.
struct PropertyCore {
    /// A number that the plugin reports.
    struct Report {
        let property: UInt32
        let place: UnsafeMutablePointer<Float>
        /// Whether the plugin was asked for the number.
        var isAsked = false
    }

    /// The numbers in the order of the node's parameters, without the ports; then the texts.
    let values: UnsafeMutableBufferPointer<PropertyValue>
    let reports: UnsafeMutableBufferPointer<Report>
    private let writer: PatchWriter?
    private let output: EventBuffer?
    private let terms: PatchTerms
    /// Whether there may be something to send.
    private(set) var isDue: Bool

    /// Allocates the values and reports.
    ///
    /// - Parameters:
    ///   - values: The values for the plugin. `deallocate` frees them, and the list of reports.
    ///   - reports: The numbers that the plugin reports.
    ///   - input: The event buffer for messages to the plugin.
    ///   - output: The event buffer for messages from the plugin.
    init(_ values: [PropertyValue], _ reports: [Report], input: EventBuffer?, output: EventBuffer?)
    {
        let terms = PatchTerms()
        self.terms = terms
        self.values = .allocate(capacity: values.count)
        _ = self.values.initialize(from: values)
        self.reports = .allocate(capacity: reports.count)
        _ = self.reports.initialize(from: reports)
        writer = input.map { PatchWriter(terms: terms, buffer: $0) }
        self.output = output
        isDue = values.contains(where: \.isDue) || !reports.isEmpty
    }

    func deallocate() {
        for value in values { value.deallocate() }
        values.deallocate()
        reports.deallocate()
    }

    /// Whether there are values that have not been sent, for example because they did not fit.
    var hasUnsentValues: Bool { values.contains(where: \.isDue) }

    /// Sets a parameter by its index among the properties.
    @_noLocks
    mutating func set(_ place: Int, to number: Float) {
        guard place >= 0, place < values.count else { return }
        values[place].set(number)
        isDue = true
    }

    /// Sends each change once, before a run, through event buffers that are ready for it.
    ///
    /// Changes that do not fit are sent with the next run.
    @_noLocks
    mutating func send() {
        guard isDue, let writer else { return }
        isDue = false
        for place in 0..<values.count where values[place].isDue {
            let value = values[place]
            let fits = writer.set(
                value.property, value.type, value.body, byteCount: value.byteCount)
            values[place].isDue = !fits
            isDue = isDue || !fits
        }
        for place in 0..<reports.count where !reports[place].isAsked {
            let fits = writer.get(reports[place].property)
            reports[place].isAsked = fits
            isDue = isDue || !fits
        }
    }

    /// Receives the numbers that the plugin reported in a run.
    @_noLocks
    func receive() {
        guard reports.count > 0, let output else { return }
        var reader = PatchReader(terms, output)
        while let sent = reader.next() {
            for place in 0..<reports.count where reports[place].property == sent.property {
                reports[place].place.pointee = sent.number
            }
        }
    }
}

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
