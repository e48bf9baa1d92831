internal import CLilv
internal import Processing

/// Reads one port of a plugin's description.
struct PortReader {
    let world: LilvWorldHandle
    let plugin: OpaquePointer
    let port: OpaquePointer

    /// The port as this host uses it.
    func shape() -> PortShape {
        let symbol = world.text(lilv_port_get_symbol(plugin, port)) ?? ""
        let label = world.consumeText(lilv_port_get_name(plugin, port)) ?? symbol
        let isOptional = has(Namespace.core("connectionOptional"))
        var shape = PortShape(
            symbol: symbol, label: label, role: role(isOptional: isOptional),
            isOptional: isOptional, isSideChain: isSideChain)
        switch shape.role {
        case .eventInput, .eventOutput:
            shape.minimumBytes = Int(number(Namespace.resizePort("minimumSize")) ?? 0)
            shape.asLargeAs = values(Namespace.resizePort("asLargeAs"))
            let supported = values(Namespace.atom("supports"))
            shape.takesMIDI = supported.contains(Namespace.midi("MidiEvent"))
            shape.takesMessages = supported.contains(Namespace.patch("Message"))
        case .parameter: shape.glides = !isSetAtOnce
        default: break
        }
        return shape
    }

    private func role(isOptional: Bool) -> PortShape.Role {
        let isInput = isA(Namespace.core("InputPort"))
        guard isInput || isA(Namespace.core("OutputPort")) else { return .unknown }
        if isA(Namespace.core("AudioPort")) { return isInput ? .audioInput : .audioOutput }
        if isA(Namespace.core("ControlPort")) { return isInput ? controlInput : controlOutput }
        if isA(Namespace.core("CVPort")) {
            return isInput ? .controlVoltageInput : .controlVoltageOutput
        }
        if isA(Namespace.atom("AtomPort")) { return isInput ? .eventInput : .eventOutput }
        return isOptional ? .unconnected : .unknown
    }

    private var controlInput: PortShape.Role {
        isDesignated(Namespace.core("freeWheeling")) ? .fixedControl : .parameter
    }

    private var controlOutput: PortShape.Role {
        let isLatency =
            has(Namespace.core("reportsLatency")) || isDesignated(Namespace.core("latency"))
        return isLatency ? .latency : .report
    }

    /// Whether the port says that it feeds a side chain, or that its group does.
    private var isSideChain: Bool {
        let sideChainOf = Namespace.portGroups("sideChainOf")
        if has(Namespace.core("isSideChain")) || value(sideChainOf) != nil { return true }
        guard let predicate = world.node(Namespace.portGroups("group")),
            let group = lilv_port_get(plugin, port, predicate)
        else { return false }
        defer { lilv_node_free(group) }
        return lilv_world_ask(world.pointer, group, world.node(sideChainOf), nil)
    }

    /// Whether intermediate values would cost too much, click, or mean something else.
    private var isSetAtOnce: Bool {
        ["expensive", "causesArtifacts", "trigger"].contains { has(Namespace.portProperties($0)) }
    }

    func isA(_ type: String) -> Bool { lilv_port_is_a(plugin, port, world.node(type)) }

    func has(_ property: String) -> Bool {
        lilv_port_has_property(plugin, port, world.node(property))
    }

    func isDesignated(_ designation: String) -> Bool {
        value(Namespace.core("designation")) == designation
    }

    func value(_ predicate: String) -> String? {
        world.consumeText(lilv_port_get(plugin, port, world.node(predicate)))
    }

    func values(_ predicate: String) -> [String] {
        world.texts(lilv_port_get_value(plugin, port, world.node(predicate)))
    }

    func number(_ predicate: String) -> Float? {
        guard let node = lilv_port_get(plugin, port, world.node(predicate)) else { return nil }
        defer { lilv_node_free(node) }
        return world.number(node)
    }
}
