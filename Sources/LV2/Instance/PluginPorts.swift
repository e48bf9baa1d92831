internal import CRealtime
internal import Processing

/// The memory that a plugin's ports are connected to, save its audio.
///
/// Freed with this object.
final class PluginPorts {
    /// A place for each port; controls are connected to theirs.
    let controls: UnsafeMutableBufferPointer<Float>
    /// A place for each report, side by side.
    let reports: UnsafeMutableBufferPointer<Float>
    let events: UnsafeMutableBufferPointer<EventBuffer>
    /// What the plugin tells beside its sound.
    let news: UnsafeMutablePointer<RTNews>
    /// Silence for inputs that nothing feeds.
    let silence: UnsafeMutablePointer<Float>
    /// Where outputs go that nothing takes.
    let discarded: UnsafeMutablePointer<Float>
    private let shape: PluginShape
    /// The ports of `events`, place by place.
    private let eventPorts: [PortShape]

    init(_ shape: PluginShape, _ request: ProcessorRequest) {
        self.shape = shape
        controls = .allocate(capacity: shape.ports.count)
        controls.initialize(repeating: 0)
        for (port, value) in zip(shape.ports(.parameter), request.parameters) {
            controls[port] = value
        }
        for port in shape.ports(.enabled) { controls[port] = 1 }
        news = .allocate(capacity: 1)
        news.initialize(to: RTNews())
        reports = .allocate(capacity: shape.description.reports.count)
        reports.initialize(repeating: 0)
        eventPorts = shape.ports.filter(\.isEvent)
        events = .allocate(capacity: eventPorts.count)
        _ = events.initialize(from: eventPorts.map { EventBuffer($0) })
        let frames = max(1, request.format.maximumBlockFrames)
        silence = .allocate(capacity: frames)
        silence.initialize(repeating: 0, count: frames)
        discarded = .allocate(capacity: frames)
        discarded.initialize(repeating: 0, count: frames)
        for control in timeControls() {
            control.place.pointee = control.quantity.value(
                at: .start(beatsPerMinute: request.tempo))
        }
    }

    deinit {
        for buffer in events { buffer.deallocate() }
        events.deallocate()
        news.deallocate()
        controls.deallocate()
        reports.deallocate()
        silence.deallocate()
        discarded.deallocate()
    }

    /// Calls a body with every port's index and what to connect it to; audio ports get silence until the first run.
    func forEachConnection(_ connect: (UInt32, UnsafeMutableRawPointer?) -> Void) {
        var reportPlace = 0
        var eventPlace = 0
        for (index, port) in shape.ports.enumerated() {
            var memory: UnsafeMutableRawPointer?
            switch port.role {
            case .audioInput, .controlVoltageInput: memory = .init(silence)
            case .audioOutput, .controlVoltageOutput: memory = .init(discarded)
            case .parameter, .freewheel, .enabled, .time, .latency:
                memory = .init(controls.baseAddress.map { $0 + index })
            case .report:
                memory = .init(reports.baseAddress.map { $0 + reportPlace })
                reportPlace += 1
            case .eventInput, .eventOutput:
                memory = events[eventPlace].memory
                eventPlace += 1
            case .unconnected, .unknown: memory = nil
            }
            connect(UInt32(index), memory)
        }
    }

    /// The place of each parameter's value, with how it moves.
    func glides() -> [ControlGlide] {
        zip(shape.ports(.parameter), shape.description.parameters).compactMap { port, parameter in
            guard let place = controls.baseAddress.map({ $0 + port }) else { return nil }
            guard case .continuous(let curve) = parameter.kind else {
                return ControlGlide(place, isGradual: false, isLogarithmic: false)
            }
            return ControlGlide(
                place, isGradual: shape.ports[port].glides, isLogarithmic: curve == .logarithmic)
        }
    }

    /// Where the plugin reads or writes the control that has a role; nil where none has.
    func control(_ role: PortShape.Role) -> UnsafeMutablePointer<Float>? {
        guard let port = shape.ports(role).first else { return nil }
        return controls.baseAddress.map { $0 + port }
    }

    /// The controls that are kept at quantities of time.
    func timeControls() -> [TimeControl] {
        TimeQuantity.allCases.flatMap { quantity in
            shape.ports(.time(quantity)).compactMap { port in
                controls.baseAddress.map { TimeControl(quantity: quantity, place: $0 + port) }
            }
        }
    }

    /// Whether there are events or time to be told.
    var playsInTime: Bool { shape.playsInTime }

    /// The place of the event buffer that MIDI goes into.
    var midiInput: Int? { midiPlace(.eventInput) }

    /// The place of the event buffer that MIDI comes out of.
    var midiOutput: Int? { midiPlace(.eventOutput) }

    /// The plugin's main port of those that carry MIDI, or else the first.
    private func midiPlace(_ role: PortShape.Role) -> Int? {
        let places = eventPorts.indices.filter {
            eventPorts[$0].role == role && eventPorts[$0].carriesMIDI
        }
        return places.first { eventPorts[$0].isMain } ?? places.first
    }
}

extension PortShape {
    /// Whether an event buffer is connected to it.
    var isEvent: Bool { role == .eventInput || role == .eventOutput }
}
