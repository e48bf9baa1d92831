internal import CRealtime
internal import Processing
internal import Realtime

/// The memory that a plugin's ports are connected to, except its audio buffers.
///
/// It is freed with this object.
final class PluginPorts {
    /// One value per port; control ports are connected to theirs.
    let controls: Buffer<Float>
    /// One value per report, contiguous.
    let reports: Buffer<Float>
    let events: Buffer<EventBuffer>
    /// The plugin's reports of its latency and dropped messages.
    let status = Buffer(count: 1, repeating: RTStatus())
    /// Silence for unconnected inputs.
    let silence: Buffer<Float>
    /// A buffer for unused outputs.
    let discarded: Buffer<Float>
    private let shape: PluginShape
    /// The ports of `events`, in the same order.
    private let eventPorts: [PortShape]

    init(_ shape: PluginShape, _ request: ProcessorRequest) {
        self.shape = shape
        controls = Buffer(count: shape.ports.count, repeating: 0)
        for (port, value) in zip(shape.ports(.parameter), request.parameters) {
            controls[port] = value
        }
        for (port, parameter) in Self.triggers(of: shape) {
            controls[port] = parameter.defaultValue
        }
        for port in shape.ports(.enabled) { controls[port] = 1 }
        reports = Buffer(count: shape.description.reports.count, repeating: 0)
        let eventPorts = shape.ports.filter(\.isEvent)
        self.eventPorts = eventPorts
        events = Buffer(count: eventPorts.count) { EventBuffer(eventPorts[$0]) }
        let frames = max(1, request.format.maximumBlockFrames)
        silence = Buffer(count: frames, repeating: 0)
        discarded = Buffer(count: frames, repeating: 0)
        for control in timeControls() {
            control.address.pointee = control.quantity.value(
                at: .start(beatsPerMinute: request.tempo))
        }
    }

    /// Calls a body with each port's index and memory; audio ports get silence until the first run.
    func forEachConnection(_ connect: (UInt32, UnsafeMutableRawPointer?) -> Void) {
        var reportIndex = 0
        var eventIndex = 0
        for (index, port) in shape.ports.enumerated() {
            var memory: UnsafeMutableRawPointer?
            switch port.role {
            case .audioInput, .controlVoltageInput: memory = .init(silence.start)
            case .audioOutput, .controlVoltageOutput: memory = .init(discarded.start)
            case .parameter, .freewheel, .enabled, .time, .latency:
                memory = .init(controls.start + index)
            case .report:
                memory = .init(reports.start + reportIndex)
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
        let triggers = Self.triggers(of: shape).map(\.port)
        return zip(shape.ports(.parameter), shape.description.parameters).map { port, parameter in
            let address = controls.start + port
            if let trigger = triggers.firstIndex(of: port) {
                return ControlGlide(
                    address, isGradual: false, isLogarithmic: false,
                    trigger: Int32(clamping: trigger))
            }
            guard case .continuous(let curve) = parameter.kind else {
                return ControlGlide(address, isGradual: false, isLogarithmic: false)
            }
            return ControlGlide(
                address, isGradual: shape.ports[port].glides, isLogarithmic: curve == .logarithmic)
        }
    }

    /// Returns the controls that act once for each message.
    func triggers() -> [ControlTrigger] {
        Self.triggers(of: shape).map {
            ControlTrigger(controls.start + $0.port, restingValue: $0.parameter.defaultValue)
        }
    }

    /// Returns the ports that are triggers, with their parameters.
    private static func triggers(
        of shape: PluginShape
    ) -> [(port: Int, parameter: ParameterDescription)] {
        zip(shape.ports(.parameter), shape.description.parameters)
            .filter { $0.1.isTrigger }.map { (port: $0.0, parameter: $0.1) }
    }

    /// Returns the address of the control with a role; `nil` if no port has the role.
    func control(_ role: PortShape.Role) -> UnsafeMutablePointer<Float>? {
        guard let port = shape.ports(role).first else { return nil }
        return controls.start + port
    }

    /// Returns the controls that follow quantities of time.
    func timeControls() -> [TimeControl] {
        TimeQuantity.allCases.flatMap { quantity in
            shape.ports(.time(quantity)).map { port in
                TimeControl(quantity: quantity, address: controls.start + port)
            }
        }
    }

    /// Whether the plugin uses events or time.
    var usesMIDIOrTransport: Bool { shape.usesMIDIOrTransport }

    /// The index of the event buffer for MIDI input.
    var midiInput: Int? { midiIndex(.eventInput) }

    /// The index of the event buffer for MIDI output.
    var midiOutput: Int? { midiIndex(.eventOutput) }

    /// Returns the main MIDI port of a direction, or else the first one.
    private func midiIndex(_ role: PortShape.Role) -> Int? {
        let indices = eventPorts.indices.filter {
            eventPorts[$0].role == role && eventPorts[$0].carriesMIDI
        }
        return indices.first { eventPorts[$0].isMain } ?? indices.first
    }
}

extension PortShape {
    /// Whether the port needs an event buffer.
    var isEvent: Bool { role == .eventInput || role == .eventOutput }
}
