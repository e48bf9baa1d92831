internal import CRealtime
internal import Processing

/// The memory that a plugin's ports are connected to, except its audio buffers.
///
/// It is freed with this object.
final class PluginPorts {
    /// One value per port; control ports are connected to theirs.
    let controls: UnsafeMutableBufferPointer<Float>
    /// One value per report, contiguous.
    let reports: UnsafeMutableBufferPointer<Float>
    let events: UnsafeMutableBufferPointer<EventBuffer>
    /// The plugin's reports of its latency and dropped messages.
    let news: UnsafeMutablePointer<RTNews>
    /// Silence for unconnected inputs.
    let silence: UnsafeMutablePointer<Float>
    /// A buffer for unused outputs.
    let discarded: UnsafeMutablePointer<Float>
    private let shape: PluginShape
    /// The ports of `events`, in the same order.
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

    /// Calls a body with each port's index and memory; audio ports get silence until the first run.
    func forEachConnection(_ connect: (UInt32, UnsafeMutableRawPointer?) -> Void) {
        var reportIndex = 0
        var eventIndex = 0
        for (index, port) in shape.ports.enumerated() {
            var memory: UnsafeMutableRawPointer?
            switch port.role {
            case .audioInput, .controlVoltageInput: memory = .init(silence)
            case .audioOutput, .controlVoltageOutput: memory = .init(discarded)
            case .parameter, .freewheel, .enabled, .time, .latency:
                memory = .init(controls.baseAddress.map { $0 + index })
            case .report:
                memory = .init(reports.baseAddress.map { $0 + reportIndex })
                reportIndex += 1
            case .eventInput, .eventOutput:
                memory = events[eventIndex].memory
                eventIndex += 1
            case .unconnected, .unknown: memory = nil
            }
            connect(UInt32(index), memory)
        }
    }

    /// Returns a glide for each parameter, with the address of its value.
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

    /// Returns the address of the control with a role; `nil` if no port has the role.
    func control(_ role: PortShape.Role) -> UnsafeMutablePointer<Float>? {
        guard let port = shape.ports(role).first else { return nil }
        return controls.baseAddress.map { $0 + port }
    }

    /// Returns the controls that follow quantities of time.
    func timeControls() -> [TimeControl] {
        TimeQuantity.allCases.flatMap { quantity in
            shape.ports(.time(quantity)).compactMap { port in
                controls.baseAddress.map { TimeControl(quantity: quantity, place: $0 + port) }
            }
        }
    }

    /// Whether the plugin uses events or time.
    var usesSurroundings: Bool { shape.usesSurroundings }

    /// The index of the event buffer for MIDI input.
    var midiInput: Int? { midiIndex(.eventInput) }

    /// The index of the event buffer for MIDI output.
    var midiOutput: Int? { midiIndex(.eventOutput) }

    /// Returns the main MIDI port of a direction, or else the first one.
    private func midiIndex(_ role: PortShape.Role) -> Int? {
        let places = eventPorts.indices.filter {
            eventPorts[$0].role == role && eventPorts[$0].carriesMIDI
        }
        return places.first { eventPorts[$0].isMain } ?? places.first
    }
}

extension PortShape {
    /// Whether the port needs an event buffer.
    var isEvent: Bool { role == .eventInput || role == .eventOutput }
}
