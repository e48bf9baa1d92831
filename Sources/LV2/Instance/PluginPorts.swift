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
    /// Silence for inputs that nothing feeds.
    let silence: UnsafeMutablePointer<Float>
    /// Where outputs go that nothing takes.
    let discarded: UnsafeMutablePointer<Float>
    private let shape: PluginShape

    init(_ shape: PluginShape, _ request: ProcessorRequest) {
        self.shape = shape
        controls = .allocate(capacity: shape.ports.count)
        controls.initialize(repeating: 0)
        for (port, value) in zip(shape.ports(.parameter), request.parameters) {
            controls[port] = value
        }
        reports = .allocate(capacity: shape.description.reports.count)
        reports.initialize(repeating: 0)
        let eventPorts = shape.ports.filter(\.isEvent)
        events = .allocate(capacity: eventPorts.count)
        _ = events.initialize(
            from: eventPorts.map {
                EventBuffer(isInput: $0.role == .eventInput, minimumBytes: $0.minimumBytes)
            })
        let frames = max(1, request.format.maximumBlockFrames)
        silence = .allocate(capacity: frames)
        silence.initialize(repeating: 0, count: frames)
        discarded = .allocate(capacity: frames)
        discarded.initialize(repeating: 0, count: frames)
    }

    deinit {
        for buffer in events { buffer.deallocate() }
        events.deallocate()
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
            case .parameter, .fixedControl, .latency:
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

    /// The latency that the plugin last told, in frames; 0 where it tells none.
    var latencyFrames: Int {
        guard let port = shape.ports(.latency).first, controls[port].isFinite else { return 0 }
        return Int(min(max(0, controls[port].rounded()), 1e7))
    }
}

extension PortShape {
    /// Whether an event buffer is connected to it.
    var isEvent: Bool { role == .eventInput || role == .eventOutput }
}
