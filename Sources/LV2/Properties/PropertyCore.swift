/// What a plugin's run needs for its properties: what is to be sent, and where what it tells goes.
struct PropertyCore {
    /// A number that the plugin tells.
    struct Report {
        let property: UInt32
        let place: UnsafeMutablePointer<Float>
        /// Whether the plugin was asked for it.
        var isAsked = false
    }

    /// The numbers by their places among the node's parameters, behind those of ports; then the texts.
    let values: UnsafeMutableBufferPointer<PropertyValue>
    let reports: UnsafeMutableBufferPointer<Report>
    private let writer: PatchWriter?
    private let output: (memory: UnsafeRawPointer, capacity: UInt32)?
    private let terms: PatchTerms
    /// Whether there may be something to send.
    private(set) var isDue: Bool

    /// - Parameters:
    ///   - values: What the plugin takes; freed with `deallocate`, as are the places of reports.
    ///   - reports: What it tells.
    ///   - input: The event buffer that messages are sent by.
    ///   - output: The event buffer that they come by.
    init(_ values: [PropertyValue], _ reports: [Report], input: EventBuffer?, output: EventBuffer?)
    {
        let terms = PatchTerms()
        self.terms = terms
        self.values = .allocate(capacity: values.count)
        _ = self.values.initialize(from: values)
        self.reports = .allocate(capacity: reports.count)
        _ = self.reports.initialize(from: reports)
        writer = input.map { PatchWriter(terms: terms, memory: $0.memory, capacity: $0.capacity) }
        self.output = output.map { (UnsafeRawPointer($0.memory), $0.capacity) }
        isDue = values.contains(where: \.isDue) || !reports.isEmpty
    }

    func deallocate() {
        for value in values { value.deallocate() }
        values.deallocate()
        reports.deallocate()
    }

    /// Whether values wait that did not fit.
    var hasUnsentValues: Bool { values.contains(where: \.isDue) }

    /// Moves a parameter, by its place among the properties.
    @_noLocks
    mutating func set(_ place: Int, to number: Float) {
        guard place >= 0, place < values.count else { return }
        values[place].set(number)
        isDue = true
    }

    /// Before a run, in event buffers that are ready for it: sends each change once.
    ///
    /// What does not fit is sent with the next run.
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

    /// After a run: takes what the plugin tells.
    @_noLocks
    func receive() {
        guard reports.count > 0, let output else { return }
        var reader = PatchReader(terms, memory: output.memory, capacity: output.capacity)
        while let told = reader.next() {
            for place in 0..<reports.count where reports[place].property == told.property {
                reports[place].place.pointee = told.number
            }
        }
    }
}
